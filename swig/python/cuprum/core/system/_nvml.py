"""Calls of NVML that no other language has: through ``cuprum.bindings.nvml``."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeVar

from cuprum._errors import ErrorDomain, make_error
from cuprum._native import _cuprum

Word = TypeVar("Word", bound=StrEnum)


def call(function: str, *arguments: Any) -> Any:
    """What the function gives; an error of ``cuprum.core.system`` where it fails. NVML has been started."""
    from cuprum.bindings import nvml

    status, *values = getattr(nvml, function)(*arguments)
    code = int(status)
    if code != 0:
        missing = code in (12, 13)
        text = nvml.last_error_message() if missing else nvml.nvmlErrorString(status)[1].decode()
        raise make_error(
            {3: 15, 2: 1, 6: 1, 12: 5, 13: 7}.get(code, 8),
            ErrorDomain.CUPRUM if missing else ErrorDomain.NVML,
            code,
            getattr(status, "name", ""),
            text if missing else f"calling {function}: {text}",
            f"calling {function}",
            "",
            text,
            "",
            "",
        )
    return values[0] if len(values) == 1 else tuple(values)


def handle_of(index: int) -> Any:
    """NVML's own handle of a device."""
    _cuprum.cuprum_system_device_count()  # starts NVML
    return call("nvmlDeviceGetHandleByIndex", index)


def listed(function: str, *arguments: Any) -> list[Any]:
    """The list that a function gives when it is told how long it is."""
    from cuprum.bindings import nvml

    status, count, *_ = getattr(nvml, function)(*arguments)
    if int(status) == 0 and not count:
        return []
    if int(status) not in (0, 7):  # 7: there is no room for any
        call(function, *arguments)
    return list(call(function, *arguments, count)[1])


def word(kind: type[Word], value: str, what: str) -> Word:
    """The word of an enumeration. ValueError for any other, with those that there are."""
    try:
        return kind(value)
    except ValueError:
        words = ", ".join(repr(str(each)) for each in kind)
        raise ValueError(f"{what} is one of {words}, not {value!r}") from None


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    return [number for number in range(mask.bit_length()) if mask >> number & 1]
