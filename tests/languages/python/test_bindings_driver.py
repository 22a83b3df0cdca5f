"""What the driver's functions that programs use most do, called from Python: on the simulator and on a GPU."""

from __future__ import annotations

import ctypes
import time
from typing import Any

import numpy as np
import pytest
from bindings_support import PTX
from cuprum.bindings import driver

SUCCESS = driver.CUresult.CUDA_SUCCESS
#: What the kernel "structure" takes and writes.
THREE = np.array([(7, 8, 9)], np.dtype([("x", "u4"), ("y", "u4"), ("z", "u4")]))[0]
untyped: Any = driver


def to_device(memory: driver.CUdeviceptr | int, data: np.ndarray) -> None:
    assert driver.cuMemcpyHtoD(memory, data, data.nbytes) == (SUCCESS,)


def from_device(memory: driver.CUdeviceptr | int, count: int, dtype: str = "u1") -> list[int]:
    data = np.zeros(count, dtype)
    assert driver.cuMemcpyDtoH(data, memory, data.nbytes) == (SUCCESS,)
    return list(data.tolist())


@pytest.mark.shows("cuDriverGetVersion", "cuDeviceGetName", "cuDeviceGetAttribute", "cuDeviceGet", "cuDeviceGetCount")
def test_the_driver_and_its_devices(cu_device: driver.CUdevice) -> None:
    err, version = driver.cuDriverGetVersion()
    assert err is SUCCESS
    assert version >= 12000
    err, count = driver.cuDeviceGetCount()
    assert err is SUCCESS
    assert driver.cuDeviceGet(count - 1) == (SUCCESS, driver.CUdevice(count - 1))
    assert driver.cuDeviceGet(count)[0] == driver.CUresult.CUDA_ERROR_INVALID_DEVICE
    err, name = driver.cuDeviceGetName(256, cu_device)
    assert err is SUCCESS
    assert name.decode().isprintable()
    err, total = driver.cuDeviceTotalMem(cu_device)
    assert err is SUCCESS
    assert total >= 16 << 20
    attribute = driver.CUdevice_attribute
    err, major = driver.cuDeviceGetAttribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, cu_device)
    assert (err, major >= 7) == (SUCCESS, True)
    assert driver.cuDeviceGetAttribute(attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE, cu_device) == (SUCCESS, 32)


@pytest.mark.shows("cuGetErrorString")
def test_errors_have_names_and_texts() -> None:
    assert driver.cuGetErrorName(driver.CUresult.CUDA_ERROR_NOT_READY) == (SUCCESS, b"CUDA_ERROR_NOT_READY")
    err, text = driver.cuGetErrorString(driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY)
    assert (err, text) == (SUCCESS, b"out of memory")
    nobody: tuple[object, ...] = driver.cuGetErrorName(99999)
    assert nobody == (driver.CUresult.CUDA_ERROR_INVALID_VALUE, None)


def test_entry_points_can_be_looked_up(cu_device: driver.CUdevice) -> None:
    err, address, found = driver.cuGetProcAddress("cuDeviceGetCount", 12000, 0)
    assert (err, found) == (SUCCESS, driver.CUdriverProcAddressQueryResult.CU_GET_PROC_ADDRESS_SUCCESS)
    count = ctypes.c_int()
    assert ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(address)(ctypes.addressof(count)) == 0
    assert count.value == driver.cuDeviceGetCount()[1]


