"""The functions of ``cuda.bindings.nvvm``: libNVVM's own, with exceptions in place of statuses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuprum.bindings import nvvm
from cuprum.bindings._statuses import StatusError, checked, memory, shortened

if TYPE_CHECKING:
    from cuprum.bindings._typing import AddressLike, TextLike

__all__ = [
    "Result",
    "add_module_to_program",
    "compile_program",
    "create_program",
    "destroy_program",
    "get_compiled_result",
    "get_compiled_result_size",
    "get_error_string",
    "get_program_log",
    "get_program_log_size",
    "ir_version",
    "lazy_add_module_to_program",
    "llvm_version",
    "nvvmError",
    "verify_program",
    "version",
]


#: nvvmResult with shorter names.
Result: Any = shortened("cuprum.bindings.nvvm", "Result", nvvm.nvvmResult, "NVVM_")


class nvvmError(StatusError):
    """A call that failed; ``status`` is the ``Result``, or an int that only a newer libNVVM's header names."""

    _result = Result


def _checked(returned: tuple[Any, ...]) -> Any:
    return checked(returned, nvvmError, Result.ERROR_PROGRAM_CREATION_FAILURE, nvvm.last_error_message)


def create_program() -> int:
    """Creates an empty program; returns its handle."""
    return int(_checked(nvvm.nvvmCreateProgram()))


def destroy_program(prog: int) -> None:
    """Destroys a program."""
    _checked(nvvm.nvvmDestroyProgram(nvvm.nvvmProgram(prog)))


def add_module_to_program(prog: int, buffer: TextLike | int, size: int, name: str | None) -> None:
    """Adds a module, text or bitcode of ``size`` bytes. ``name`` is its name in errors."""
    _checked(nvvm.nvvmAddModuleToProgram(prog, buffer, size, name))


def lazy_add_module_to_program(prog: int, buffer: TextLike | int, size: int, name: str | None) -> None:
    """Adds a module of which only what the others use is loaded."""
    _checked(nvvm.nvvmLazyAddModuleToProgram(prog, buffer, size, name))


def compile_program(prog: int, num_options: int, options: Sequence[TextLike] | AddressLike) -> None:
    """Compiles the modules that were added, as one program."""
    _checked(nvvm.nvvmCompileProgram(prog, num_options, options))


def verify_program(prog: int, num_options: int, options: Sequence[TextLike] | AddressLike) -> None:
    """Checks the modules that were added."""
    _checked(nvvm.nvvmVerifyProgram(prog, num_options, options))


def get_compiled_result_size(prog: int) -> int:
    """Bytes of the result."""
    return int(_checked(nvvm.nvvmGetCompiledResultSize(prog)))


def get_compiled_result(prog: int, buffer: AddressLike) -> None:
    """Writes the result to the memory ``buffer``."""
    _checked(nvvm.nvvmGetCompiledResult(prog, memory(buffer)))


def get_program_log_size(prog: int) -> int:
    """Bytes of the log, its final NUL included."""
    return int(_checked(nvvm.nvvmGetProgramLogSize(prog)))


def get_program_log(prog: int, buffer: AddressLike) -> None:
    """Writes the log to the memory ``buffer``."""
    _checked(nvvm.nvvmGetProgramLog(prog, memory(buffer)))


def get_error_string(result: int) -> str:
    """What a status means."""
    _, text = nvvm.nvvmGetErrorString(int(result))
    return str(text, "ascii")


def version() -> tuple[int, int]:
    """The version of libNVVM's interface: major and minor."""
    major, minor = _checked(nvvm.nvvmVersion())
    return major, minor


def ir_version() -> tuple[int, int, int, int]:
    """The versions of NVVM IR and of its debug metadata: major and minor of each."""
    ir_major, ir_minor, debug_major, debug_minor = _checked(nvvm.nvvmIRVersion())
    return ir_major, ir_minor, debug_major, debug_minor


def llvm_version(arch: str) -> int:
    """The major version of the LLVM whose IR an architecture's compiler reads. Since CUDA 13.1."""
    function: Any = getattr(nvvm, "nvvmLLVMVersion", None)
    if function is None:
        raise NotImplementedError("nvvmLLVMVersion came with CUDA 13.1, and Cuprum was built with older headers")
    return int(_checked(function(arch)))
