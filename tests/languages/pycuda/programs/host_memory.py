"""Page-locked, mapped and aligned host memory."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

increment = SourceModule("""
__global__ void increment(int *a) { a[threadIdx.x] += 1; }
""").get_function("increment")

mapped = drv.pagelocked_zeros((2, 4), np.int32, mem_flags=drv.host_alloc_flags.DEVICEMAP)
increment(np.intp(mapped.base.get_device_pointer()), block=(8, 1, 1))
drv.Context.synchronize()
print(mapped.tolist(), type(mapped.base).__name__, mapped.base.get_flags() & drv.host_alloc_flags.DEVICEMAP)

fortran = drv.pagelocked_empty((3, 5), np.float64, order="F")
print(fortran.flags.f_contiguous, drv.pagelocked_empty_like(fortran).strides, fortran.strides)

aligned = drv.aligned_zeros((1024,), np.int32, alignment=4096)
print(aligned.__array_interface__["data"][0] % 4096, aligned.sum())
small = drv.aligned_empty_like(aligned, alignment=64)
print(small.shape, small.dtype, small.__array_interface__["data"][0] % 64)
