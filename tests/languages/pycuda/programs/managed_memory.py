"""Managed memory: the CPU and kernels work on the same array."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

doublify = SourceModule("""
__global__ void doublify(float *a) { a[threadIdx.x] *= 2; }
""").get_function("doublify")

a = drv.managed_empty(10, np.float32, mem_flags=drv.mem_attach_flags.GLOBAL)
a[:] = np.linspace(0, 9, len(a))
doublify(a, grid=(1, 1), block=(len(a), 1, 1))
drv.Context.synchronize()
print(a)

b = drv.managed_zeros((2, 3), np.int32, mem_flags=drv.mem_attach_flags.GLOBAL)
c = drv.managed_empty_like(b, mem_flags=drv.mem_attach_flags.GLOBAL)
c[:] = 4
print(b.tolist(), c.tolist(), isinstance(b.base, drv.ManagedAllocation), c.base.get_device_pointer() != 0)
