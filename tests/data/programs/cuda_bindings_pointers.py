# cuda.bindings: kernel arguments as an array of pointers, structures as arguments of calls, a launch configuration.
import numpy as np
from cuda.bindings import driver, nvrtc

SOURCE = """
extern "C" __global__ void scale(float factor, float* values, unsigned long long n) {
    unsigned long long i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) values[i] *= factor;
}
"""


def checked(result):
    assert result[0] == 0, result
    return result[1] if len(result) == 2 else result[1:]


checked(driver.cuInit(0))
device = checked(driver.cuDeviceGet(0))
context = checked(driver.cuCtxCreate(None, 0, device))
program = checked(nvrtc.nvrtcCreateProgram(str.encode(SOURCE), b"scale.cu", 0, None, None))
checked(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=compute_75"]))
ptx = b" " * checked(nvrtc.nvrtcGetPTXSize(program))
checked(nvrtc.nvrtcGetPTX(program, ptx))
module = checked(driver.cuModuleLoadData(ptx))
kernel = checked(driver.cuModuleGetFunction(module, b"scale"))

# Eight rows of 100 numbers, of which the memory on the device has rows of its own pitch.
rows, columns = 8, 100
values = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
memory, pitch = checked(driver.cuMemAllocPitch(columns * 4, rows, 4))
copy = driver.CUDA_MEMCPY2D()
copy.srcMemoryType = driver.CUmemorytype.CU_MEMORYTYPE_HOST
copy.srcHost = values.ctypes.data
copy.srcPitch = columns * 4
copy.dstMemoryType = driver.CUmemorytype.CU_MEMORYTYPE_DEVICE
copy.dstDevice = memory
copy.dstPitch = pitch
copy.WidthInBytes = columns * 4
copy.Height = rows
checked(driver.cuMemcpy2D(copy))

configuration = driver.CUlaunchConfig()
configuration.gridDimX = configuration.gridDimY = configuration.gridDimZ = 1
configuration.blockDimX, configuration.blockDimY, configuration.blockDimZ = 128, 1, 1
stream = checked(driver.cuStreamCreate(0))
configuration.hStream = stream
for row in range(rows):
    factor = np.array(row, dtype=np.float32)
    address = np.array(int(memory) + row * pitch, dtype=np.uint64)
    count = np.array(columns, dtype=np.uint64)
    arguments = np.array([argument.ctypes.data for argument in (factor, address, count)], dtype=np.uint64)
    checked(driver.cuLaunchKernelEx(configuration, kernel, arguments.ctypes.data, 0))
checked(driver.cuStreamSynchronize(stream))

scaled = np.zeros_like(values)
back = driver.CUDA_MEMCPY2D()
back.srcMemoryType = driver.CUmemorytype.CU_MEMORYTYPE_DEVICE
back.srcDevice, back.srcPitch = memory, pitch
back.dstMemoryType = driver.CUmemorytype.CU_MEMORYTYPE_HOST
back.dstHost, back.dstPitch = scaled.ctypes.data, columns * 4
back.WidthInBytes, back.Height = columns * 4, rows
checked(driver.cuMemcpy2D(back))
assert np.array_equal(scaled, values * np.arange(rows, dtype=np.float32)[:, None])

checked(driver.cuStreamDestroy(stream))
checked(driver.cuMemFree(memory))
checked(driver.cuModuleUnload(module))
checked(driver.cuCtxDestroy(context))
print("scale ok")
