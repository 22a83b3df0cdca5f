# cuda.bindings: kernel arguments as ((values), (ctypes)), checked calls, JIT options, events.
import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc

SOURCE = b"""
extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""


def name_of(error):
    if isinstance(error, driver.CUresult):
        err, name = driver.cuGetErrorName(error)
        return name if err == driver.CUresult.CUDA_SUCCESS else "<unknown>"
    if isinstance(error, nvrtc.nvrtcResult):
        return nvrtc.nvrtcGetErrorString(error)[1]
    raise RuntimeError(f"unknown error type {error}")


def checked(result):
    if result[0].value:
        raise RuntimeError(f"CUDA error {result[0].value} ({name_of(result[0])})")
    if len(result) == 1:
        return None
    return result[1] if len(result) == 2 else result[1:]


checked(driver.cuInit(0))
device = checked(driver.cuDeviceGet(0))
context = checked(driver.cuDevicePrimaryCtxRetain(device))
checked(driver.cuCtxSetCurrent(context))

major, minor = checked(nvrtc.nvrtcVersion())
assert major >= 12
attribute = driver.CUdevice_attribute
architecture = checked(driver.cuDeviceGetAttribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device))
options = [b"--fmad=false", bytes(f"--gpu-architecture=compute_{architecture}0", "ascii")]
program = checked(nvrtc.nvrtcCreateProgram(SOURCE, b"vector_add.cu", 0, [], []))
checked(nvrtc.nvrtcCompileProgram(program, len(options), options))
ptx = b" " * checked(nvrtc.nvrtcGetPTXSize(program))
checked(nvrtc.nvrtcGetPTX(program, ptx))
checked(nvrtc.nvrtcDestroyProgram(program))

log_size = 4096
log = b" " * log_size
jit_options = [
    driver.CUjit_option.CU_JIT_INFO_LOG_BUFFER,
    driver.CUjit_option.CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
]
module = checked(driver.cuModuleLoadDataEx(np.char.array(ptx), len(jit_options), jit_options, [log, log_size]))
kernel = checked(driver.cuModuleGetFunction(module, b"vector_add"))

n = 50000
size = n * np.dtype(np.float32).itemsize
a, b = np.random.default_rng(1).random((2, n), dtype=np.float32)
c = np.zeros(n, np.float32)
a_device, b_device, c_device = (checked(driver.cuMemAlloc(size)) for _ in range(3))
stream = checked(driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_NON_BLOCKING))
begin, end = (checked(driver.cuEventCreate(driver.CUevent_flags.CU_EVENT_DEFAULT)) for _ in range(2))
checked(driver.cuMemcpyHtoDAsync(a_device, a, size, stream))
checked(driver.cuMemcpyHtoDAsync(b_device, b, size, stream))

arguments = ((a_device, b_device, c_device, n), (None, None, None, ctypes.c_int))
checked(driver.cuEventRecord(begin, stream))
checked(driver.cuLaunchKernel(kernel, (n + 255) // 256, 1, 1, 256, 1, 1, 0, stream, arguments, 0))
checked(driver.cuEventRecord(end, stream))
checked(driver.cuMemcpyDtoHAsync(c, c_device, size, stream))
checked(driver.cuStreamSynchronize(stream))
assert checked(driver.cuEventElapsedTime(begin, end)) >= 0
assert np.array_equal(c, a + b)

for event in (begin, end):
    checked(driver.cuEventDestroy(event))
checked(driver.cuStreamDestroy(stream))
for memory in (a_device, b_device, c_device):
    checked(driver.cuMemFree(memory))
checked(driver.cuModuleUnload(module))
checked(driver.cuDevicePrimaryCtxRelease(device))
print("vector add ok")
