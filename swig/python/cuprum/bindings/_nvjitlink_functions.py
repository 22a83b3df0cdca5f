"""The functions of ``cuda.bindings.nvjitlink``: nvJitLink's own, with exceptions in place of statuses."""

from __future__ import annotations

import ctypes
import enum
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuprum.bindings import nvjitlink

if TYPE_CHECKING:
    from cuprum.bindings._typing import AddressLike, TextLike

__all__ = [
    "InputType",
    "Result",
    "add_data",
    "add_file",
    "complete",
    "create",
    "destroy",
    "get_error_log",
    "get_error_log_size",
    "get_info_log",
    "get_info_log_size",
    "get_linked_cubin",
    "get_linked_cubin_size",
    "get_linked_ptx",
    "get_linked_ptx_size",
    "nvJitLinkError",
    "version",
]


def _shortened(name: str, enumeration: type[enum.IntEnum], prefix: str) -> Any:
    members = [(member.name.removeprefix(prefix), member.value) for member in enumeration]
    return enum.IntEnum(name, members, module="cuprum.bindings.nvjitlink")


#: nvJitLinkResult and nvJitLinkInputType with shorter names.
Result: Any = _shortened("Result", nvjitlink.nvJitLinkResult, "NVJITLINK_")
InputType: Any = _shortened("InputType", nvjitlink.nvJitLinkInputType, "NVJITLINK_INPUT_")


_KNOWN = frozenset(map(int, Result))


class nvJitLinkError(Exception):
    """A call that failed; ``status`` is the ``Result``, or an int that only a newer nvJitLink's headers name."""

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
        missing = nvjitlink.last_error_message() if returned[0] == Result.ERROR_INTERNAL else ""
        raise nvJitLinkError(returned[0], missing)
    return returned[1] if len(returned) == 2 else returned[1:]


def _memory(place: AddressLike) -> Any:
    """Memory to write to. The C functions take an int for a size; here it is an address."""
    return ctypes.c_char.from_address(place) if isinstance(place, int) else place


def create(num_options: int, options: Sequence[TextLike] | AddressLike) -> int:
    """Creates a linker with these options; returns its handle."""
    return int(_checked(nvjitlink.nvJitLinkCreate(num_options, options)))


def destroy(handle: int) -> None:
    """Destroys a linker."""
    _checked(nvjitlink.nvJitLinkDestroy(nvjitlink.nvJitLinkHandle(handle)))


def add_data(handle: int, input_type: int, data: AddressLike, size: int, name: str) -> None:
    """Adds an image in memory. ``name`` is its name in errors."""
    _checked(nvjitlink.nvJitLinkAddData(handle, int(input_type), data, size, name))


def add_file(handle: int, input_type: int, file_name: str) -> None:
    """Adds a file."""
    _checked(nvjitlink.nvJitLinkAddFile(handle, int(input_type), file_name))


def complete(handle: int) -> None:
    """Links what has been added."""
    _checked(nvjitlink.nvJitLinkComplete(handle))


def get_linked_cubin_size(handle: int) -> int:
    """Bytes of the linked cubin."""
    return int(_checked(nvjitlink.nvJitLinkGetLinkedCubinSize(handle)))


def get_linked_cubin(handle: int, cubin: AddressLike) -> None:
    """Writes the linked cubin to the memory ``cubin``."""
    _checked(nvjitlink.nvJitLinkGetLinkedCubin(handle, _memory(cubin)))


def get_linked_ptx_size(handle: int) -> int:
    """Bytes of the linked PTX."""
    return int(_checked(nvjitlink.nvJitLinkGetLinkedPtxSize(handle)))


def get_linked_ptx(handle: int, ptx: AddressLike) -> None:
    """Writes the linked PTX to the memory ``ptx``."""
    _checked(nvjitlink.nvJitLinkGetLinkedPtx(handle, _memory(ptx)))


def get_error_log_size(handle: int) -> int:
    """Bytes of the error log."""
    return int(_checked(nvjitlink.nvJitLinkGetErrorLogSize(handle)))


def get_error_log(handle: int, log: AddressLike) -> None:
    """Writes the error log to the memory ``log``."""
    _checked(nvjitlink.nvJitLinkGetErrorLog(handle, _memory(log)))


def get_info_log_size(handle: int) -> int:
    """Bytes of the information log."""
    return int(_checked(nvjitlink.nvJitLinkGetInfoLogSize(handle)))


def get_info_log(handle: int, log: AddressLike) -> None:
    """Writes the information log to the memory ``log``."""
    _checked(nvjitlink.nvJitLinkGetInfoLog(handle, _memory(log)))


def version() -> tuple[int, int]:
    """The library's version: major and minor."""
    major, minor = _checked(nvjitlink.nvJitLinkVersion())
    return major, minor
