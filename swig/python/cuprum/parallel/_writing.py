"""Symbols as C++ text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel._symbol import Symbol, as_symbol, is_scalar, trace_error
from cuprum.parallel._types import cpp_name

if TYPE_CHECKING:
    from cuprum.parallel._promotion import DType

#: Of one expression. Compilers parse nested parentheses recursively, and limit how deep they go.
_MAX_NESTING = 24


class Writer:
    """A symbol as C++, in time and text linear in the number of operations.

    What is used more than once becomes a variable, and so does what would make an expression nest too deep.
    """

    def __init__(self, root: Symbol, name: Callable[[], str]) -> None:
        """``name`` gives a variable's name that is not in use yet."""
        self._name = name
        self.lines: list[str] = []
        self._uses: dict[int, int] = {}
        #: By id: a symbol's text, and how deep it nests.
        self._texts: dict[int, tuple[str, int]] = {}
        for symbol in self._in_order(root):
            self._write(symbol)
        self.text = root._root_text or self._texts[id(root)][0]

    def _in_order(self, root: Symbol) -> list[Symbol]:
        """Each symbol once, after its arguments. Counts their uses."""
        order: list[Symbol] = []
        self._uses[id(root)] = 1
        stack: list[tuple[Symbol, Iterator[Symbol]]] = [(root, iter(root._arguments))]
        while stack:
            symbol, arguments = stack[-1]
            for argument in arguments:
                uses = self._uses.get(id(argument), 0)
                self._uses[id(argument)] = uses + 1
                if uses == 0:
                    stack.append((argument, iter(argument._arguments)))
                    break
            else:
                order.append(symbol)
                stack.pop()
        return order

    def _write(self, symbol: Symbol) -> None:
        operands = [self._texts[id(argument)] for argument in symbol._arguments]
        text = symbol._emit(*(text for text, _ in operands))
        nesting = 1 + max((depth for _, depth in operands), default=-1)
        if symbol._arguments and (self._uses[id(symbol)] > 1 or nesting >= _MAX_NESTING):
            name = self._name()
            # Not const: compilers try to evaluate what is made of constants, recursively, and run out of stack.
            self.lines.append(f"{cpp_name(symbol.dtype)} {name} = {text};")
            text, nesting = name, 0
        self._texts[id(symbol)] = text, nesting


def result_symbol(value: Any, result: DType | None) -> Symbol:
    """What the function has returned, as a symbol of the type that is wanted."""
    if isinstance(value, tuple):
        if result is None or result.names is None or len(value) != len(result.names):
            fields = "no struct" if result is None or result.names is None else f"{len(result.names)} fields"
            raise trace_error(f"the function returns {len(value)} values, expected {fields}")
        parts = [as_symbol(part, result.fields[name][0]) for part, name in zip(value, result.names, strict=True)]  # type: ignore[index]
        order = sorted(range(len(parts)), key=lambda i: result.fields[result.names[i]][1])  # type: ignore[index]
        name = cpp_name(result)
        return Symbol(result, lambda *fields: f"{name}{{{', '.join(fields)}}}", [parts[i] for i in order])
    if isinstance(value, Symbol):
        if result is not None and (value.dtype.names or result.names) and value.dtype != result:
            raise trace_error(f"the function returns {value.dtype}, expected {result}")
        return value if result is None else as_symbol(value, result)
    if is_scalar(value):
        return as_symbol(value, result if result is not None else np.result_type(value))
    raise trace_error(f"the function returns a {type(value).__name__}, which is not a value on the device")