@pytest.mark.shows("cuInit", "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease")
def test_primary_contexts(cu_device: driver.CUdevice) -> None:
    assert driver.cuInit(1) == (driver.CUresult.CUDA_ERROR_INVALID_VALUE,)
    assert driver.cuInit(0) == (SUCCESS,)
    err, _, before = driver.cuDevicePrimaryCtxGetState(cu_device)
    assert err is SUCCESS
    err, context = driver.cuDevicePrimaryCtxRetain(cu_device)
    assert err is SUCCESS
    err, flags, active = driver.cuDevicePrimaryCtxGetState(cu_device)
    assert (err, active) == (SUCCESS, 1)
    assert isinstance(flags, int)
    assert driver.cuDevicePrimaryCtxRetain(cu_device) == (SUCCESS, context)
    assert driver.cuDevicePrimaryCtxRelease(cu_device) == (SUCCESS,)
    assert driver.cuDevicePrimaryCtxGetState(cu_device)[2] == 1
    assert driver.cuDevicePrimaryCtxRelease(cu_device) == (SUCCESS,)
    assert driver.cuDevicePrimaryCtxGetState(cu_device)[2] == before  # others of this process may keep it


@pytest.mark.shows(
    "cuCtxCreate",
    "cuCtxDestroy",
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuCtxPushCurrent",
    "cuCtxPopCurrent",
    "cuCtxGetDevice",
)
def test_the_current_context(cu_device: driver.CUdevice) -> None:
    err, context = untyped.cuCtxCreate(0, cu_device)  # as before CUDA 13
    assert err is SUCCESS
    assert driver.cuCtxGetCurrent() == (SUCCESS, context)
    assert driver.cuCtxGetDevice() == (SUCCESS, cu_device)
    assert driver.cuCtxPopCurrent() == (SUCCESS, context)
    assert driver.cuCtxGetCurrent() == (SUCCESS, driver.CUcontext(0))
    assert driver.cuCtxPushCurrent(context) == (SUCCESS,)
    assert driver.cuCtxSetCurrent(None) == (SUCCESS,)
    assert driver.cuCtxGetCurrent() == (SUCCESS, driver.CUcontext(0))
    assert driver.cuCtxSetCurrent(context) == (SUCCESS,)
    assert driver.cuCtxGetCurrent() == (SUCCESS, context)
    err, least, greatest = driver.cuCtxGetStreamPriorityRange()
    assert err is SUCCESS
    assert greatest <= least
    err, api = driver.cuCtxGetApiVersion(context)
    assert err is SUCCESS
    assert api >= 3020
    assert driver.cuCtxSynchronize() == (SUCCESS,)
    assert driver.cuCtxDestroy(context) == (SUCCESS,)
    assert driver.cuCtxGetCurrent() == (SUCCESS, driver.CUcontext(0))


@pytest.mark.shows("cuMemAlloc", "cuMemFree", "cuMemGetInfo")
def test_memory_is_allocated_and_freed(cu_context: driver.CUcontext) -> None:
    err, memory = driver.cuMemAlloc(1000)
    assert err is SUCCESS
    assert driver.cuMemGetAddressRange(int(memory) + 10) == (SUCCESS, memory, 1000)
    err, free, total = driver.cuMemGetInfo()
    assert err is SUCCESS
    assert 0 < free < total
    assert driver.cuMemFree(memory) == (SUCCESS,)
    assert driver.cuMemFree(memory) == (driver.CUresult.CUDA_ERROR_INVALID_VALUE,)
    err, memory, pitch = driver.cuMemAllocPitch(100, 3, 4)
    assert err is SUCCESS
    assert pitch >= 100
    assert driver.cuMemFree(memory) == (SUCCESS,)
    too_much: tuple[object, ...] = driver.cuMemAlloc(2**60)
    assert too_much == (driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY, None)


@pytest.mark.shows("cuMemcpyHtoD", "cuMemcpyDtoH", "cuMemcpyDtoD", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync")
def test_copies(cu_memory: driver.CUdeviceptr, cu_stream: driver.CUstream) -> None:
    data = np.arange(64, dtype=np.uint8)
    second, third = int(cu_memory) + 1024, int(cu_memory) + 2048
    to_device(cu_memory, data)
    assert driver.cuMemcpyDtoD(second, cu_memory, 64) == (SUCCESS,)
    assert driver.cuMemcpy(third, second, 64) == (SUCCESS,)
    assert from_device(third, 64) == data.tolist()
    reverse = np.ascontiguousarray(data[::-1])
    assert driver.cuMemcpyHtoDAsync(cu_memory, reverse, 64, cu_stream) == (SUCCESS,)
    assert driver.cuMemcpyDtoDAsync(second, cu_memory, 64, cu_stream) == (SUCCESS,)
    assert driver.cuMemcpyAsync(third, second, 64, cu_stream) == (SUCCESS,)
    back = np.zeros(64, np.uint8)
    assert driver.cuMemcpyDtoHAsync(back, third, 64, cu_stream) == (SUCCESS,)
    assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)
    assert (back == reverse).all()


