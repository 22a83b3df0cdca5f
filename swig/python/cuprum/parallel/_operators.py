"""What an algorithm does to its elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._errors import Unsupported
from cuprum._native import Owner, _cuprum
from cuprum.parallel._captures import Captures
from cuprum.parallel._frame import NotTranslatedError
from cuprum.parallel._sources import syntax_tree
from cuprum.parallel._tracing import trace
from cuprum.parallel._translation import translate
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import DTypeLike

    OperatorLike: TypeAlias = "Operator | OpKind | str | Callable[..., Any]"


class OpKind(Enum):
    """The operators that CUB knows and has tuned its algorithms for."""

    PLUS = "plus"
    MINUS = "minus"
    MULTIPLIES = "multiplies"
    DIVIDES = "divides"
    MODULUS = "modulus"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    BIT_AND = "bit_and"
    BIT_OR = "bit_or"
    BIT_XOR = "bit_xor"
    LOGICAL_AND = "logical_and"
    LOGICAL_OR = "logical_or"
    EQUAL_TO = "equal_to"
    NOT_EQUAL_TO = "not_equal_to"
    LESS = "less"
    LESS_EQUAL = "less_equal"
    GREATER = "greater"
    GREATER_EQUAL = "greater_equal"
    IDENTITY = "identity"
    NEGATE = "negate"
    LOGICAL_NOT = "logical_not"
    BIT_NOT = "bit_not"


class Operator(Owner):
    """CUDA C++ over the operands ``a`` and ``b``: an expression, ``"a * b + 1"``, or a function's body.

    ``state``, a structured NumPy scalar or array of one element, has fields that the text sees by their names:
    ``Operator("a * scale", state=np.array((2.0,), [("scale", "f4")]))``. Its bytes are passed with every call and not
    compiled in: ``with_state`` makes the same operator with others. ``text`` is the text.
    """

    __slots__ = ("_keep", "_state_dtype", "text")
    #: The arrays whose addresses are in its state.
    _keep: tuple[Any, ...]
    _destroy = staticmethod(_cuprum.cuprum_parallel_operator_destroy)

    def __init__(self, text: str, *, state: Any = None) -> None:
        """It is compiled when an algorithm is built with it. The text means what it means in CUDA C++: an integer
        divided by 0 is not defined there, unlike in traced functions."""
        self._native = 0
        self._keep = ()
        self.text = text
        if state is None:
            self._state_dtype = None
            self._native = _cuprum.cuprum_parallel_operator_create(text, None, b"")
            return
        values = np.asarray(state)
        if values.dtype.names is None or values.size != 1:
            raise TypeError("an operator's state is one element with fields: np.array((2.0,), [('scale', 'f4')])")
        self._state_dtype = values.dtype
        self._native = _cuprum.cuprum_parallel_operator_create(text, type_text(values.dtype), values.tobytes())

    def with_state(self, state: Any) -> Operator:
        """The same operator with another state of the same type."""
        if self._state_dtype is None:
            raise TypeError("this operator has no state")
        return Operator(self.text, state=np.asarray(state, dtype=self._state_dtype))

    def __repr__(self) -> str:
        return f"Operator({self.text!r})"


class RawOp:
    """cuda.compute's operator of compiled code (LTO-IR), which Cuprum does not have."""

    __slots__ = ()

    def __init__(self, *, ltoir: bytes, name: str, **_: Any) -> None:
        """Raises Unsupported: operators are text, compiled with the algorithm by NVRTC, so that they run on the
        simulator too and are inlined."""
        raise Unsupported(
            f"making an operator (RawOp {name!r}): operators are CUDA C++ text or Python functions, compiled with the "
            "algorithm; compiled code is not linked to it\ngive the function's source: Operator('...')",
            operation="making an operator",
            object=f"RawOp {name!r}",
        )


def as_operator(
    op: OperatorLike, operands: Sequence[np.dtype[Any]], result: DTypeLike | None
) -> tuple[Operator, np.dtype[Any] | None]:
    """``op`` as an operator, and the type of its result if it is a function's."""
    if isinstance(op, Operator):
        return op, None
    if isinstance(op, OpKind):
        return Operator(op.value), None
    if isinstance(op, str):
        return Operator(op), None
    if isinstance(op, np.ufunc):
        function: Callable[..., Any] = op
        text, dtype = trace(lambda *values: function(*values), operands, None if result is None else np.dtype(result))
        return Operator(text), dtype
    if callable(op):
        tree = syntax_tree(op) if isinstance(op, FunctionType) else None
        wanted = None if result is None else np.dtype(result)
        if tree is None or not isinstance(op, FunctionType):
            text, dtype = trace(op, operands, wanted)
            return Operator(text), dtype
        captures = Captures()
        try:
            text, dtype = translate(op, tree, operands, wanted, captures)
        except NotTranslatedError as reason:
            try:
                text, dtype = trace(op, operands, wanted)
            except Exception:
                raise reason from None
            return Operator(text), dtype
        operator = Operator(text, state=captures.state())
        operator._keep = captures.arrays
        return operator, dtype
    raise TypeError(f"an operator is a function, CUDA C++ text, an OpKind or an Operator, not {type(op).__name__}")
