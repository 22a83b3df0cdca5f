"""What libNVVM's functions do, called from Python. No device is needed."""

from __future__ import annotations

import pathlib
import pickle
from collections.abc import Iterator

import pytest
from cuprum import pathfinder
from cuprum.bindings import nvvm

SUCCESS = nvvm.nvvmResult.NVVM_SUCCESS
TARGETS = """
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-\
v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
"""
#: A kernel that stores what a function of another module gives.
KERNEL = (
    TARGETS
    + """
declare i32 @number()
define void @store(i32* %out) {
  %value = call i32 @number()
  store i32 %value, i32* %out, align 4
  ret void
}
!nvvm.annotations = !{!1}
!1 = !{void (i32*)* @store, !"kernel", i32 1}
"""
)
NUMBER = TARGETS + "define i32 @number() {\n  ret i32 4711\n}\n"
OPTIONS = ["-arch=compute_75"]


@pytest.fixture
def program() -> Iterator[nvvm.nvvmProgram]:
    err, program = nvvm.nvvmCreateProgram()
    assert err is SUCCESS
    yield program
    assert nvvm.nvvmDestroyProgram(program) == (SUCCESS,)
    assert int(program) == 0  # as in C, the handle is cleared


def log_of(program: nvvm.nvvmProgram) -> str:
    err, size = nvvm.nvvmGetProgramLogSize(program)
    assert err is SUCCESS
    err, log = nvvm.nvvmGetProgramLog(program, size)
    assert err is SUCCESS
    assert log.endswith(b"\0")
    return log[:-1].decode()


@pytest.mark.shows("nvvmVersion", "nvvmIRVersion")
def test_versions() -> None:
    err, major, minor = nvvm.nvvmVersion()
    assert err is SUCCESS
    assert (major, minor) >= (2, 0)
    assert nvvm.version() == (major, minor)
    err, *versions = nvvm.nvvmIRVersion()
    assert err is SUCCESS
    assert versions[0] == 2
    assert nvvm.ir_version() == tuple(versions)


@pytest.mark.shows(
    "nvvmCreateProgram",
    "nvvmAddModuleToProgram",
    "nvvmVerifyProgram",
    "nvvmCompileProgram",
    "nvvmGetCompiledResultSize",
    "nvvmGetCompiledResult",
    "nvvmGetProgramLogSize",
    "nvvmGetProgramLog",
    "nvvmDestroyProgram",
)
def test_modules_are_compiled_to_ptx(program: nvvm.nvvmProgram) -> None:
    assert nvvm.nvvmAddModuleToProgram(program, KERNEL, len(KERNEL), "kernel.ll") == (SUCCESS,)
    # Bitcode is bytes: these need not end with a NUL.
    assert nvvm.nvvmAddModuleToProgram(program, bytearray(NUMBER.encode()), len(NUMBER), None) == (SUCCESS,)
    assert nvvm.nvvmVerifyProgram(program, 1, OPTIONS) == (SUCCESS,)
    assert nvvm.nvvmCompileProgram(program, 1, OPTIONS) == (SUCCESS,), log_of(program)
    assert log_of(program) == ""
    err, size = nvvm.nvvmGetCompiledResultSize(program)
    assert err is SUCCESS
    err, ptx = nvvm.nvvmGetCompiledResult(program, size)
    assert err is SUCCESS
    assert b".entry store" in ptx
    assert b"4711" in ptx


def test_what_is_wrong_is_in_the_log(program: nvvm.nvvmProgram) -> None:
    assert nvvm.nvvmAddModuleToProgram(program, "nonsense", 8, "bad.ll") == (SUCCESS,)
    assert nvvm.nvvmCompileProgram(program, 0, None) == (nvvm.nvvmResult.NVVM_ERROR_COMPILATION,)
    assert "): parse expected top-level entity" in log_of(program)


@pytest.mark.parametrize("text", ["four", b"four", bytearray(b"four")])
def test_a_module_shorter_than_its_size_is_refused(program: nvvm.nvvmProgram, text: str | bytes | bytearray) -> None:
    with pytest.raises(
        TypeError, match=r"nvvmAddModuleToProgram: buffer takes at least 100 bytes, as size says, not 4"
    ):
        nvvm.nvvmAddModuleToProgram(program, text, 100, "short.ll")
    assert nvvm.nvvmAddModuleToProgram(program, text, 5, "with its NUL") == (SUCCESS,)


def test_the_functions_of_cuda_bindings() -> None:
    program = nvvm.create_program()
    nvvm.add_module_to_program(program, KERNEL.encode(), len(KERNEL), "kernel.ll")
    nvvm.add_module_to_program(program, NUMBER, len(NUMBER), "number.ll")
    # Bitcode, of which nothing is used.
    libdevice = pathlib.Path(pathfinder.find_bitcode_lib("device")).read_bytes()
    nvvm.lazy_add_module_to_program(program, libdevice, len(libdevice), None)
    nvvm.verify_program(program, 1, OPTIONS)
    nvvm.compile_program(program, 1, OPTIONS)
    ptx = bytearray(nvvm.get_compiled_result_size(program))
    nvvm.get_compiled_result(program, ptx)
    assert b".entry store" in ptx
    log = bytearray(nvvm.get_program_log_size(program))
    nvvm.get_program_log(program, log)
    assert log == b"\0"
    nvvm.destroy_program(program)


def test_a_failed_call_raises() -> None:
    program = nvvm.create_program()
    with pytest.raises(nvvm.nvvmError, match=r"ERROR_NO_MODULE_IN_PROGRAM \(8\)") as caught:
        nvvm.compile_program(program, 0, [])
    nvvm.destroy_program(program)
    assert caught.value.status is nvvm.Result.ERROR_NO_MODULE_IN_PROGRAM
    assert pickle.loads(pickle.dumps(caught.value)).status is caught.value.status
    assert nvvm.get_error_string(caught.value.status) == "NVVM_ERROR_NO_MODULE_IN_PROGRAM"
