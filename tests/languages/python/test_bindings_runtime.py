"""What the runtime's functions do, called from Python: libcudart's on a GPU, its companion's on the simulator."""

from __future__ import annotations

import ctypes
import time

import numpy as np
import pytest
from cuprum.bindings import driver, runtime

SUCCESS = runtime.cudaError_t.cudaSuccess


def is_refused(status: runtime.cudaError_t) -> bool:
    """Whether libcudart has another major version than the headers: what CUDA 13 changed is then not called."""
    err, version = runtime.cudaRuntimeGetVersion()
    assert err is SUCCESS
    if version // 1000 == runtime.CUDART_VERSION // 1000:
        return False
    assert status is runtime.cudaError_t.cudaErrorSymbolNotFound
    return True


@pytest.mark.shows("cudaGetErrorString")
def test_errors_have_names_and_texts() -> None:
    assert runtime.cudaGetErrorName(runtime.cudaError_t.cudaErrorInvalidValue) == (SUCCESS, b"cudaErrorInvalidValue")
    assert runtime.cudaGetErrorString(runtime.cudaError_t.cudaErrorInvalidValue) == (SUCCESS, b"invalid argument")


def test_a_structure_is_returned_by_value() -> None:
    kind = runtime.cudaChannelFormatKind.cudaChannelFormatKindFloat
    err, description = runtime.cudaCreateChannelDesc(32, 16, 8, 4, kind)
    assert err is SUCCESS
    assert (description.x, description.y, description.z, description.w, description.f) == (32, 16, 8, 4, kind)


def test_versions() -> None:
    err, version = runtime.cudaRuntimeGetVersion()
    assert err is SUCCESS
    assert version >= 12000


def test_without_a_driver_it_says_so() -> None:
    returned: tuple[object, ...] = runtime.cudaGetDeviceCount()
    assert returned == (runtime.cudaError_t.cudaErrorInsufficientDriver, None) or returned[0] is SUCCESS


@pytest.mark.shows(
    "cudaGetDeviceCount",
    "cudaSetDevice",
    "cudaGetDevice",
    "cudaDeviceGetAttribute",
    "cudaPeekAtLastError",
    "cudaGetLastError",
)
def test_devices() -> None:
    err, count = runtime.cudaGetDeviceCount()
    assert err is SUCCESS
    for device in {count - 1, 0}:
        assert runtime.cudaSetDevice(device) == (SUCCESS,)
        assert runtime.cudaGetDevice() == (SUCCESS, device)
    assert runtime.cudaSetDevice(0) == (SUCCESS,)
    invalid = runtime.cudaError_t.cudaErrorInvalidDevice
    assert runtime.cudaSetDevice(4711) == (invalid,)
    assert runtime.cudaPeekAtLastError() == (invalid,)
    assert runtime.cudaGetLastError() == (invalid,)
    assert runtime.cudaPeekAtLastError() == (SUCCESS,)
    assert runtime.cudaGetLastError() == (SUCCESS,)
    attribute = runtime.cudaDeviceAttr.cudaDevAttrWarpSize
    assert runtime.cudaDeviceGetAttribute(attribute, 0) == (SUCCESS, 32)
    err, bus = runtime.cudaDeviceGetPCIBusId(64, 0)
    assert err is SUCCESS
    assert runtime.cudaDeviceGetByPCIBusId(bus) == (SUCCESS, 0)


@pytest.mark.shows("cudaGetDeviceProperties")
def test_properties() -> None:
    err, properties = runtime.cudaGetDeviceProperties(0)
    if is_refused(err):
        pytest.skip("libcudart has another major version than the headers, and cudaGetDeviceProperties is refused")
    assert err is SUCCESS
    assert properties.warpSize == 32
    assert properties.name.rstrip(b"\0").decode().isprintable()


@pytest.mark.shows("cudaMalloc", "cudaFree", "cudaMemGetInfo")
def test_memory() -> None:
    data, back = np.arange(64, dtype=np.uint8), np.zeros(64, np.uint8)
    err, memory = runtime.cudaMalloc(64)
    assert err is SUCCESS
    kind = runtime.cudaMemcpyKind
    assert runtime.cudaMemcpy(memory, data, 64, kind.cudaMemcpyHostToDevice) == (SUCCESS,)
    assert runtime.cudaMemcpy(back, memory, 64, kind.cudaMemcpyDeviceToHost) == (SUCCESS,)
    assert (back == data).all()
    assert runtime.cudaMemset(memory, 3, 64) == (SUCCESS,)
    assert runtime.cudaMemcpy(back, memory, 64, kind.cudaMemcpyDefault) == (SUCCESS,)
    assert (back == 3).all()
    err, attributes = runtime.cudaPointerGetAttributes(memory)
    assert err is SUCCESS
    assert attributes.type is runtime.cudaMemoryType.cudaMemoryTypeDevice
    assert attributes.devicePointer == memory
    err, free, total = runtime.cudaMemGetInfo()
    assert err is SUCCESS
    assert 0 < free <= total
    assert runtime.cudaFree(memory) == (SUCCESS,)
    err, pitched = runtime.cudaMalloc3D(extent(100, 2, 2))
    assert err is SUCCESS
    assert pitched.pitch >= 100
    assert runtime.cudaMemset3D(pitched, 1, extent(100, 2, 2)) == (SUCCESS,)
    assert runtime.cudaFree(pitched.ptr) == (SUCCESS,)