def test_rectangles_are_copied(cu_memory: driver.CUdeviceptr) -> None:
    data = np.arange(64, dtype=np.uint8).reshape(8, 8)
    copy = driver.CUDA_MEMCPY2D()
    copy.srcMemoryType = driver.CUmemorytype.CU_MEMORYTYPE_HOST
    copy.srcHost, copy.srcPitch, copy.srcXInBytes, copy.srcY = data, 8, 2, 1
    copy.dstMemoryType = driver.CUmemorytype.CU_MEMORYTYPE_DEVICE
    copy.dstDevice, copy.dstPitch = cu_memory, 16
    copy.WidthInBytes, copy.Height = 3, 2
    assert driver.cuMemsetD8(cu_memory, 255, 32) == (SUCCESS,)
    assert driver.cuMemcpy2D(copy) == (SUCCESS,)
    assert from_device(cu_memory, 20) == [10, 11, 12] + [255] * 13 + [18, 19, 20, 255]


@pytest.mark.shows("cuMemsetD8")
def test_memory_is_filled(cu_memory: driver.CUdeviceptr, cu_stream: driver.CUstream) -> None:
    assert driver.cuMemsetD8(cu_memory, 7, 4) == (SUCCESS,)
    assert driver.cuMemsetD16(int(cu_memory) + 4, 0x0102, 2) == (SUCCESS,)
    assert driver.cuMemsetD32(int(cu_memory) + 8, 0xFFFFFFFF, 1) == (SUCCESS,)
    assert driver.cuMemsetD32Async(int(cu_memory) + 12, 1, 1, cu_stream) == (SUCCESS,)
    assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)
    assert from_device(cu_memory, 16) == [7] * 4 + [2, 1] * 2 + [255] * 4 + [1, 0, 0, 0]


@pytest.mark.shows("cuMemAllocHost", "cuMemFreeHost", "cuMemHostAlloc", "cuMemHostGetDevicePointer", "cuCtxSynchronize")
def test_pinned_memory(cu_context: driver.CUcontext, cu_memory: driver.CUdeviceptr) -> None:
    err, address = driver.cuMemAllocHost(64)
    assert err is SUCCESS
    ctypes.memset(address, 9, 64)
    assert driver.cuMemcpyHtoD(cu_memory, address, 64) == (SUCCESS,)
    assert from_device(cu_memory, 2) == [9, 9]
    assert driver.cuMemFreeHost(address) == (SUCCESS,)
    err, address = driver.cuMemHostAlloc(64, driver.CU_MEMHOSTALLOC_DEVICEMAP)
    assert err is SUCCESS
    err, device_address = driver.cuMemHostGetDevicePointer(address, 0)
    assert err is SUCCESS
    assert driver.cuMemsetD8(device_address, 5, 64) == (SUCCESS,)
    assert driver.cuCtxSynchronize() == (SUCCESS,)
    assert ctypes.string_at(address, 64) == bytes([5] * 64)
    assert driver.cuMemFreeHost(address) == (SUCCESS,)


