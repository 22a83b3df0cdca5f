"""How functions are called and what they return: the conventions of cuda.bindings, and C's order besides."""

from __future__ import annotations

import ctypes
import enum
import inspect
import json
import pathlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from conftest import RunPython
from cuprum.bindings import driver, nvrtc

SUCCESS = driver.CUresult.CUDA_SUCCESS

#: What type checkers would find wrong too, or does not know to be right.
untyped: Any = driver
untyped_nvrtc: Any = nvrtc


def test_a_call_returns_its_status_and_what_c_writes(cu_device: driver.CUdevice) -> None:
    err, count = driver.cuDeviceGetCount()
    assert err is SUCCESS
    assert count >= 1
    assert driver.cuInit(0) == (SUCCESS,)


def test_a_failed_call_returns_none_for_each_value(cu_device: driver.CUdevice) -> None:
    assert untyped.cuDeviceGet(-1) == (driver.CUresult.CUDA_ERROR_INVALID_DEVICE, None)
    with ThreadPoolExecutor(1) as fresh_thread:  # without a current context, whatever ran before in this one
        answer = fresh_thread.submit(untyped.cuMemGetInfo).result()
    assert answer == (driver.CUresult.CUDA_ERROR_INVALID_CONTEXT, None, None)


def test_statuses_are_enumerators() -> None:
    assert issubclass(driver.CUresult, enum.IntEnum)
    assert int(driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY) == 2
    assert nvrtc.nvrtcResult(6).name == "NVRTC_ERROR_COMPILATION"


def test_in_c_order_handles_are_filled_in(cu_device: driver.CUdevice) -> None:
    device = driver.CUdevice(99)
    assert driver.cuDeviceGet(device, 0) == (SUCCESS,)
    assert int(device) == int(cu_device)


@pytest.mark.parametrize("place", [ctypes.c_int(-1), np.array([-1], np.int32)])
def test_in_c_order_numbers_go_to_memory(cu_device: driver.CUdevice, place: ctypes.c_int | np.ndarray) -> None:
    assert driver.cuDeviceGetCount(place) == (SUCCESS,)
    assert (place.value if isinstance(place, ctypes.c_int) else place[0]) == driver.cuDeviceGetCount()[1]


def test_in_c_order_an_address_will_do(cu_device: driver.CUdevice) -> None:
    device = driver.CUdevice(99)
    assert driver.cuDeviceGet(device.getPtr(), 0) == (SUCCESS,)
    assert int(device) == int(cu_device)


def test_in_c_order_structures_are_filled_in(cu_device: driver.CUdevice) -> None:
    uuid = driver.CUuuid()
    assert driver.cuDeviceGetUuid(uuid, cu_device) == (SUCCESS,)
    err, returned = driver.cuDeviceGetUuid(cu_device)
    assert err is SUCCESS
    assert uuid.bytes == returned.bytes
    assert len(uuid.bytes) == 16


def test_null_for_an_output_never_reaches_the_driver(cu_device: driver.CUdevice) -> None:
    # A driver that takes NULL there and one that crashes on it look the same from here: the call succeeds.
    assert driver.cuDeviceGetCount(None) == (SUCCESS,)
    assert driver.cuDeviceGetCount(0) == (SUCCESS,)
    assert driver.cuDeviceGet(None, 0) == (SUCCESS,)


def test_arguments_may_be_given_by_name(cu_device: driver.CUdevice) -> None:
    assert driver.cuDeviceGet(ordinal=0) == (SUCCESS, cu_device)
    attribute = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE
    assert driver.cuDeviceGetAttribute(attribute, dev=cu_device) == (SUCCESS, 32)


def test_names_that_are_pythons_own_are_others() -> None:
    signature = inspect.signature(driver.cuDeviceGetName)
    assert list(signature.parameters) == ["length", "dev"]
    assert "from_" in inspect.signature(driver.cuGraphAddDependencies).parameters


def test_enumerators_and_numbers_both_do(cu_device: driver.CUdevice) -> None:
    attribute = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE
    assert driver.cuDeviceGetAttribute(int(attribute), 0) == driver.cuDeviceGetAttribute(attribute, cu_device)
    assert untyped.cuDeviceGetAttribute(np.int64(attribute), np.int8(0)) == (SUCCESS, 32)


