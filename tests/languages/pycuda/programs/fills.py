"""Fills of every width, copies within the device, and what is known of an address."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda

memory = cuda.mem_alloc(64)
cuda.memset_d8(memory, 0xAB, 64)
print(hex(cuda.from_device(memory, 1, np.uint32)[0]))
cuda.memset_d16(memory, 0x1234, 8)
print([hex(each) for each in cuda.from_device(memory, 10, np.uint16)])
cuda.memset_d32(int(memory) + 16, 0xDEADBEEF, 4)
print([hex(each) for each in cuda.from_device(memory, 9, np.uint32)])

other = cuda.mem_alloc(64)
cuda.memcpy_dtod(other, memory, 64)
print(np.array_equal(cuda.from_device(other, 64, np.uint8), cuda.from_device(memory, 64, np.uint8)))
stream = cuda.Stream()
cuda.memset_d8_async(other, 1, 64, stream)
cuda.memcpy_dtod_async(int(other) + 32, memory, 32, stream)
stream.synchronize()
print(cuda.from_device(other, 36, np.uint8)[28:])

cuda.memset_d2d8(memory, 16, 7, 4, 4)
print(cuda.from_device(memory, (4, 16), np.uint8)[:, :6])
base, size = cuda.mem_get_address_range(int(memory) + 10)
print(int(base) == int(memory), size)
free, total = cuda.mem_get_info()
print(0 < free <= total)