@pytest.mark.shows("cudaMallocHost", "cudaFreeHost", "cudaHostRegister", "cudaHostUnregister")
def test_host_memory_is_page_locked() -> None:
    def kind_of(address: int) -> runtime.cudaMemoryType:
        err, attributes = runtime.cudaPointerGetAttributes(address)
        assert err is SUCCESS
        return attributes.type

    err, host = runtime.cudaMallocHost(64)
    assert err is SUCCESS
    ctypes.memset(host, 1, 64)
    assert kind_of(host) is runtime.cudaMemoryType.cudaMemoryTypeHost
    assert runtime.cudaFreeHost(host) == (SUCCESS,)
    pages = np.zeros(3 * 4096, np.uint8)
    address = (pages.ctypes.data + 4095) // 4096 * 4096
    assert kind_of(address) is runtime.cudaMemoryType.cudaMemoryTypeUnregistered
    assert runtime.cudaHostRegister(address, 4096, runtime.cudaHostRegisterDefault) == (SUCCESS,)
    assert kind_of(address) is runtime.cudaMemoryType.cudaMemoryTypeHost
    assert runtime.cudaHostUnregister(address) == (SUCCESS,)
    assert kind_of(address) is runtime.cudaMemoryType.cudaMemoryTypeUnregistered


@pytest.mark.shows(
    "cudaStreamCreateWithFlags",
    "cudaStreamDestroy",
    "cudaStreamWaitEvent",
    "cudaEventCreateWithFlags",
    "cudaEventRecord",
    "cudaEventDestroy",
    "cudaMallocManaged",
    "cudaDeviceSynchronize",
)
def test_streams_wait_for_each_other_and_the_device_for_all() -> None:
    streams = []
    for _ in range(2):
        err, stream = runtime.cudaStreamCreateWithFlags(runtime.cudaStreamNonBlocking)
        assert err is SUCCESS
        streams.append(stream)
    err, event = runtime.cudaEventCreateWithFlags(runtime.cudaEventDisableTiming)
    assert err is SUCCESS
    err, memory = runtime.cudaMallocManaged(64, runtime.cudaMemAttachGlobal)
    assert err is SUCCESS
    assert runtime.cudaLaunchHostFunc(streams[0], time.sleep, 0.03) == (SUCCESS,)
    assert runtime.cudaMemsetAsync(memory, 3, 64, streams[0]) == (SUCCESS,)
    assert runtime.cudaEventRecord(event, streams[0]) == (SUCCESS,)
    assert runtime.cudaStreamWaitEvent(streams[1], event, 0) == (SUCCESS,)
    assert runtime.cudaMemsetAsync(memory, 4, 32, streams[1]) == (SUCCESS,)
    assert runtime.cudaDeviceSynchronize() == (SUCCESS,)
    assert ctypes.string_at(memory, 64) == bytes([4] * 32 + [3] * 32)
    assert runtime.cudaFree(memory) == (SUCCESS,)
    assert runtime.cudaEventDestroy(event) == (SUCCESS,)
    for stream in streams:
        assert runtime.cudaStreamDestroy(stream) == (SUCCESS,)


def extent(width: int, height: int, depth: int) -> runtime.cudaExtent:
    made = runtime.cudaExtent()
    made.width, made.height, made.depth = width, height, depth
    return made


def test_streams_and_events() -> None:
    err, stream = runtime.cudaStreamCreateWithFlags(runtime.cudaStreamNonBlocking)
    assert err is SUCCESS
    assert isinstance(stream, driver.CUstream)
    err, begin = runtime.cudaEventCreate()
    assert err is SUCCESS
    err, end = runtime.cudaEventCreateWithFlags(runtime.cudaEventDefault)
    assert err is SUCCESS
    heard: list[object] = []
    assert runtime.cudaEventRecord(begin, stream) == (SUCCESS,)
    assert runtime.cudaLaunchHostFunc(stream, heard.append, 5) == (SUCCESS,)
    assert runtime.cudaStreamAddCallback(stream, lambda *given: heard.append(given), "data", 0) == (SUCCESS,)
    assert runtime.cudaEventRecord(end, stream) == (SUCCESS,)
    assert runtime.cudaStreamSynchronize(stream) == (SUCCESS,)
    assert heard == [5, (stream, SUCCESS, "data")]
    err, milliseconds = runtime.cudaEventElapsedTime(begin, end)
    assert err is SUCCESS
    assert milliseconds >= 0
    assert runtime.cudaEventQuery(end) == (SUCCESS,)
    for event in (begin, end):
        assert runtime.cudaEventDestroy(event) == (SUCCESS,)
    assert runtime.cudaStreamDestroy(stream) == (SUCCESS,)