def test_text_is_bytes_or_str(cu_device: driver.CUdevice) -> None:
    err, bus = driver.cuDeviceGetPCIBusId(100, cu_device)
    assert err is SUCCESS
    assert isinstance(bus, bytes)
    assert b"\0" not in bus
    assert driver.cuDeviceGetByPCIBusId(bus) == (SUCCESS, cu_device)
    assert driver.cuDeviceGetByPCIBusId(bus.decode()) == (SUCCESS, cu_device)
    assert driver.cuDeviceGetByPCIBusId(bytearray(bus)) == (SUCCESS, cu_device)


def test_text_that_c_gives_out_is_bytes() -> None:
    assert driver.cuGetErrorName(driver.CUresult.CUDA_ERROR_INVALID_VALUE) == (SUCCESS, b"CUDA_ERROR_INVALID_VALUE")
    assert nvrtc.nvrtcGetErrorString(nvrtc.nvrtcResult.NVRTC_ERROR_COMPILATION) == (0, b"NVRTC_ERROR_COMPILATION")


def test_memory_is_an_address_or_a_buffer(cu_memory: driver.CUdeviceptr) -> None:
    data = np.arange(16, dtype=np.uint8)
    for source in (
        data,
        data.ctypes.data,
        bytes(data),
        bytearray(data),
        memoryview(bytes(data)),
        (ctypes.c_ubyte * 16)(*data),
    ):
        assert driver.cuMemsetD8(cu_memory, 255, 16) == (SUCCESS,)
        assert driver.cuMemcpyHtoD(cu_memory, source, 16) == (SUCCESS,)
        back = np.zeros(16, np.uint8)
        assert driver.cuMemcpyDtoH(back, cu_memory, 16) == (SUCCESS,)
        assert (back == data).all()


def test_device_addresses_are_handles_numbers_or_arrays(cu_memory: driver.CUdeviceptr) -> None:
    class Array:
        __cuda_array_interface__ = {"data": (int(cu_memory), False), "shape": (4,), "typestr": "<f4", "version": 3}

    back = np.zeros(1, np.uint8)
    for number, place in enumerate((cu_memory, int(cu_memory), np.uint64(int(cu_memory)), Array())):
        assert untyped.cuMemsetD8(place, number, 1) == (SUCCESS,)
        assert untyped.cuMemcpyDtoH(back, place, 1) == (SUCCESS,)
        assert back[0] == number


def test_arrays_are_lists(cu_memory: driver.CUdeviceptr) -> None:
    attributes = [
        driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
        driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
    ]
    err, values = driver.cuPointerGetAttributes(2, attributes, cu_memory)
    assert err is SUCCESS
    assert [int(value) for value in values] == [int(cu_memory), driver.CUmemorytype.CU_MEMORYTYPE_DEVICE]


def test_the_attribute_says_what_type_a_value_has(cu_memory: driver.CUdeviceptr, cu_context: driver.CUcontext) -> None:
    attribute = driver.CUpointer_attribute
    err, start = driver.cuPointerGetAttribute(attribute.CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, int(cu_memory) + 8)
    assert (err, start) == (SUCCESS, cu_memory)
    assert driver.cuPointerGetAttribute(attribute.CU_POINTER_ATTRIBUTE_RANGE_SIZE, cu_memory) == (SUCCESS, 4096)
    assert driver.cuPointerGetAttribute(attribute.CU_POINTER_ATTRIBUTE_CONTEXT, cu_memory) == (SUCCESS, cu_context)
    size = ctypes.c_uint64()
    assert driver.cuPointerGetAttribute(size, attribute.CU_POINTER_ATTRIBUTE_RANGE_SIZE, cu_memory) == (SUCCESS,)
    assert size.value == 4096


