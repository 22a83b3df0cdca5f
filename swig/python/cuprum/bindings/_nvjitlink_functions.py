"""The functions of ``cuda.bindings.nvjitlink``: nvJitLink's own, with exceptions in place of statuses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuprum.bindings import nvjitlink
from cuprum.bindings._statuses import StatusError, checked, memory, shortened

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


#: nvJitLinkResult and nvJitLinkInputType with shorter names.
Result: Any = shortened("cuprum.bindings.nvjitlink", "Result", nvjitlink.nvJitLinkResult, "NVJITLINK_")
InputType: Any = shortened("cuprum.bindings.nvjitlink", "InputType", nvjitlink.nvJitLinkInputType, "NVJITLINK_INPUT_")


class nvJitLinkError(StatusError):
    """A call that failed; ``status`` is the ``Result``, or an int that only a newer nvJitLink's headers name."""

    _result = Result


def _checked(returned: tuple[Any, ...]) -> Any:
    return checked(returned, nvJitLinkError, Result.ERROR_INTERNAL, nvjitlink.last_error_message)


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
    _checked(nvjitlink.nvJitLinkGetLinkedCubin(handle, memory(cubin)))


def get_linked_ptx_size(handle: int) -> int:
    """Bytes of the linked PTX."""
    return int(_checked(nvjitlink.nvJitLinkGetLinkedPtxSize(handle)))


def get_linked_ptx(handle: int, ptx: AddressLike) -> None:
    """Writes the linked PTX to the memory ``ptx``."""
    _checked(nvjitlink.nvJitLinkGetLinkedPtx(handle, memory(ptx)))


def get_error_log_size(handle: int) -> int:
    """Bytes of the error log."""
    return int(_checked(nvjitlink.nvJitLinkGetErrorLogSize(handle)))


def get_error_log(handle: int, log: AddressLike) -> None:
    """Writes the error log to the memory ``log``."""
    _checked(nvjitlink.nvJitLinkGetErrorLog(handle, memory(log)))


def get_info_log_size(handle: int) -> int:
    """Bytes of the information log."""
    return int(_checked(nvjitlink.nvJitLinkGetInfoLogSize(handle)))


def get_info_log(handle: int, log: AddressLike) -> None:
    """Writes the information log to the memory ``log``."""
    _checked(nvjitlink.nvJitLinkGetInfoLog(handle, memory(log)))


def version() -> tuple[int, int]:
    """The library's version: major and minor."""
    major, minor = _checked(nvjitlink.nvJitLinkVersion())
    return major, minor
