"""Copies and kernels in two streams, from page-locked memory, with events."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

n = 4096
kernel = SourceModule("""
__global__ void square(int *data, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] *= data[i];
}
""").get_function("square")

streams = [drv.Stream() for _ in range(2)]
hosts = [drv.pagelocked_empty(n, np.int32) for _ in streams]
devices = [drv.mem_alloc(host.nbytes) for host in hosts]
starts, ends = [drv.Event() for _ in streams], [drv.Event() for _ in streams]
for number, (stream, host, device) in enumerate(zip(streams, hosts, devices)):
    host[:] = np.arange(n) + number
    starts[number].record(stream)
    drv.memcpy_htod_async(device, host, stream)
    kernel(device, np.int32(n), block=(256, 1, 1), grid=(4, 1), stream=stream)
    drv.memcpy_dtoh_async(host, device, stream)
    ends[number].record(stream)

for start, end in zip(starts, ends):
    end.synchronize()
    print(end.query(), end.time_since(start) >= 0, start.time_till(end) == end.time_since(start))
for stream in streams:
    stream.synchronize()
    print(stream.is_done(), stream.handle != 0)
for number, host in enumerate(hosts):
    print(host[:4], np.array_equal(host, (np.arange(n, dtype=np.int32) + number) ** 2))

streams[1].wait_for_event(drv.Event().record(streams[0]))
drv.memset_d32_async(devices[1], 7, n, streams[1])
streams[1].synchronize()
print(set(drv.from_device_like(devices[1], hosts[1]).tolist()))
drv.Context.synchronize()
