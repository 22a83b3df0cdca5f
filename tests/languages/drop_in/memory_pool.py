"""A pool of its own: what it has given out, and what it keeps."""

from cuda.core import Device, DeviceMemoryResource, DeviceMemoryResourceOptions

device = Device()
device.set_current()
stream = device.create_stream()
pool = DeviceMemoryResource(device, DeviceMemoryResourceOptions(max_size=64 << 20))
assert pool.is_device_accessible
assert not pool.is_host_accessible
assert pool.device_id == device.device_id
assert not pool.is_ipc_enabled

buffers = [pool.allocate(1 << 20, stream=stream) for _ in range(4)]
assert all(buffer.memory_resource is pool for buffer in buffers)
assert pool.attributes.used_mem_current >= 4 << 20
assert len({int(buffer.handle) for buffer in buffers}) == 4
for buffer in buffers:
    buffer.close(stream)
stream.sync()
assert pool.attributes.used_mem_current == 0
assert pool.attributes.used_mem_high >= 4 << 20

device.memory_resource = pool
with_default = device.allocate(256, stream=stream)
assert with_default.size == 256
with_default.close(stream)
stream.sync()
pool.close()
print("done")