@pytest.mark.shows("cuMemHostRegister", "cuMemHostUnregister")
def test_host_memory_is_registered(cu_context: driver.CUcontext) -> None:
    pages = np.zeros(3 * 4096, np.uint8)
    address = (pages.ctypes.data + 4095) // 4096 * 4096
    assert driver.cuMemHostRegister(address, 4096, 0) == (SUCCESS,)
    again = driver.CUresult.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
    assert driver.cuMemHostRegister(address, 4096, 0) == (again,)
    assert driver.cuMemHostUnregister(address) == (SUCCESS,)
    assert driver.cuMemHostUnregister(address) == (driver.CUresult.CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,)


@pytest.mark.shows("cuMemAllocManaged", "cuPointerGetAttribute")
def test_managed_memory(cu_context: driver.CUcontext) -> None:
    err, memory = driver.cuMemAllocManaged(4096, driver.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL)
    assert err is SUCCESS
    ctypes.memset(int(memory), 3, 4096)
    assert from_device(memory, 2) == [3, 3]
    is_managed = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_MANAGED
    assert driver.cuPointerGetAttribute(is_managed, memory) == (SUCCESS, 1)
    assert driver.cuMemFree(memory) == (SUCCESS,)


@pytest.mark.shows("cuMemAllocAsync", "cuMemFreeAsync", "cuMemsetD8Async")
def test_memory_in_stream_order(cu_stream: driver.CUstream) -> None:
    err, memory = driver.cuMemAllocAsync(256, cu_stream)
    assert err is SUCCESS
    back = np.zeros(256, np.uint8)
    assert driver.cuMemsetD8Async(memory, 8, 256, cu_stream) == (SUCCESS,)
    assert driver.cuMemcpyDtoHAsync(back, memory, 256, cu_stream) == (SUCCESS,)
    assert driver.cuMemFreeAsync(memory, cu_stream) == (SUCCESS,)
    assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)
    assert (back == 8).all()


def test_memory_pools(cu_context: driver.CUcontext, cu_device: driver.CUdevice) -> None:
    err, pool = driver.cuDeviceGetDefaultMemPool(cu_device)
    assert err is SUCCESS
    threshold = driver.CUmemPool_attribute.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
    err, before = driver.cuMemPoolGetAttribute(pool, threshold)
    assert err is SUCCESS
    assert driver.cuMemPoolSetAttribute(pool, threshold, driver.cuuint64_t(1 << 33)) == (SUCCESS,)
    assert driver.cuMemPoolGetAttribute(pool, threshold) == (SUCCESS, driver.cuuint64_t(1 << 33))
    assert driver.cuMemPoolSetAttribute(pool, threshold, int(before)) == (SUCCESS,)
    assert driver.cuMemPoolTrimTo(pool, 0) == (SUCCESS,)


@pytest.mark.shows("cuModuleLoadData", "cuModuleUnload", "cuModuleGetGlobal")
def test_modules(cu_context: driver.CUcontext) -> None:
    err, module = driver.cuModuleLoadData(PTX)
    assert err is SUCCESS
    err, address, size = driver.cuModuleGetGlobal(module, b"counter")
    assert (err, size) == (SUCCESS, 4)
    assert from_device(address, 1, "u4") == [7]
    nobody: tuple[object, ...] = driver.cuModuleGetFunction(module, b"nobody")
    assert nobody == (driver.CUresult.CUDA_ERROR_NOT_FOUND, None)
    assert driver.cuModuleUnload(module) == (SUCCESS,)


@pytest.mark.shows("cuModuleLoadDataEx")
def test_a_module_is_loaded_with_options(cu_context: driver.CUcontext) -> None:
    log = bytearray(4096)
    options = [
        driver.CUjit_option.CU_JIT_ERROR_LOG_BUFFER,
        driver.CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        driver.CUjit_option.CU_JIT_MAX_REGISTERS,
    ]
    values = [log, len(log), 32]
    err, module = driver.cuModuleLoadDataEx(PTX, 3, options, values)
    assert err is SUCCESS
    assert driver.cuModuleUnload(module) == (SUCCESS,)
    assert driver.cuModuleLoadDataEx(b"nonsense", 3, options, values)[0] != SUCCESS
    assert log[0] != 0  # what the compiler says
    err, module = driver.cuModuleLoadDataEx(PTX, 0, None, None)
    assert err is SUCCESS
    assert driver.cuModuleUnload(module) == (SUCCESS,)


