"""What an algorithm does to its elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from types import FunctionType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cuprum._native import Owner, _cuprum
from cuprum.core._module import ObjectCode
from cuprum.parallel._captures import Captures
from cuprum.parallel._frame import NotTranslatedError
from cuprum.parallel._kept_operators import kept, meaning
from cuprum.parallel._sources import syntax_tree
from cuprum.parallel._tracing import trace
from cuprum.parallel._translation import translate
from cuprum.parallel._types import type_text
from cuprum.parallel._wide import has_wide, recorded_text

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
    compiled in: ``with_state`` makes the same operator with others. ``text`` is the text. It can be pickled.
    """

    __slots__ = ("_keep", "_made", "_state_dtype", "text")
    #: The arrays whose addresses are in its state.
    _keep: tuple[Any, ...]
    #: What makes it, and of what: for another process.
    _made: tuple[Callable[..., Operator], tuple[Any, ...]]
    _destroy = staticmethod(_cuprum.cuprum_parallel_operator_destroy)

    def __init__(self, text: str, *, state: Any = None) -> None:
        """It is compiled when an algorithm is built with it. The text means what it means in CUDA C++: an integer
        divided by 0 is not defined there, unlike in traced functions."""
        self._native = 0
        self._keep = ()
        self._made = _of_text, (text, None)
        self.text = text
        if state is None:
            self._state_dtype = None
            self._native = _cuprum.cuprum_parallel_operator_create(text, None, b"")
            return
        values = np.asarray(state)
        if values.dtype.names is None or values.size != 1:
            raise TypeError("an operator's state is one element with fields: np.array((2.0,), [('scale', 'f4')])")
        self._state_dtype = values.dtype
        self._made = _of_text, (text, values.copy())
        self._native = _cuprum.cuprum_parallel_operator_create(text, type_text(values.dtype), values.tobytes())

    @classmethod
    def compiled(
        cls, name: str, code: ObjectCode, *, passing: Literal["pointers", "values"] = "pointers", state: Any = None
    ) -> Operator:
        """A device function that was compiled elsewhere, and is linked into each algorithm that is built with it.

        ``code`` is PTX, LTO-IR (which is optimised together with the algorithm) or what else a ``Linker`` takes, of
        relocatable device code; ``name`` is the function's in it: declare it ``extern "C"``. With
        ``passing="pointers"`` it is ``void f(void* a, void* b, void* result)``, and takes the address of ``state``
        before them if there is one; with ``"values"``, as ``numba.cuda.compile(abi="c")`` makes it, ``R f(A a, B b)``.
        What does not fit is an ``NvJitLinkError`` where an algorithm is built; whether it was compiled for the
        algorithm's types is not checked.
        """
        if passing not in ("pointers", "values"):
            raise ValueError(f"passing is {passing!r}, expected 'pointers' or 'values'")
        values = None if state is None else np.asarray(state)
        if values is not None and (values.dtype.names is None or values.size != 1):
            raise TypeError("an operator's state is one element with fields: np.array((2.0,), [('scale', 'f4')])")
        native = _cuprum.cuprum_parallel_operator_create_compiled(
            name,
            code._open_native("making an operator"),
            0 if passing == "pointers" else 1,
            None if values is None else type_text(values.dtype),
            b"" if values is None else values.tobytes(),
        )
        made = _of_code, (name, code.code_type, code.code, passing, None if values is None else values.copy())
        return cls._of(native, name, None if values is None else values.dtype, made)

    @classmethod
    def by_fields(cls, dtype: DTypeLike, fields: str) -> Operator:
        """A comparison of structs by some of their numbers: whether ``a`` comes before ``b``.

        ``fields`` has their names, that of the number that counts most first: ``"age, -weight"``; behind a ``-`` the
        largest comes first, ``place.x`` is a field of a field, and a field that is a struct stands for its numbers.
        Each has the order that a radix sort gives it. With ``execution="host"`` a merge sort takes it.
        """
        native = _cuprum.cuprum_parallel_operator_by_fields(type_text(np.dtype(dtype)), fields)
        return cls._of(native, f"by fields {fields}", None, (Operator.by_fields, (np.dtype(dtype), fields)))

    @classmethod
    def _of(
        cls,
        native: int,
        text: str,
        state_dtype: np.dtype[Any] | None,
        made: tuple[Callable[..., Operator], tuple[Any, ...]],
    ) -> Operator:
        operator = Operator.__new__(Operator)
        operator._native, operator._keep, operator._made = native, (), made
        operator.text, operator._state_dtype = text, state_dtype
        return operator

    def with_code(self, code: ObjectCode) -> Operator:
        """The same operator, of code that was compiled elsewhere, with more code, which its function calls."""
        native = _cuprum.cuprum_parallel_operator_with_code(
            self._open_native("making an operator"), code._open_native("making an operator")
        )
        made = _of_more_code, (self._made, code.code_type, code.code, self.text)
        return self._of(native, self.text, self._state_dtype, made)

    def with_state(self, state: Any) -> Operator:
        """The same operator with another state of the same type."""
        if self._state_dtype is None:
            raise TypeError("this operator has no state")
        value = np.asarray(state, dtype=self._state_dtype)
        native = _cuprum.cuprum_parallel_operator_with_state(
            self._open_native("binding an operator's state"), type_text(self._state_dtype), value.tobytes()
        )
        make, of = self._made
        made = (make, of[:1]) if make is _of_state else (_of_state, (self._made,))
        return self._of(native, self.text, self._state_dtype, (made[0], (*made[1], value.copy())))

    def __reduce__(self) -> Any:
        if self._keep:
            raise TypeError(
                "cannot copy or pickle this operator: it reads arrays on the device, which belong to this process"
            )
        return self._made

    def __repr__(self) -> str:
        return f"Operator({self.text!r})"


