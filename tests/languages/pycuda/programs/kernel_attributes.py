"""What a kernel takes, the occupancy, and the device's limits."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
import pycuda.tools as tools
from pycuda.compiler import SourceModule

mod = SourceModule("""
__global__ void reverse(int *data)
{
  __shared__ int copy[256];
  extern __shared__ int more[];
  copy[threadIdx.x] = data[threadIdx.x];
  more[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[more[threadIdx.x]] = copy[blockDim.x - 1 - threadIdx.x];
}
""")
reverse = mod.get_function("reverse")
print(reverse.shared_size_bytes, reverse.local_size_bytes, reverse.const_size_bytes >= 0)
print(reverse.num_regs == reverse.get_attribute(cuda.function_attribute.NUM_REGS), reverse.max_threads_per_block)
reverse.set_cache_config(cuda.func_cache.PREFER_SHARED)
data = np.arange(256, dtype=np.int32)
reverse(cuda.InOut(data), block=(256, 1, 1), shared=256 * 4)
print(data[:4], data[-4:])

device_data = tools.DeviceData()
print(device_data.max_threads, device_data.warp_size, device_data.shared_memory)
for threads in (32, 64, 256, 1024):
    record = tools.OccupancyRecord(device_data, threads)
    print(threads, 0 < record.occupancy <= 1, record.warps_per_mp == record.tb_per_mp * -(-threads // 32))
print(device_data.align_bytes(), device_data.align(100), device_data.align_words(4), device_data.coalesce(100))
print([tools.DeviceData.make_valid_tex_channel_count(size) for size in (1, 2, 3, 4)])
print(cuda.Context.get_limit(cuda.limit.STACK_SIZE) > 0)