@pytest.mark.shows("cuLibraryLoadData", "cuLibraryGetKernel", "cuLibraryUnload")
def test_libraries_and_kernels(cu_memory: driver.CUdeviceptr) -> None:
    err, library = driver.cuLibraryLoadData(PTX, None, None, 0, None, None, 0)
    assert err is SUCCESS
    err, kernel = driver.cuLibraryGetKernel(library, "structure")
    assert err is SUCCESS
    err, function = driver.cuKernelGetFunction(kernel)
    assert err is SUCCESS
    assert driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, [cu_memory, THREE], 0) == (SUCCESS,)
    assert from_device(cu_memory, 3, "u4") == [7, 8, 9]
    assert driver.cuLibraryUnload(library) == (SUCCESS,)


@pytest.mark.shows("cuFuncGetAttribute")
def test_what_a_function_says_of_itself(cu_module: driver.CUmodule) -> None:
    err, function = driver.cuModuleGetFunction(cu_module, "arguments")
    assert err is SUCCESS
    attribute = driver.CUfunction_attribute
    err, threads = driver.cuFuncGetAttribute(attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function)
    assert (err, threads >= 256) == (SUCCESS, True)
    dynamic = attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    assert driver.cuFuncSetAttribute(function, dynamic, 32768) == (SUCCESS,)
    assert driver.cuFuncGetAttribute(dynamic, function) == (SUCCESS, 32768)
    assert driver.cuFuncGetParamInfo(function, 2) == (SUCCESS, 10, 2)
    assert driver.cuFuncGetName(function) == (SUCCESS, b"arguments")


@pytest.mark.shows("cuOccupancyMaxActiveBlocksPerMultiprocessor")
def test_occupancy(cu_module: driver.CUmodule) -> None:
    err, function = driver.cuModuleGetFunction(cu_module, "saxpy")
    assert err is SUCCESS
    err, blocks = driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(function, 128, 0)
    assert (err, blocks >= 1) == (SUCCESS, True)
    err, grid, block = driver.cuOccupancyMaxPotentialBlockSize(function, None, 0, 0)
    assert err is SUCCESS
    assert grid >= 1
    assert block % 32 == 0


def test_streams(cu_context: driver.CUcontext) -> None:
    flags = driver.CUstream_flags.CU_STREAM_NON_BLOCKING
    err, least, greatest = driver.cuCtxGetStreamPriorityRange()
    assert err is SUCCESS
    err, stream = driver.cuStreamCreateWithPriority(flags, greatest)
    assert err is SUCCESS
    assert driver.cuStreamGetPriority(stream) == (SUCCESS, greatest)
    assert driver.cuStreamGetFlags(stream) == (SUCCESS, int(flags))
    assert driver.cuStreamSynchronize(stream) == (SUCCESS,)
    assert driver.cuStreamQuery(stream) == (SUCCESS,)
    assert driver.cuStreamDestroy(stream) == (SUCCESS,)
    assert isinstance(least, int)


@pytest.mark.shows(
    "cuEventCreate", "cuEventDestroy", "cuEventRecord", "cuEventQuery", "cuEventSynchronize", "cuEventElapsedTime"
)
def test_events(cu_stream: driver.CUstream) -> None:
    err, begin = driver.cuEventCreate(driver.CUevent_flags.CU_EVENT_DEFAULT)
    assert err is SUCCESS
    err, end = driver.cuEventCreate(0)
    assert err is SUCCESS
    assert driver.cuEventRecord(begin, cu_stream) == (SUCCESS,)
    assert driver.cuLaunchHostFunc(cu_stream, time.sleep, 0.02) == (SUCCESS,)
    assert driver.cuEventRecord(end, cu_stream) == (SUCCESS,)
    assert driver.cuEventSynchronize(end) == (SUCCESS,)
    assert driver.cuEventQuery(end) == (SUCCESS,)
    err, milliseconds = driver.cuEventElapsedTime(begin, end)
    assert err is SUCCESS
    assert 10 < milliseconds < 60_000
    assert driver.cuStreamWaitEvent(cu_stream, end, 0) == (SUCCESS,)
    assert driver.cuEventDestroy(begin) == (SUCCESS,)
    assert driver.cuEventDestroy(end) == (SUCCESS,)