class RawOp(Operator):
    """An operator of LTO-IR that was compiled elsewhere, as cuda.compute has it: ``Operator.compiled`` takes PTX too.

    The function takes pointers: ``void name(void* a, void* b, void* result)``, with a pointer to the state before them
    if there is one. ``extra_ltoirs``: what it calls.
    """

    __slots__ = ()

    def __init__(
        self,
        *,
        ltoir: bytes,
        name: str,
        state: bytes = b"",
        state_alignment: int = 1,
        extra_ltoirs: Sequence[bytes] | None = None,
    ) -> None:
        """``state_alignment``: of the state's bytes, 1, 2, 4 or 8."""
        if state_alignment not in (1, 2, 4, 8):
            raise ValueError(f"state_alignment is {state_alignment}, expected 1, 2, 4 or 8")
        words = -(-len(state) // state_alignment)
        values = None
        if state:
            fields = [(f"word{i}", f"u{state_alignment}") for i in range(words)]
            values = np.frombuffer(state.ljust(words * state_alignment, b"\0"), np.dtype(fields, align=True))
        with ObjectCode.from_ltoir(ltoir, name=name) as code:
            made = Operator.compiled(name, code, state=values)
        for index, extra in enumerate(extra_ltoirs or ()):
            with ObjectCode.from_ltoir(extra, name=f"{name} {index + 1}") as code:
                made = made.with_code(code)
        self._native, made._native = made._native, 0
        self._keep = ()
        self._made = made._made
        self.text, self._state_dtype = name, made._state_dtype


def _of_text(text: str, state: Any) -> Operator:
    return Operator(text, state=state)


def _of_code(name: str, code_type: str, code: bytes, passing: Literal["pointers", "values"], state: Any) -> Operator:
    with ObjectCode._from(code_type, code, name, None) as made:
        return Operator.compiled(name, made, passing=passing, state=state)


def _of_more_code(
    of: tuple[Callable[..., Operator], tuple[Any, ...]], code_type: str, code: bytes, name: str
) -> Operator:
    make, arguments = of
    with ObjectCode._from(code_type, code, name, None) as made:
        return make(*arguments).with_code(made)


def _of_state(of: tuple[Callable[..., Operator], tuple[Any, ...]], state: Any) -> Operator:
    make, arguments = of
    return make(*arguments).with_state(state)


def as_operator(
    op: OperatorLike, operands: Sequence[np.dtype[Any]], result: DTypeLike | None
) -> tuple[Operator, np.dtype[Any] | None]:
    """``op`` as an operator, and the type of its result if it is a function's."""
    if isinstance(op, Operator):
        return op, None
    if isinstance(op, (OpKind, str)):
        text = op.value if isinstance(op, OpKind) else op
        return kept(text, lambda: Operator(text)), None
    if isinstance(op, FunctionType):
        known = meaning(op)
        if known is not None:
            key = (known, *operands, None if result is None else np.dtype(result))
            made: tuple[Operator, np.dtype[Any] | None] = kept(key, lambda: _of_function(op, operands, result))
            return made
    return _of_function(op, operands, result)


def _of_function(
    op: Callable[..., Any], operands: Sequence[np.dtype[Any]], result: DTypeLike | None
) -> tuple[Operator, np.dtype[Any] | None]:
    if callable(op) and has_wide(operands):
        given = op
        return Operator(recorded_text(lambda *values: given(*values), operands)), None
    if isinstance(op, np.ufunc):
        function: Callable[..., Any] = op
        text, dtype = trace(lambda *values: function(*values), operands, None if result is None else np.dtype(result))
        return Operator(text), dtype
    if callable(op):
        tree = syntax_tree(op) if isinstance(op, FunctionType) else None
        wanted = None if result is None else np.dtype(result)
        if hasattr(op, "py_func"):
            raise TypeError(
                f"{op!r} is a function that numba compiles: give its Python function, op.py_func, which Cuprum "
                "translates; or what numba.cuda.compile makes of that, to Operator.compiled"
            )
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
