"""Memory and events of other processes."""

from __future__ import annotations

from typing import Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._context import Context, current_context, release_in
from cuprum.compat.pycuda._errors import LogicError, value_of
from cuprum.compat.pycuda._pointers import device_address

_HANDLE_BYTES = 64  # CU_IPC_HANDLE_SIZE


def mem_get_ipc_handle(devptr: Any) -> bytearray:
    """What another process opens the allocation with: ``IPCMemoryHandle``."""
    address = device_address("mem_get_ipc_handle", devptr)
    handle = value_of(_driver.cuIpcGetMemHandle(address), "cuIpcGetMemHandle")
    return _bytes(handle)


def _bytes(handle: Any) -> bytearray:
    import ctypes

    return bytearray(ctypes.string_at(handle.getPtr(), _HANDLE_BYTES))


def _fill(handle: Any, content: Any, what: str) -> Any:
    import ctypes

    data = bytes(content)
    if len(data) != _HANDLE_BYTES:
        raise ValueError(f"{what}: a handle has {_HANDLE_BYTES} bytes, this one has {len(data)}")
    ctypes.memmove(handle.getPtr(), data, _HANDLE_BYTES)
    return handle


class IPCMemoryHandle:
    """Memory of another process, opened: as an int its address. Closed with the last reference to it."""

    def __init__(self, ipc_handle: Any, flags: Any = 1) -> None:
        """``ipc_handle`` is what ``mem_get_ipc_handle`` returned there; ``flags`` are ``driver.ipc_mem_flags``."""
        self._address = 0
        self._context: Context = current_context("IPCMemoryHandle")
        handle = _fill(_driver.CUipcMemHandle(), ipc_handle, "IPCMemoryHandle")
        self._address = int(value_of(_driver.cuIpcOpenMemHandle(handle, int(flags)), "cuIpcOpenMemHandle"))

    def __int__(self) -> int:
        if not self._address:
            raise LogicError("using memory of another process: it was closed", operation="IPCMemoryHandle")
        return self._address

    __index__ = __int__

    def close(self) -> None:
        """Lets go of the memory; using it from then on is an error."""
        address, self._address = int(self), 0
        release_in(self._context, _driver.cuIpcCloseMemHandle, "cuIpcCloseMemHandle", address)

    def __del__(self) -> None:
        if getattr(self, "_address", 0):
            try:
                self.close()
            except Exception:  # the driver or the context is gone
                return


def handle_of_event(event: int) -> bytearray:
    """An event's handle for other processes."""
    return _bytes(value_of(_driver.cuIpcGetEventHandle(event), "cuIpcGetEventHandle"))


def open_event(content: Any) -> int:
    """Another process's event."""
    handle = _fill(_driver.CUipcEventHandle(), content, "Event.from_ipc_handle")
    return int(value_of(_driver.cuIpcOpenEventHandle(handle), "cuIpcOpenEventHandle"))
