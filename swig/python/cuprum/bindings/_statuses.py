"""What the functions of nvJitLink and of libNVVM have in common: exceptions in place of statuses."""

from __future__ import annotations

import ctypes
import enum
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from cuprum.bindings._typing import AddressLike


def shortened(module: str, name: str, enumeration: type[enum.IntEnum], prefix: str) -> Any:
    """An enumeration of a library without the prefix of its members."""
    members = [(member.name.removeprefix(prefix), member.value) for member in enumeration]
    return enum.IntEnum(name, members, module=module)


class StatusError(Exception):
    """A call that failed; ``status`` is the ``Result``, or an int that only a newer library's header names."""

    _result: ClassVar[Any]  # the library's Result

    def __init__(self, status: int, detail: str = "") -> None:
        known = status in self._result._value2member_map_
        self.status = self._result(status) if known else int(status)
        text = f"{getattr(self.status, 'name', 'ERROR_UNKNOWN')} ({int(status)})"
        super().__init__(f"{text}: {detail}" if detail else text)
        self.detail = detail

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (int(self.status), self.detail)


def checked(returned: tuple[Any, ...], error: type[StatusError], missing: int, why: Callable[[], str]) -> Any:
    """What a call returned after its status; raises if it failed.

    ``missing`` is the status of a library that is not there; ``why`` says where it was looked for.
    """
    if returned[0] != 0:
        raise error(returned[0], why() if returned[0] == missing else "")
    return returned[1] if len(returned) == 2 else returned[1:]


def memory(place: AddressLike) -> Any:
    """Memory to write to. The C functions take an int for a size; here it is an address."""
    return ctypes.c_char.from_address(place) if isinstance(place, int) else place
