"""Numbers as arguments of kernels, and the types of results."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

DType = np.dtype[Any]


def is_scalar(value: object) -> bool:
    """Whether it is one number of Python's or NumPy's."""
    return isinstance(value, int | float | complex | np.generic)


def as_argument(value: Any, dtype: DType, what: str) -> Any:
    """The value for a parameter of that type. Raises where it would lose more than precision."""
    kind = dtype.kind
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        if kind == "f":
            if isinstance(value, float):
                return value
            return float(value)
        if kind in "iu":
            number = index(value)
            bits = 8 * dtype.itemsize
            smallest, largest = (0, (1 << bits) - 1) if kind == "u" else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
            if not smallest <= number <= largest:
                raise OverflowError(f"{what}: {number} does not fit into {dtype}, {smallest} to {largest}")
            return number
        if kind == "c":
            return complex(value)
        if kind == "b":
            return bool(value)
    except TypeError:
        raise TypeError(f"{what} is {dtype}, and {_shown(value)} is not; convert it first") from None
    given = np.asarray(value)
    if given.dtype != dtype or given.shape != ():
        raise TypeError(f"{what} is {dtype}, and {_shown(value)} is not; make it with numpy.array(..., dtype)")
    return given


def _shown(value: object) -> str:
    if isinstance(value, int | float | complex | np.generic):
        return f"{value!r}"
    return f"an object of the type {type(value).__name__}"


def require_numbers(*dtypes: DType) -> None:
    """Raises for the types of structures, which have no arithmetic."""
    for dtype in dtypes:
        if dtype.kind not in "biufc":
            raise TypeError(
                f"elements of the type {dtype} have no arithmetic; take the numbers in them with view(), or write an "
                "ElementwiseKernel"
            )


_common: dict[tuple[Any, Any], DType] = {}


def common_dtype(first: DType, second: DType) -> DType:
    """NumPy's common type of two arrays'."""
    key = first, second
    found = _common.get(key)
    if found is None:
        require_numbers(first, second)
        found = _common[key] = np.result_type(first, second)
    return found


def common_dtype_of_scalar(dtype: DType, scalar: Any) -> DType:
    """NumPy's common type of an array's elements and a number; Python's own numbers take the elements' precision."""
    kind = type(scalar)
    key = dtype, kind
    found = _common.get(key)
    if found is None:
        require_numbers(dtype)
        if isinstance(scalar, np.generic):
            require_numbers(scalar.dtype)
            found = np.result_type(dtype, scalar.dtype)
        else:
            # Small enough for every type: whether the number itself fits is seen when it becomes an argument.
            found = (np.zeros(1, dtype) + kind(1)).dtype
        _common[key] = found
    return found


def real_dtype(dtype: DType) -> DType:
    """The type of a complex number's parts; other types are their own."""
    if dtype.kind != "c":
        return dtype
    return np.dtype(np.float32 if dtype.itemsize == 8 else np.float64)