@pytest.mark.shows("cudaMemsetAsync", "cudaMemcpyAsync", "cudaStreamSynchronize")
def test_memory_in_stream_order() -> None:
    err, stream = runtime.cudaStreamCreate()
    assert err is SUCCESS
    err, memory = runtime.cudaMallocAsync(256, stream)
    assert err is SUCCESS
    assert runtime.cudaMemsetAsync(memory, 4, 256, stream) == (SUCCESS,)
    back = np.zeros(256, np.uint8)
    kind = runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost
    assert runtime.cudaMemcpyAsync(back, memory, 256, kind, stream) == (SUCCESS,)
    assert runtime.cudaFreeAsync(memory, stream) == (SUCCESS,)
    assert runtime.cudaStreamSynchronize(stream) == (SUCCESS,)
    assert (back == 4).all()
    assert runtime.cudaStreamDestroy(stream) == (SUCCESS,)


@pytest.mark.shows("cudaStreamBeginCapture", "cudaStreamEndCapture")
def test_graphs() -> None:
    err, stream = runtime.cudaStreamCreate()
    assert err is SUCCESS
    err, memory = runtime.cudaMalloc(16)
    assert err is SUCCESS
    mode = runtime.cudaStreamCaptureMode.cudaStreamCaptureModeThreadLocal
    assert runtime.cudaStreamBeginCapture(stream, mode) == (SUCCESS,)
    assert runtime.cudaMemsetAsync(memory, 6, 16, stream) == (SUCCESS,)
    err, status, _, captured, last, _, last_count = runtime.cudaStreamGetCaptureInfo(stream)
    refused = is_refused(err)
    assert refused or status is runtime.cudaStreamCaptureStatus.cudaStreamCaptureStatusActive
    err, graph = runtime.cudaStreamEndCapture(stream)
    assert err is SUCCESS
    err, none, count = runtime.cudaGraphGetNodes(graph)
    assert (err, none, count) == (SUCCESS, [], 1)
    err, nodes, count = runtime.cudaGraphGetNodes(graph, count)
    assert (err, count) == (SUCCESS, 1)
    assert refused or (captured, last, last_count) == (graph, nodes, 1)
    err, executable = runtime.cudaGraphInstantiate(graph, 0)
    assert err is SUCCESS
    assert runtime.cudaGraphLaunch(executable, stream) == (SUCCESS,)
    back = np.zeros(16, np.uint8)
    kind = runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost
    assert runtime.cudaStreamSynchronize(stream) == (SUCCESS,)
    assert runtime.cudaMemcpy(back, memory, 16, kind) == (SUCCESS,)
    assert (back == 6).all()
    assert runtime.cudaGraphExecDestroy(executable) == (SUCCESS,)
    assert runtime.cudaGraphDestroy(graph) == (SUCCESS,)
    assert runtime.cudaFree(memory) == (SUCCESS,)
    assert runtime.cudaStreamDestroy(stream) == (SUCCESS,)


def test_a_kernel_of_a_library_is_launched() -> None:
    from bindings_support import PTX

    err, library = runtime.cudaLibraryLoadData(PTX, None, None, 0, None, None, 0)
    assert err is SUCCESS
    err, kernel = runtime.cudaLibraryGetKernel(library, "structure")
    assert err is SUCCESS
    err, memory = runtime.cudaMalloc(12)
    assert err is SUCCESS
    one = runtime.dim3()
    one.x = one.y = one.z = 1
    three = runtime.uint3()
    three.x, three.y, three.z = 7, 8, 9
    assert runtime.cudaLaunchKernel(int(kernel), one, one, [np.uint64(memory), three], 0, None) == (SUCCESS,)
    back = np.zeros(3, np.uint32)
    kind = runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost
    assert runtime.cudaMemcpy(back, memory, 12, kind) == (SUCCESS,)
    assert back.tolist() == [7, 8, 9]
    assert runtime.cudaFree(memory) == (SUCCESS,)
    assert runtime.cudaLibraryUnload(library) == (SUCCESS,)
