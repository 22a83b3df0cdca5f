"""What a device and a kernel are: properties, attributes, occupancy."""

from cuda.core import Device, Kernel, LaunchConfig, ObjectCode, Program

for device in Device.get_all_devices():
    major, minor = device.compute_capability
    assert device.arch == f"{major}{minor}"
    properties = device.properties
    assert properties.multiprocessor_count >= 1
    assert properties.warp_size == 32
    assert properties.max_threads_per_block >= 512
    assert properties.compute_capability_major == major

device = Device(0)
device.set_current()
module = Program('extern "C" __global__ void f(int n, float* x) { if (n) *x += n; }', "c++").compile("ptx")
assert isinstance(module, ObjectCode)
kernel = module.get_kernel("f")
assert isinstance(kernel, Kernel)
assert kernel.num_arguments == 2
assert [argument.size for argument in kernel.arguments_info] == [4, 8]
assert kernel.attributes.max_threads_per_block >= 512
assert kernel.attributes.num_regs >= 1

occupancy = kernel.occupancy
blocks = occupancy.max_active_blocks_per_multiprocessor(128, 0)
assert blocks >= 1
best = occupancy.max_potential_block_size(0, 0)
assert best.max_block_size >= 32
config = LaunchConfig(grid=best.min_grid_size, block=best.max_block_size)
assert config.grid == (best.min_grid_size, 1, 1)
print("done")
