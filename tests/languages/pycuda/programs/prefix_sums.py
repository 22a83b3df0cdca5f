"""Scan kernels: prefix sums in place, exclusive ones, and a running maximum."""

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel

knl = InclusiveScanKernel(np.int32, "a+b")
n = 2**14 - 2**8 + 5
host_data = (np.arange(n) * 37 % 11).astype(np.int32)
dev_data = gpuarray.to_gpu(host_data)
assert knl(dev_data) is dev_data
print((dev_data.get() == np.cumsum(host_data)).all(), dev_data.get()[-3:])

exclusive = ExclusiveScanKernel(np.int32, "a+b", neutral="0")
data = gpuarray.to_gpu(host_data)
result = gpuarray.empty_like(data)
exclusive(data, result)
print(result.get()[:8], (result.get() == np.cumsum(host_data) - host_data).all(), (data.get() == host_data).all())

running = InclusiveScanKernel(np.float32, "max(a, b)")
peaks = gpuarray.to_gpu(np.array([1, 0.5, 3, 2, 2.5, 7, 1], np.float32))
running(peaks)
print(peaks.get())
