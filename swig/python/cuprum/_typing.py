"""Types that annotations share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from typing import TypeAlias

    from typing_extensions import Buffer


class SupportsArrayInterface(Protocol):
    """A NumPy array, to the eyes of type checkers: its stubs declare the buffer protocol from Python 3.12 on only."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


if TYPE_CHECKING:
    #: Anything with the buffer protocol.
    HostMemory: TypeAlias = Buffer | SupportsArrayInterface
