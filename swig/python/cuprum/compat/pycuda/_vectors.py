"""CUDA's vector types as dtypes: ``vec.float2``, and ``vec.make_float2(1, 2)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cuprum.compat.pycuda._dtypes import get_or_register_dtype

_FIELDS = ("x", "y", "z", "w")
_TYPES: tuple[tuple[str, Any, int], ...] = (
    ("char", np.int8, 4),
    ("uchar", np.uint8, 4),
    ("short", np.int16, 4),
    ("ushort", np.uint16, 4),
    ("int", np.int32, 4),
    ("uint", np.uint32, 4),
    ("long", np.dtype("l"), 4),
    ("ulong", np.dtype("L"), 4),
    ("longlong", np.int64, 2),
    ("ulonglong", np.uint64, 2),
    ("float", np.float32, 4),
    ("double", np.float64, 2),
)


class _Names(type):
    def __getattr__(cls, name: str) -> Any:
        raise AttributeError(
            f"vec has no {name!r}: it has CUDA's vector types, such as float4, and make_float4 and so on"
        )


class vec(metaclass=_Names):
    """The types, and a function for each that makes a number of that type."""


def _maker(name: str, dtype: np.dtype[Any]) -> Callable[..., Any]:
    count = len(dtype.names or ())

    def make(*components: Any) -> Any:
        if len(components) != count:
            raise TypeError(f"make_{name} takes {count} numbers, not {len(components)}")
        return np.array(components, dtype=dtype)

    make.__name__ = make.__qualname__ = f"make_{name}"
    make.__doc__ = f"A {name}: an array without dimensions."
    return make


def _define() -> None:
    for base, component, most in _TYPES:
        for count in range(1, most + 1):
            name = f"{base}{count}"
            dtype = get_or_register_dtype(name, np.dtype([(field, component) for field in _FIELDS[:count]]))
            setattr(vec, name, dtype)
            setattr(vec, f"make_{name}", staticmethod(_maker(name, dtype)))


_define()