def test_a_context_may_be_made_as_before_cuda_13(cu_device: driver.CUdevice) -> None:
    # CUDA 13 gave cuCtxCreate a parameter; programs that were written before that do not pass it.
    context = driver.CUcontext()
    assert driver.cuCtxCreate(context, 0, cu_device) == (SUCCESS,)
    assert driver.cuCtxGetCurrent() == (SUCCESS, context)
    assert driver.cuCtxDestroy(context) == (SUCCESS,)
    as_then = ((0, cu_device),)
    since = ((None, 0, cu_device),) if driver.CUDA_VERSION >= 13000 else ()
    for arguments in as_then + since:
        err, made = untyped.cuCtxCreate(*arguments)
        assert err is SUCCESS
        assert driver.cuCtxDestroy(made) == (SUCCESS,)


def test_help_shows_a_summary_and_the_headers_names() -> None:
    documentation = inspect.getdoc(driver.cuMemAlloc)
    assert documentation is not None
    assert documentation.startswith("Allocates device memory.")
    assert "CUresult cuMemAlloc(CUdeviceptr* dptr, size_t bytesize)" in documentation
    assert str(inspect.signature(driver.cuMemAlloc)) == "(bytesize)"
    assert driver.cuMemAlloc.__module__ == "cuprum.bindings.driver"


def test_classes_and_constants_come_when_asked_for() -> None:
    assert driver.CUDA_VERSION in (12090, 13000)
    assert driver.CUdeviceptr_v2 is driver.CUdeviceptr
    assert driver.CUdeviceptr.__module__ == "cuprum.bindings.driver"
    assert {"cuInit", "CUdevice", "CUresult", "CUDA_VERSION"} <= set(dir(driver))
    with pytest.raises(AttributeError, match=r"'cuprum.bindings.driver' has no attribute 'CUnothing'"):
        driver.CUnothing  # type: ignore[attr-defined]  # noqa: B018


def test_everything_can_be_imported_at_once() -> None:
    names: dict[str, object] = {}
    exec("from cuprum.bindings.nvrtc import *", names)
    assert {"nvrtcCreateProgram", "nvrtcProgram", "nvrtcResult"} <= set(names)


