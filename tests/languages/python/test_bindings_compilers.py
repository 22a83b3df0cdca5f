"""What NVRTC's and nvJitLink's functions do, called from Python. No device is needed."""

from __future__ import annotations

import ctypes
import pickle

import pytest
from cuprum.bindings import nvjitlink, nvrtc

SUCCESS = nvrtc.nvrtcResult.NVRTC_SUCCESS
SOURCE = """
template <class T> __global__ void fill(T* out) { *out = FILL_VALUE; }
extern "C" __global__ void one(int* out) { *out = 1; }
"""


def compiled(*options: str, source: str = SOURCE) -> nvrtc.nvrtcProgram:
    err, program = nvrtc.nvrtcCreateProgram(source, "test.cu", 0, None, None)
    assert err is SUCCESS
    assert nvrtc.nvrtcCompileProgram(program, len(options), options) == (SUCCESS,)
    return program


@pytest.mark.shows("nvrtcVersion")
def test_versions_and_architectures() -> None:
    err, major, minor = nvrtc.nvrtcVersion()
    assert err is SUCCESS
    assert (major, minor) >= (12, 0)
    err, count = nvrtc.nvrtcGetNumSupportedArchs()
    assert err is SUCCESS
    err, architectures = nvrtc.nvrtcGetSupportedArchs()
    assert err is SUCCESS
    assert len(architectures) == count
    assert 80 in architectures
    assert architectures == sorted(architectures)


@pytest.mark.shows("nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetPTXSize", "nvrtcGetPTX", "nvrtcDestroyProgram")
def test_a_program_is_compiled_to_ptx() -> None:
    program = compiled("--gpu-architecture=compute_80", "-DFILL_VALUE=3")
    err, size = nvrtc.nvrtcGetPTXSize(program)
    assert err is SUCCESS
    memory = bytearray(size)
    assert nvrtc.nvrtcGetPTX(program, memory) == (SUCCESS,)
    assert b".entry one" in memory
    assert memory[-1] == 0
    # Where memory is expected, a number is how much of it is wanted back.
    assert nvrtc.nvrtcGetPTX(program, size) == (SUCCESS, bytes(memory))
    # cuda.bindings fills bytes in.
    given = b" " * size
    assert nvrtc.nvrtcGetPTX(program, given) == (SUCCESS,)
    assert given == bytes(memory)
    assert nvrtc.nvrtcDestroyProgram(program) == (SUCCESS,)
    assert int(program) == 0  # as in C, the handle is cleared


def test_a_program_is_compiled_to_machine_code() -> None:
    program = compiled("--gpu-architecture=sm_80", "-DFILL_VALUE=3")
    err, size = nvrtc.nvrtcGetCUBINSize(program)
    assert err is SUCCESS
    err, cubin = nvrtc.nvrtcGetCUBIN(program, size)
    assert err is SUCCESS
    assert cubin.startswith(b"\x7fELF")
    assert nvrtc.nvrtcDestroyProgram(program) == (SUCCESS,)


def test_headers_come_from_memory() -> None:
    source = '#include "value.h"\n#include "type.h"\n__global__ void k(type* out) { *out = value; }'
    headers: list[str | bytes] = [b"constexpr int value = 5;", "using type = int;"]
    err, program = nvrtc.nvrtcCreateProgram(source, None, 2, headers, ["value.h", b"type.h"])
    assert err is SUCCESS
    assert nvrtc.nvrtcCompileProgram(program, 0, None) == (SUCCESS,)
    assert nvrtc.nvrtcDestroyProgram(program) == (SUCCESS,)


@pytest.mark.shows("nvrtcAddNameExpression", "nvrtcGetLoweredName")
def test_names_of_templates() -> None:
    err, program = nvrtc.nvrtcCreateProgram(SOURCE, "test.cu", 0, None, None)
    assert err is SUCCESS
    assert nvrtc.nvrtcAddNameExpression(program, "fill<float>") == (SUCCESS,)
    assert nvrtc.nvrtcCompileProgram(program, 1, ["-DFILL_VALUE=3"]) == (SUCCESS,)
    assert nvrtc.nvrtcGetLoweredName(program, "fill<float>") == (SUCCESS, b"_Z4fillIfEvPT_")
    assert nvrtc.nvrtcDestroyProgram(program) == (SUCCESS,)


@pytest.mark.shows("nvrtcGetProgramLogSize", "nvrtcGetProgramLog")
def test_what_does_not_compile_has_a_log() -> None:
    err, program = nvrtc.nvrtcCreateProgram("nonsense", "bad.cu", 0, None, None)
    assert err is SUCCESS
    assert nvrtc.nvrtcCompileProgram(program, 0, []) == (nvrtc.nvrtcResult.NVRTC_ERROR_COMPILATION,)
    err, size = nvrtc.nvrtcGetProgramLogSize(program)
    assert err is SUCCESS
    err, log = nvrtc.nvrtcGetProgramLog(program, size)
    assert err is SUCCESS
    assert b"bad.cu(1): error" in log
    assert nvrtc.nvrtcDestroyProgram(program) == (SUCCESS,)