@pytest.mark.shows("cuStreamCreate", "cuStreamDestroy", "cuStreamSynchronize", "cuStreamWaitEvent")
def test_a_stream_waits_for_another(cu_stream: driver.CUstream) -> None:
    err, other = driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
    assert err is SUCCESS
    err, event = driver.cuEventCreate(driver.CUevent_flags.CU_EVENT_DISABLE_TIMING)
    assert err is SUCCESS
    heard: list[int] = []

    def late(number: int) -> None:
        time.sleep(0.03)
        heard.append(number)

    assert driver.cuLaunchHostFunc(cu_stream, late, 1) == (SUCCESS,)
    assert driver.cuEventRecord(event, cu_stream) == (SUCCESS,)
    assert driver.cuStreamWaitEvent(other, event, 0) == (SUCCESS,)
    assert driver.cuLaunchHostFunc(other, heard.append, 2) == (SUCCESS,)
    assert driver.cuStreamSynchronize(other) == (SUCCESS,)
    assert heard == [1, 2]
    assert driver.cuEventDestroy(event) == (SUCCESS,)
    assert driver.cuStreamDestroy(other) == (SUCCESS,)


@pytest.mark.shows("cuLaunchCooperativeKernel")
def test_cooperative_launches(cu_module: driver.CUmodule, cu_memory: driver.CUdeviceptr) -> None:
    err, function = driver.cuModuleGetFunction(cu_module, "structure")
    assert err is SUCCESS
    assert driver.cuLaunchCooperativeKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, [cu_memory, THREE]) == (SUCCESS,)
    assert from_device(cu_memory, 3, "u4") == [7, 8, 9]


@pytest.mark.shows("cuLinkCreate", "cuLinkAddData", "cuLinkComplete", "cuLinkDestroy")
def test_linked_code_is_loaded(cu_context: driver.CUcontext) -> None:
    err, link = driver.cuLinkCreate(0, None, None)
    assert err is SUCCESS
    kind = driver.CUjitInputType.CU_JIT_INPUT_PTX
    assert driver.cuLinkAddData(link, kind, PTX + b"\0", len(PTX) + 1, "test.ptx", 0, None, None) == (SUCCESS,)
    err, code, size = driver.cuLinkComplete(link)
    assert err is SUCCESS
    assert size > 0
    err, module = driver.cuModuleLoadData(code)
    assert err is SUCCESS
    assert driver.cuLinkDestroy(link) == (SUCCESS,)  # the code goes with it, what was loaded stays
    err, address, size = driver.cuModuleGetGlobal(module, "counter")
    assert (err, size) == (SUCCESS, 4)
    assert from_device(address, 1, "u4") == [7]
    assert driver.cuModuleUnload(module) == (SUCCESS,)


