"""Operators that were made before, for the calls that take an operator each time.

An operator of a well-known kind or of a text is a value. A function's is what its code and the values that it refers to
make of it, so it is kept with these: one that refers to what may change is translated anew each time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

#: How many operators are kept; then all of them are forgotten.
_MOST = 512
#: Immutable, and equal to nothing that differs: compared by type and text, since 0.0 equals -0.0 and 1 equals True.
_CONSTANTS = (bool, int, float, complex, str, type(None), np.generic)
#: What a name may refer to whose meaning is its module's, and does not change.
_MODULES = frozenset(
    {"numpy", "math", "builtins", "cuprum.parallel", "cuprum.parallel._symbol", "cuprum.parallel._operations"}
)

_kept: dict[Hashable, Any] = {}


def kept(key: Hashable, make: Callable[[], Any]) -> Any:
    """What was made for the key before, or what ``make`` makes."""
    try:
        return _kept[key]
    except KeyError:
        if len(_kept) >= _MOST:
            _kept.clear()
        made = _kept[key] = make()
        return made


def forget() -> None:
    """Lets go of all of them."""
    _kept.clear()


def meaning(function: FunctionType) -> Hashable | None:
    """What decides what the function does to its operands; None where that may change."""
    code = function.__code__
    if function.__defaults__ or function.__kwdefaults__ or any(isinstance(each, CodeType) for each in code.co_consts):
        return None
    values: list[Hashable] = [code, code.co_filename]
    for cell in function.__closure__ or ():
        try:
            value = cell.cell_contents
        except ValueError:
            return None
        if not isinstance(value, _CONSTANTS):
            return None
        values.append((type(value), repr(value)))
    for name in code.co_names:
        if name not in function.__globals__:
            values.append(name)  # an attribute, or a builtin function
            continue
        value = function.__globals__[name]
        if isinstance(value, _CONSTANTS):
            values.append((name, type(value), repr(value)))
        elif _is_fixed(value):
            values.append((name, id(value)))  # alive as long as its module is
        else:
            return None
    return tuple(values)


def _is_fixed(value: Any) -> bool:
    if isinstance(value, ModuleType):
        return value in (np, math)
    if isinstance(value, (np.ufunc, type)):
        return getattr(value, "__module__", None) in _MODULES or isinstance(value, np.ufunc)
    return isinstance(value, (FunctionType, BuiltinFunctionType)) and value.__module__ in _MODULES
