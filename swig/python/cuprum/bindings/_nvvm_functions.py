"""The functions of ``cuda.bindings.nvvm``: libNVVM's own, with exceptions in place of statuses."""

from __future__ import annotations

import ctypes
import enum
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuprum.bindings import nvvm

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


def _shortened(name: str, enumeration: type[enum.IntEnum], prefix: str) -> Any:
    members = [(member.name.removeprefix(prefix), member.value) for member in enumeration]
    return enum.IntEnum(name, members, module="cuprum.bindings.nvvm")


#: nvvmResult with shorter names.
Result: Any = _shortened("Result", nvvm.nvvmResult, "NVVM_")

_KNOWN = frozenset(map(int, Result))


class nvvmError(Exception):
    """A call that failed; ``status`` is the ``Result``, or an int that only a newer libNVVM's header names."""

    def __init__(self, status: int, detail: str = "") -> None:
        self.status = Result(status) if status in _KNOWN else int(status)
        text = f"{getattr(self.status, 'name', 'ERROR_UNKNOWN')} ({int(status)})"
        super().__init__(f"{text}: {detail}" if detail else text)
        self.detail = detail

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (int(self.status), self.detail)


def _checked(returned: tuple[Any, ...]) -> Any:
    """What a call returned after its status; raises if it failed."""
    if returned[0] != 0:
        missing = nvvm.last_error_message() if returned[0] == Result.ERROR_PROGRAM_CREATION_FAILURE else ""
        raise nvvmError(returned[0], missing)
    return returned[1] if len(returned) == 2 else returned[1:]


def _memory(place: AddressLike) -> Any:
    """Memory to write to. The C functions take an int for a size; here it is an address."""
    return ctypes.c_char.from_address(place) if isinstance(place, int) else place


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
    _checked(nvvm.nvvmGetCompiledResult(prog, _memory(buffer)))


def get_program_log_size(prog: int) -> int:
    """Bytes of the log, its final NUL included."""
    return int(_checked(nvvm.nvvmGetProgramLogSize(prog)))


def get_program_log(prog: int, buffer: AddressLike) -> None:
    """Writes the log to the memory ``buffer``."""
    _checked(nvvm.nvvmGetProgramLog(prog, _memory(buffer)))


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