@pytest.mark.shows(
    "cuStreamBeginCapture",
    "cuStreamEndCapture",
    "cuGraphInstantiate",
    "cuGraphLaunch",
    "cuGraphExecDestroy",
    "cuGraphDestroy",
)
def test_what_a_stream_captures_is_done_each_time_its_graph_is_launched(
    cu_stream: driver.CUstream, cu_memory: driver.CUdeviceptr
) -> None:
    assert driver.cuMemsetD32(cu_memory, 1, 4) == (SUCCESS,)
    mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
    assert driver.cuStreamBeginCapture(cu_stream, mode) == (SUCCESS,)
    assert driver.cuMemsetD32Async(cu_memory, 7, 2, cu_stream) == (SUCCESS,)
    err, graph = driver.cuStreamEndCapture(cu_stream)
    assert err is SUCCESS
    err, nodes, count = driver.cuGraphGetNodes(graph, 1)
    assert (err, count) == (SUCCESS, 1)
    memset = driver.CUgraphNodeType.CU_GRAPH_NODE_TYPE_MEMSET
    assert driver.cuGraphNodeGetType(nodes[0]) == (SUCCESS, memset)
    err, executable = driver.cuGraphInstantiate(graph, 0)
    assert err is SUCCESS
    assert driver.cuGraphDestroy(graph) == (SUCCESS,)  # what was made of it stays
    assert from_device(cu_memory, 4, "u4") == [1, 1, 1, 1]  # capturing does nothing yet
    for _ in range(2):
        assert driver.cuMemsetD32Async(cu_memory, 1, 4, cu_stream) == (SUCCESS,)
        assert driver.cuGraphLaunch(executable, cu_stream) == (SUCCESS,)
        assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)
        assert from_device(cu_memory, 4, "u4") == [7, 7, 1, 1]
    assert driver.cuGraphExecDestroy(executable) == (SUCCESS,)


def test_graphs_are_made_node_by_node(cu_stream: driver.CUstream, cu_memory: driver.CUdeviceptr) -> None:
    err, graph = driver.cuGraphCreate(0)
    assert err is SUCCESS
    err, context = driver.cuCtxGetCurrent()
    assert err is SUCCESS
    fill = driver.CUDA_MEMSET_NODE_PARAMS()
    fill.dst, fill.elementSize, fill.width, fill.height = cu_memory, 4, 4, 1
    fill.value = 5
    err, first = driver.cuGraphAddMemsetNode(graph, None, 0, fill, context)
    assert err is SUCCESS
    fill.value, fill.width = 6, 2
    err, second = driver.cuGraphAddMemsetNode(graph, [first], 1, fill, context)
    assert err is SUCCESS
    heard: list[int] = []
    host = driver.CUDA_HOST_NODE_PARAMS()
    callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: heard.append(1))
    host.fn = driver.CUhostFn(ctypes.cast(callback, ctypes.c_void_p).value or 0)
    err, last = driver.cuGraphAddHostNode(graph, [second], 1, host)
    assert err is SUCCESS
    err, roots, count = driver.cuGraphGetRootNodes(graph, 1)
    assert (err, roots, count) == (SUCCESS, [first], 1)
    err, following, *_ = driver.cuGraphNodeGetDependentNodes(second, 1)
    assert (err, following) == (SUCCESS, [last])
    err, executable = driver.cuGraphInstantiate(graph, 0)
    assert err is SUCCESS
    assert driver.cuGraphLaunch(executable, cu_stream) == (SUCCESS,)
    assert driver.cuStreamSynchronize(cu_stream) == (SUCCESS,)
    assert from_device(cu_memory, 4, "u4") == [6, 6, 5, 5]
    assert heard == [1]
    assert driver.cuGraphExecDestroy(executable) == (SUCCESS,)
    assert driver.cuGraphDestroy(graph) == (SUCCESS,)


def test_limits(cu_context: driver.CUcontext) -> None:
    stack = driver.CUlimit.CU_LIMIT_STACK_SIZE
    err, before = driver.cuCtxGetLimit(stack)
    assert err is SUCCESS
    assert before > 0


def test_profilers_are_switched_on_and_off(cu_context: driver.CUcontext) -> None:
    assert driver.cuProfilerStart() == (SUCCESS,)
    assert driver.cuProfilerStop() == (SUCCESS,)


def test_failures_stay_failures(cu_context: driver.CUcontext) -> None:
    assert driver.cuMemFree(0x1234) == (driver.CUresult.CUDA_ERROR_INVALID_VALUE,)
    # A status without a value that says more: there was no missing library.
    assert driver.last_error_message() == ""