def linked() -> nvjitlink.nvJitLinkHandle:
    program = compiled("--gpu-architecture=sm_80", "-DFILL_VALUE=3", "-dlto")
    err, size = nvrtc.nvrtcGetLTOIRSize(program)
    assert err is SUCCESS
    err, code = nvrtc.nvrtcGetLTOIR(program, size)
    assert err is SUCCESS
    assert nvrtc.nvrtcDestroyProgram(program) == (SUCCESS,)
    success = nvjitlink.nvJitLinkResult.NVJITLINK_SUCCESS
    error, handle = nvjitlink.nvJitLinkCreate(3, ["-arch=sm_80", "-lto", "-ptx"])
    assert error is success
    kind = nvjitlink.nvJitLinkInputType.NVJITLINK_INPUT_LTOIR
    assert nvjitlink.nvJitLinkAddData(handle, kind, code, len(code), "code") == (success,)
    assert nvjitlink.nvJitLinkComplete(handle) == (success,)
    return handle


def test_code_is_linked() -> None:
    handle = linked()
    err, size = nvjitlink.nvJitLinkGetLinkedPtxSize(handle)
    assert err == 0
    err, ptx = nvjitlink.nvJitLinkGetLinkedPtx(handle, size)
    assert err == 0
    assert b".entry one" in ptx
    err, size = nvjitlink.nvJitLinkGetErrorLogSize(handle)
    assert err == 0
    assert nvjitlink.nvJitLinkDestroy(handle) == (0,)


@pytest.mark.shows(
    "nvJitLinkCreate",
    "nvJitLinkAddData",
    "nvJitLinkComplete",
    "nvJitLinkGetLinkedCubinSize",
    "nvJitLinkGetLinkedCubin",
    "nvJitLinkDestroy",
)
def test_ptx_is_linked_to_machine_code() -> None:
    ptx = b".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry nothing()\n{\n    ret;\n}\n\0"
    err, handle = nvjitlink.nvJitLinkCreate(1, ["-arch=sm_80"])
    assert err == 0
    kind = nvjitlink.nvJitLinkInputType.NVJITLINK_INPUT_PTX
    assert nvjitlink.nvJitLinkAddData(handle, kind, ptx, len(ptx), "nothing") == (0,)
    assert nvjitlink.nvJitLinkComplete(handle) == (0,)
    err, size = nvjitlink.nvJitLinkGetLinkedCubinSize(handle)
    assert err == 0
    err, cubin = nvjitlink.nvJitLinkGetLinkedCubin(handle, size)
    assert err == 0
    assert len(cubin) == size
    assert cubin.startswith(b"\x7fELF")
    assert nvjitlink.nvJitLinkDestroy(handle) == (0,)
    assert int(handle) == 0  # as in C, the handle is cleared


def test_the_functions_of_cuda_bindings_nvjitlink() -> None:
    assert nvjitlink.version() >= (12, 0)
    ptx = b".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry nothing()\n{\n    ret;\n}\n\0"
    handle = nvjitlink.create(1, ["-arch=sm_80"])
    assert isinstance(handle, int)
    nvjitlink.add_data(handle, nvjitlink.InputType.PTX, ptx, len(ptx), "nothing")
    nvjitlink.complete(handle)
    size = nvjitlink.get_linked_cubin_size(handle)
    cubin = bytearray(size)
    nvjitlink.get_linked_cubin(handle, cubin)
    assert cubin.startswith(b"\x7fELF")
    other = ctypes.create_string_buffer(size)
    nvjitlink.get_linked_cubin(handle, ctypes.addressof(other))  # there, a number is an address
    assert other.raw == cubin
    nvjitlink.destroy(handle)


def test_they_raise_exceptions() -> None:
    handle = nvjitlink.create(1, ["-arch=sm_80"])
    with pytest.raises(nvjitlink.nvJitLinkError, match=r"ERROR_\w+ \(\d+\)") as raised:
        nvjitlink.add_data(handle, nvjitlink.InputType.PTX, b"nonsense\0", 9, "bad")
    assert raised.value.status != nvjitlink.Result.SUCCESS
    log = bytearray(nvjitlink.get_error_log_size(handle))
    nvjitlink.get_error_log(handle, log)
    nvjitlink.destroy(handle)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.status) == (str(raised.value), raised.value.status)


def test_a_status_that_only_newer_headers_name_is_an_int() -> None:
    known, unknown = nvjitlink.nvJitLinkError(1), nvjitlink.nvJitLinkError(999, "detail")
    assert known.status is nvjitlink.Result.ERROR_UNRECOGNIZED_OPTION
    assert (unknown.status, str(unknown)) == (999, "ERROR_UNKNOWN (999): detail")
    assert not isinstance(unknown.status, nvjitlink.Result)
    assert pickle.loads(pickle.dumps(unknown)).status == 999
