"""Types that the stubs of the bindings share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex

if TYPE_CHECKING:
    from typing import TypeAlias

    from cuprum._bindings import Value
    from cuprum._typing import HostMemory


class SupportsCudaArrayInterface(Protocol):
    """An array on a device."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


if TYPE_CHECKING:
    #: A place in memory: an address, a CUdeviceptr, a structure, an object with a buffer, an array on a device, None.
    AddressLike: TypeAlias = SupportsIndex | HostMemory | Value | SupportsCudaArrayInterface | None
    #: Text that C reads.
    TextLike: TypeAlias = str | HostMemory | int | None
    #: A handle that is not of its class. Not SupportsIndex: handles of other classes are that too.
    HandleLike: TypeAlias = int | SupportsCudaArrayInterface | None
    #: Memory that C fills in: its address, or an object with a buffer.
    OutLike: TypeAlias = SupportsIndex | HostMemory | None
    #: A kernel's parameters: ((values), (ctypes)), a list of values, or the address of an array of pointers.
    KernelArguments: TypeAlias = tuple[Sequence[Any], Sequence[Any]] | Sequence[Any] | SupportsIndex | HostMemory | None