WRONG = [
    (lambda: untyped.cuMemAlloc("64"), TypeError, r"cuMemAlloc: bytesize takes an int, not str"),
    (lambda: untyped.cuMemAlloc(6.4), TypeError, r"cuMemAlloc: bytesize takes an int, not float"),
    (lambda: untyped.cuMemAlloc(-1), OverflowError, r"cuMemAlloc: bytesize takes a value .* 64 unsigned bits, not -1"),
    (lambda: untyped.cuInit(2**32), OverflowError, r"cuInit: Flags takes a value .* 32 unsigned bits, not 4294967296"),
    (lambda: untyped.cuDeviceGet(2**31), OverflowError, r"cuDeviceGet: ordinal .* 32 signed bits"),
    (lambda: untyped.cuMemAlloc(), TypeError, r"cuMemAlloc takes 1 argument \(bytesize\), or 2 in C's order \(dptr, "),
    (lambda: untyped.cuInit(0, 0), TypeError, r"cuInit takes 1 argument \(Flags\), not 2"),
    (lambda: untyped.cuMemAlloc(size=1), TypeError, r"cuMemAlloc has no parameter 'size'"),
    (lambda: untyped.cuMemAlloc(1, bytesize=1), TypeError, r"cuMemAlloc"),
    (lambda: untyped.cuMemcpyHtoD(0, b"", ByteCount=1, dstDevice=2), TypeError, r"dstDevice is given twice"),
    (lambda: untyped.cuMemcpyHtoD(0, ByteCount=1), TypeError, r"cuMemcpyHtoD: srcHost is missing"),
    (lambda: untyped.cuMemFree("0"), TypeError, r"cuMemFree: dptr takes a CUdeviceptr, an int or None, not str"),
    (lambda: untyped.cuMemFree(driver.CUstream()), TypeError, r"cuMemFree: dptr takes a CUdeviceptr, .* not CUstream"),
    (lambda: untyped.cuStreamSynchronize(driver.CUevent()), TypeError, r"hStream takes a CUstream, .* not CUevent"),
    (
        lambda: untyped.cuDeviceGet(driver.CUcontext(), 0),
        TypeError,
        r"device takes a CUdevice to fill in, not CUcontext",
    ),
    (lambda: untyped.cuMemcpyHtoD(0, 1.5, 4), TypeError, r"cuMemcpyHtoD: srcHost takes an address .* not float"),
    (
        lambda: untyped.cuDeviceGetAttribute(driver.CUresult.CUDA_SUCCESS, 0),
        TypeError,
        r"a CUdevice_attribute or an int",
    ),
    (lambda: untyped.cuModuleGetFunction(0, 3.5), TypeError, r"name takes text \(str, bytes or None\), not float"),
    (lambda: untyped.cuModuleGetFunction(0, "a\0b"), ValueError, r"cuModuleGetFunction: name .* without NUL"),
    (
        lambda: untyped.cuMemcpy2D(driver.CUDA_MEMCPY3D()),
        TypeError,
        r"pCopy takes a CUDA_MEMCPY2D, .* not CUDA_MEMCPY3D",
    ),
    (
        lambda: untyped.cuIpcOpenMemHandle(5, 0),
        TypeError,
        r"cuIpcOpenMemHandle: handle takes a CUipcMemHandle, not int",
    ),
    (
        lambda: untyped_nvrtc.nvrtcCreateProgram("", "", 0, "x", None),
        TypeError,
        r"headers takes a list of texts .* not str",
    ),
    (lambda: untyped_nvrtc.nvrtcCreateProgram("", "", 0, [1.5], None), TypeError, r"headers takes text .* not float"),
    (lambda: untyped.cuPointerGetAttributes(1, 3, 0), TypeError, r"attributes takes a list of attributes, not int"),
    (lambda: untyped.cuLaunchHostFunc(0, "f", 0), TypeError, r"cuLaunchHostFunc: fn takes a CUhostFn"),
    (
        lambda: untyped_nvrtc.nvrtcCompileProgram(0, 3, ["-a"]),
        TypeError,
        r"nvrtcCompileProgram: options takes at least 3 elements, as numOptions says, not 1",
    ),
    (
        lambda: untyped_nvrtc.nvrtcCreateProgram("", "", 2, ["a", "b"], ()),
        TypeError,
        r"includeNames .* least 2 .* not 0",
    ),
    (lambda: untyped.cuGraphAddEmptyNode(0, [0], 2), TypeError, r"dependencies takes at least 2 elements"),
    (
        lambda: untyped.cuModuleLoadDataEx(b"", 2, [driver.CUjit_option.CU_JIT_MAX_REGISTERS] * 2, [32]),
        TypeError,
        r"optionValues takes at least 2 elements, as numOptions says, not 1",
    ),
    (
        lambda: untyped.cuStreamBatchMemOp(0, 2, driver.CUstreamBatchMemOpParams(), 0),
        TypeError,
        r"paramArray takes at least 2 elements, as count says, not 1",
    ),
    (
        lambda: untyped_nvrtc.nvrtcGetPTX(0, None),
        TypeError,
        r"nvrtcGetPTX: ptx takes memory to write to \(char\*\), not",
    ),
    (lambda: untyped_nvrtc.nvrtcGetProgramLog(0, None), TypeError, r"nvrtcGetProgramLog: log takes memory"),
]


@pytest.mark.parametrize(("call", "error", "message"), WRONG)
def test_what_is_wrong_is_named(call: object, error: type[Exception], message: str) -> None:
    assert callable(call)
    with pytest.raises(error, match=message):
        call()


def test_calls_are_traced(run_python: RunPython, tmp_path: pathlib.Path) -> None:
    trace = tmp_path / "calls.json"
    run_python(
        "from cuprum.bindings import driver; driver.cuInit(0); driver.cuDeviceGetCount()",
        environment={"CUPRUM_TRACE": str(trace)},
    )
    names = [event.get("name") for event in json.loads(trace.read_text())]
    assert [name for name in names if name in ("cuInit", "cuDeviceGetCount")] == ["cuInit", "cuDeviceGetCount"]


def test_calls_can_be_made_to_fail(run_python: RunPython) -> None:
    result = run_python(
        "from cuprum.bindings import driver; driver.cuInit(0); print(*[driver.cuDeviceGet(0) for _ in range(3)])",
        environment={"CUPRUM_FAULT": "cuDeviceGet:2=2"},
    )
    assert "CUDA_ERROR_OUT_OF_MEMORY: 2>, None)" in result.stdout
    assert result.stdout.count("<CUdevice 0>") == 2
