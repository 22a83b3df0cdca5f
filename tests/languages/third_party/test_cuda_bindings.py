"""cuda-bindings: driver and NVRTC, called as C does."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from cuda.bindings import driver, nvrtc
from numpy.typing import NDArray

SOURCE = r"""
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void sum(const int* values, int* total, int n) {
    __shared__ int parts[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    parts[threadIdx.x] = i < n ? values[i] : 0;
    __syncthreads();
    for (int width = blockDim.x / 2; width > 0; width /= 2) {
        if (threadIdx.x < width) parts[threadIdx.x] += parts[threadIdx.x + width];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(total, parts[0]);
}

template <typename T> __global__ void fill(T* values, T value, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = value;
}
"""


def check(result: tuple[Any, ...]) -> Any:
    error, *values = result
    assert int(error) == 0, error
    return values[0] if len(values) == 1 else values


@pytest.fixture(scope="module")
def device() -> Iterator[int]:
    check(driver.cuInit(0))
    device = check(driver.cuDeviceGet(0))
    context = check(driver.cuDevicePrimaryCtxRetain(device))
    check(driver.cuCtxSetCurrent(context))
    yield device
    check(driver.cuDevicePrimaryCtxRelease(device))


def architecture(device: int) -> str:
    attribute = driver.CUdevice_attribute
    major = check(driver.cuDeviceGetAttribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device))
    minor = check(driver.cuDeviceGetAttribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device))
    return f"sm_{major}{minor}"


def compile_cubin(device: int, expressions: tuple[bytes, ...] = ()) -> tuple[bytes, list[bytes]]:
    program = check(nvrtc.nvrtcCreateProgram(SOURCE.encode(), b"kernels.cu", 0, None, None))
    for expression in expressions:
        check(nvrtc.nvrtcAddNameExpression(program, expression))
    check(nvrtc.nvrtcCompileProgram(program, 1, [f"--gpu-architecture={architecture(device)}".encode()]))
    cubin = b"\0" * check(nvrtc.nvrtcGetCUBINSize(program))
    check(nvrtc.nvrtcGetCUBIN(program, cubin))
    names = [check(nvrtc.nvrtcGetLoweredName(program, expression)) for expression in expressions]
    check(nvrtc.nvrtcDestroyProgram(program))
    return cubin, names


@pytest.fixture(scope="module")
def module(device: int) -> Iterator[Any]:
    module = check(driver.cuModuleLoadData(compile_cubin(device)[0]))
    yield module
    check(driver.cuModuleUnload(module))


def upload(values: NDArray[Any]) -> Any:
    memory = check(driver.cuMemAlloc(values.nbytes))
    check(driver.cuMemcpyHtoD(memory, values.ctypes.data, values.nbytes))
    return memory


def download(memory: Any, like: NDArray[Any]) -> NDArray[Any]:
    values = np.empty_like(like)
    check(driver.cuMemcpyDtoH(values.ctypes.data, memory, values.nbytes))
    return values


def launch(function: Any, n: int, stream: Any, values: tuple[Any, ...], types: tuple[Any, ...]) -> None:
    grid = (n + 127) // 128
    check(driver.cuLaunchKernel(function, grid, 1, 1, 128, 1, 1, 0, stream, (values, types), 0))


def test_machine_code_is_an_elf_file(device: int) -> None:
    assert compile_cubin(device)[0][:4] == b"\x7fELF"


def test_saxpy(module: Any) -> None:
    function = check(driver.cuModuleGetFunction(module, b"saxpy"))
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, dtype=np.float32)
    x_memory, y_memory = upload(x), upload(y)
    types = (ctypes.c_float, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    launch(function, 1000, 0, (2.0, int(x_memory), int(y_memory), 1000), types)
    np.testing.assert_array_equal(download(y_memory, y), 2 * x + y)
    check(driver.cuMemFree(x_memory))
    check(driver.cuMemFree(y_memory))


def test_reduction_through_shared_memory(module: Any) -> None:
    function = check(driver.cuModuleGetFunction(module, b"sum"))
    values, total = np.arange(5000, dtype=np.int32), np.zeros(1, dtype=np.int32)
    memory, result = upload(values), upload(total)
    launch(function, 5000, 0, (int(memory), int(result), 5000), (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int))
    assert download(result, total)[0] == values.sum()
    check(driver.cuMemFree(memory))
    check(driver.cuMemFree(result))


def test_templates_by_name_expression(device: int) -> None:
    cubin, names = compile_cubin(device, (b"fill<int>", b"fill<double>"))
    library = check(driver.cuLibraryLoadData(cubin, [], [], 0, [], [], 0))
    for name, dtype, ctype in zip(names, (np.int32, np.float64), (ctypes.c_int, ctypes.c_double), strict=True):
        kernel = check(driver.cuLibraryGetKernel(library, name))
        values = np.zeros(100, dtype=dtype)
        memory = upload(values)
        launch(
            check(driver.cuKernelGetFunction(kernel)),
            100,
            0,
            (int(memory), 7, 100),
            (ctypes.c_void_p, ctype, ctypes.c_int),
        )
        assert (download(memory, values) == 7).all()
        check(driver.cuMemFree(memory))
    check(driver.cuLibraryUnload(library))


def test_streams_wait_for_events(module: Any) -> None:
    function = check(driver.cuModuleGetFunction(module, b"saxpy"))
    nonblocking = driver.CUstream_flags.CU_STREAM_NON_BLOCKING
    first, second = (check(driver.cuStreamCreate(nonblocking)) for _ in range(2))
    start, end = (check(driver.cuEventCreate(0)) for _ in range(2))
    x, y = np.ones(256, dtype=np.float32), np.zeros(256, dtype=np.float32)
    x_memory, y_memory = upload(x), upload(y)
    arguments = (1.0, int(x_memory), int(y_memory), 256)
    types = (ctypes.c_float, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    check(driver.cuEventRecord(start, first))
    for _ in range(10):
        launch(function, 256, first, arguments, types)
    check(driver.cuEventRecord(end, first))
    check(driver.cuStreamWaitEvent(second, end, 0))
    for _ in range(10):
        launch(function, 256, second, arguments, types)
    check(driver.cuStreamSynchronize(second))
    assert (download(y_memory, y) == 20).all()
    assert check(driver.cuEventElapsedTime(start, end)) >= 0
    for stream in (first, second):
        check(driver.cuStreamDestroy(stream))
    for event in (start, end):
        check(driver.cuEventDestroy(event))


def test_memory_of_a_pool_in_stream_order(device: int, module: Any) -> None:
    function = check(driver.cuModuleGetFunction(module, b"saxpy"))
    pool = check(driver.cuDeviceGetDefaultMemPool(device))
    stream = check(driver.cuStreamCreate(0))
    x, y = np.full(300, 3, dtype=np.float32), np.zeros(300, dtype=np.float32)
    memory = [check(driver.cuMemAllocFromPoolAsync(x.nbytes, pool, stream)) for _ in range(2)]
    check(driver.cuMemcpyHtoDAsync(memory[0], x.ctypes.data, x.nbytes, stream))
    check(driver.cuMemcpyHtoDAsync(memory[1], y.ctypes.data, y.nbytes, stream))
    types = (ctypes.c_float, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    launch(function, 300, stream, (2.0, int(memory[0]), int(memory[1]), 300), types)
    check(driver.cuMemcpyDtoHAsync(y.ctypes.data, memory[1], y.nbytes, stream))
    for allocation in memory:
        check(driver.cuMemFreeAsync(allocation, stream))
    check(driver.cuStreamSynchronize(stream))
    assert (y == 6).all()
    check(driver.cuStreamDestroy(stream))


def test_a_captured_graph(module: Any) -> None:
    function = check(driver.cuModuleGetFunction(module, b"saxpy"))
    stream = check(driver.cuStreamCreate(0))
    x, y = np.ones(256, dtype=np.float32), np.zeros(256, dtype=np.float32)
    x_memory, y_memory = upload(x), upload(y)
    types = (ctypes.c_float, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    check(driver.cuStreamBeginCapture(stream, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL))
    for _ in range(3):
        launch(function, 256, stream, (1.0, int(x_memory), int(y_memory), 256), types)
    graph = check(driver.cuStreamEndCapture(stream))
    assert check(driver.cuGraphGetNodes(graph, 10))[1] == 3
    executable = check(driver.cuGraphInstantiate(graph, 0))
    for _ in range(2):
        check(driver.cuGraphLaunch(executable, stream))
    check(driver.cuStreamSynchronize(stream))
    assert (download(y_memory, y) == 6).all()
    check(driver.cuGraphExecDestroy(executable))
    check(driver.cuGraphDestroy(graph))
    check(driver.cuStreamDestroy(stream))
