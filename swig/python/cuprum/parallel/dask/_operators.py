"""Operators as what can be sent to workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.core import _current
from cuprum.parallel._operators import Operator, OpKind, as_operator

if TYPE_CHECKING:
    from cuprum.parallel._operators import OperatorLike

DType = np.dtype[Any]


def portable(op: OperatorLike, operands: Sequence[DType], result: Any) -> tuple[OpKind | str | Operator, DType | None]:
    """The operator, a function as its text, and the type of its result if it is a function's.

    Functions are translated here, where the caller's line is in the traceback, and not by each worker.
    """
    if isinstance(op, (OpKind, str)):
        return op, None
    operator, dtype = as_operator(op, operands, result)
    if operator is op:
        pickle.dumps(operator)  # or an error that says why it cannot be sent
        return operator, None
    if operator._keep:
        raise TypeError(
            f"the function {getattr(op, '__name__', op)!r} reads an array on the device, and other workers cannot: "
            "give its elements as another input (second=), or as an Operator's state"
        )
    return operator.text, dtype


def fingerprint(op: Any) -> Hashable:
    """Of a portable operator, or of none: equal for equal ones, in every process."""
    return pickle.dumps(op) if isinstance(op, Operator) else op


#: Algorithms that this process has built, by what they were built for.
_built: dict[Hashable, Any] = {}
_MOST_BUILT = 128


def built(make: Callable[[], Any], *what: Hashable) -> Any:
    """The algorithm that was built for this on the current device before, or what ``make`` builds.

    Tasks of several threads may build one at once; the code is compiled once nevertheless.
    """
    key = (_current.device_id(), *what)
    known = _built.get(key)
    if known is None:
        if len(_built) >= _MOST_BUILT:
            _built.clear()
        known = _built[key] = make()
    return known
