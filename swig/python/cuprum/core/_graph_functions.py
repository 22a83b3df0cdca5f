"""Host functions of graphs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any


def is_function_pointer(fn: Any) -> bool:
    """Whether it is one of ctypes."""
    return isinstance(fn, ctypes._CFuncPtr)  # type: ignore[attr-defined]  # the base of all


def as_function(fn: Any, user_data: Any) -> Callable[[], object]:
    """A callable without arguments. ``fn`` is one, or a function pointer of ctypes, which gets ``user_data``."""
    if not is_function_pointer(fn):
        if user_data is not None:
            raise ValueError(
                "user_data is for function pointers of ctypes; bind it to a callable with functools.partial"
            )
        if not callable(fn):
            raise TypeError(f"fn must be callable, not {type(fn).__name__}")
        return fn  # type: ignore[no-any-return]
    if fn.restype is not None or tuple(fn.argtypes or ()) != (ctypes.c_void_p,):
        raise TypeError(
            "fn must be declared as void (*)(void*): ctypes.CFUNCTYPE(None, ctypes.c_void_p), or set its restype to "
            "None and its argtypes to [ctypes.c_void_p]"
        )
    if user_data is None or isinstance(user_data, int):
        return lambda: fn(user_data)
    copy = ctypes.create_string_buffer(bytes(user_data), len(bytes(user_data)))
    return lambda: fn(ctypes.addressof(copy))
