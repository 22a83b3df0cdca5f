"""The initial value of a reduction or scan for which none is given: the operator's identity."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel._operators import Operator, OpKind
from cuprum.parallel._symbol import TraceError
from cuprum.parallel._tracing import trace
from cuprum.parallel._types import is_float
from cuprum.parallel._wide import is_wide, pack_int128, wide_limits

if TYPE_CHECKING:
    from cuprum.parallel._operators import OperatorLike

    DType = np.dtype[Any]

_UFUNCS: dict[OpKind, np.ufunc] = {
    OpKind.PLUS: np.add,
    OpKind.MULTIPLIES: np.multiply,
    OpKind.MINIMUM: np.minimum,
    OpKind.MAXIMUM: np.maximum,
    OpKind.BIT_AND: np.bitwise_and,
    OpKind.BIT_OR: np.bitwise_or,
    OpKind.BIT_XOR: np.bitwise_xor,
    OpKind.LOGICAL_AND: np.logical_and,
    OpKind.LOGICAL_OR: np.logical_or,
}


def _squeezed(text: str) -> str:
    plain = "".join(text.split())
    return plain[1:-1] if plain.startswith("(") and plain.find(")") == len(plain) - 1 else plain


def _text(function: Callable[..., Any], dtype: DType) -> str | None:
    try:
        return _squeezed(trace(function, [dtype, dtype], dtype)[0])
    except TraceError:
        return None


def _kind(op: OperatorLike, dtype: DType) -> OpKind | None:
    """Which well-known operator it is, if it is one: by its kind, its name, its text or what it is traced to."""
    if is_wide(dtype):
        return _kind(op, np.dtype(np.int64)) if isinstance(op, (str, OpKind, Operator)) else None
    if isinstance(op, OpKind):
        return op
    if isinstance(op, np.ufunc):
        return next((kind for kind, ufunc in _UFUNCS.items() if ufunc is op), None)
    if isinstance(op, (str, Operator)):
        text: str | None = _squeezed(op.text if isinstance(op, Operator) else op)
    else:
        text = _text(op, dtype) if callable(op) else None
    if text is None:
        return None
    for kind, ufunc in _UFUNCS.items():
        mirrored = _text(lambda a, b, ufunc=ufunc: ufunc(b, a), dtype)
        if text in (kind.value, _text(lambda a, b, ufunc=ufunc: ufunc(a, b), dtype), mirrored):
            return kind
    return None


def _extreme(dtype: DType, largest: bool) -> Any:
    if is_wide(dtype):
        return wide_limits(dtype)[largest]
    if dtype.kind == "b":
        return largest
    if is_float(dtype):
        return np.inf if largest else -np.inf
    if dtype.kind in "iu":
        return np.iinfo(dtype).max if largest else np.iinfo(dtype).min
    return None


def identity(op: OperatorLike, dtype: DType) -> np.ndarray[Any, Any]:
    """The value that changes no other: 0 for a sum, infinity for a minimum. TypeError if none is known."""
    if isinstance(op, OpKind) and (dtype.names is None or is_wide(dtype)):
        known = _identities.get((op, dtype))
        if known is None:
            known = _identities[op, dtype] = np.array(_identity(op, dtype))
            known.flags.writeable = False
        return known
    return _identity(op, dtype)


#: Of well-known operators.
_identities: dict[tuple[OpKind, DType], np.ndarray[Any, Any]] = {}


def _identity(op: OperatorLike, dtype: DType) -> np.ndarray[Any, Any]:
    kind = None if dtype.names is not None and not is_wide(dtype) else _kind(op, dtype)
    value = None
    if kind in (OpKind.MINIMUM, OpKind.MAXIMUM):
        value = _extreme(dtype, kind is OpKind.MINIMUM)
    elif kind is OpKind.BIT_AND and is_wide(dtype):
        value = -1 if wide_limits(dtype)[0] < 0 else wide_limits(dtype)[1]
    elif kind is OpKind.BIT_AND and dtype.kind in "iu":
        return np.invert(np.zeros((), dtype))
    elif kind in _UFUNCS:
        value = _UFUNCS[kind].identity
    if value is None:
        raise TypeError(
            f"an initial value is needed: this operator has no identity for elements of {dtype} that is known here; "
            "give init="
        )
    return pack_int128(int(value), dtype) if is_wide(dtype) else np.asarray(value).astype(dtype)
