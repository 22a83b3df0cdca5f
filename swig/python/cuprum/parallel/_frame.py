"""A function that is being translated: its names, the statements so far, and what is wrong with it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel._captures import Captures
from cuprum.parallel._promotion import common_type, is_weak
from cuprum.parallel._symbol import BOOL, Symbol, TraceError, as_symbol, is_scalar, trace_error
from cuprum.parallel._types import cpp_name
from cuprum.parallel._writing import Writer

if TYPE_CHECKING:
    from cuprum.parallel._promotion import DType

INT64 = np.dtype(np.int64)
#: Statements and expressions by the words that a reader knows them by.
_WORDS = {
    "Try": "try", "TryStar": "try", "With": "with", "Raise": "raise", "Global": "global", "Nonlocal": "nonlocal",
    "Yield": "yield", "YieldFrom": "yield", "Await": "await", "Delete": "del", "Import": "import",
    "ImportFrom": "import", "ClassDef": "class", "FunctionDef": "a function within it", "Lambda": "a lambda within it",
    "ListComp": "a list comprehension", "SetComp": "a set comprehension", "DictComp": "a dict comprehension",
    "GeneratorExp": "a generator", "JoinedStr": "a formatted string", "Dict": "a dict", "Set": "a set",
    "Assert": "assert", "Match": "match", "Starred": "a starred expression", "Call": "a call with * or **",
    "arguments": "a parameter of * or **",
}  # fmt: skip
#: Of an error.
_PARTS = ("operation", "object", "detail", "advice")


class NotTranslatedError(TraceError):
    """The function has a kind of statement or expression that is not translated. It may well be about values that are
    known here, which tracing runs as it is."""


class Unassigned:
    """What a name stands for where only some of the ways there assign it."""


UNASSIGNED = Unassigned()


class Program:
    """What the functions of one operator share."""

    def __init__(self, captures: Captures) -> None:
        self.captures = captures
        self.numbers = itertools.count()
        self.depth = 0

    def name(self) -> str:
        return f"v{next(self.numbers)}"


class Frame:
    """One function, with its arguments."""

    def __init__(self, program: Program, function: FunctionType, tree: ast.FunctionDef | ast.Lambda) -> None:
        self._program = program
        self._function = function
        self._tree = tree
        self._lines: list[str] = []
        self._names: dict[str, Any] = {}
        self._loops: list[Any] = []
        #: What the function returns, on each way out.
        self._returned: list[Any] = []
        self._result: DType | None = None
        #: The variables of the loop that was translated last.
        self._loop_names: dict[str, str] = {}

    def _error(self, node: ast.AST, detail: str, advice: str = "") -> TraceError:
        place = f"{self._function.__code__.co_filename.rsplit('/', 1)[-1]}:{getattr(node, 'lineno', 0)}"
        words = f"{place}: {detail}"
        text = f"translating an operator: {words}" + (f"\n{advice}" if advice else "")
        return TraceError(text, operation="translating an operator", object=place, detail=detail, advice=advice)

    @contextmanager
    def _at(self, node: ast.AST) -> Iterator[None]:
        """Errors within are of that line."""
        try:
            yield
        except TraceError as error:
            if error.operation != "tracing an operator":
                raise
            raise self._error(node, error.detail, error.advice) from None

    def _untranslatable(self, node: ast.AST) -> TraceError:
        kind = type(node).__name__
        error = self._error(
            node if hasattr(node, "lineno") else self._tree,
            f"{_WORDS.get(kind, kind)} cannot be translated",
            "use arithmetic, comparisons, if, while, for over range(), local variables and calls of such functions, or "
            "give the operator as CUDA C++ text",
        )
        return NotTranslatedError(*error.args, **{name: getattr(error, name) for name in _PARTS})

    def _text(self, value: Any, dtype: DType) -> str:
        """A value of that type, as an expression; what it needs goes before."""
        writer = Writer(as_symbol(value, dtype), self._program.name)
        self._lines += writer.lines
        return writer.text

    def _named(self, value: Symbol) -> Symbol:
        """A symbol as a variable, so that it is computed once and here."""
        if not value._arguments:
            return value
        text = self._text(value, value.dtype)
        name = self._program.name()
        self._lines.append(f"{cpp_name(value.dtype)} {name} = {text};")
        return Symbol(value.dtype, lambda: name)

    def _named_copy(self, dtype: DType, text: str) -> Symbol:
        name = self._program.name()
        self._lines.append(f"{cpp_name(dtype)} {name} = {text};")
        return Symbol(dtype, lambda: name)

    def _settle(self) -> None:
        """Computes what variables stand for, before the paths part."""
        for name, value in self._names.items():
            if isinstance(value, Symbol):
                self._names[name] = self._named(value)
            elif isinstance(value, tuple):
                self._names[name] = tuple(self._named(v) if isinstance(v, Symbol) else v for v in value)

    @contextmanager
    def _block(self) -> Iterator[list[str]]:
        """The lines written within, which the caller puts where they belong. Names keep what they stood for."""
        lines, names = self._lines, self._names
        self._lines, self._names = [], dict(names)
        try:
            yield self._lines
        finally:
            self._lines, self._names = lines, names

    def _common(self, values: Sequence[Any], node: ast.AST) -> DType:
        with self._at(node):
            if any(isinstance(value, tuple) for value in values):
                raise trace_error("values of several parts are chosen from", "choose each part on its own")
            symbols = [value.dtype for value in values if isinstance(value, Symbol)]
            structs = [dtype for dtype in symbols if dtype.names]
            if structs:
                if any(dtype != structs[0] for dtype in symbols) or len(symbols) < len(values):
                    raise trace_error("a struct and something else are chosen from")
                return structs[0]
            for value in values:
                if not isinstance(value, Symbol) and not is_scalar(value):
                    raise trace_error(f"a {type(value).__name__} depends on a value of the device")
            operands = [value.dtype if isinstance(value, Symbol) else value for value in values]
            if all(is_weak(value) for value in operands):
                return np.result_type(*(np.asarray(value) for value in operands))
            return common_type(*operands)

    def _truth(self, value: Any, node: ast.AST) -> Any:
        """A bool of Python's where it is known here, or else a symbol."""
        if not isinstance(value, Symbol):
            return bool(value)
        with self._at(node):
            if value.dtype.names:
                raise trace_error("a struct is used as a condition")
            return as_symbol(value, BOOL)

    def _joined(self, values: list[Any], blocks: list[list[str]], node: ast.AST) -> Any:
        if all(isinstance(value, tuple) and len(value) == len(values[0]) for value in values):
            return tuple(self._joined(list(parts), blocks, node) for parts in zip(*values, strict=True))
        dtype = self._common(values, node)
        name = self._program.name()
        self._lines.append(f"{cpp_name(dtype)} {name};")
        for value, block in zip(values, blocks, strict=True):
            writer = Writer(as_symbol(value, dtype), self._program.name)
            block += [*writer.lines, f"{name} = {writer.text};"]
        return Symbol(dtype, lambda: name)

    def _parted(self, condition: Symbol, values: Sequence[Any], ways: Sequence[list[str]], node: ast.AST) -> Any:
        """One of two values, which need what their lines compute."""
        test = self._text(condition, BOOL)
        result = self._joined(list(values), list(ways), node)
        self._lines += [f"if ({test}) {{", *indented(ways[0]), "} else {", *indented(ways[1]), "}"]
        return result

    def _chosen(self, condition: Symbol, first: Any, second: Any, node: ast.AST) -> Any:
        if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
            return tuple(self._chosen(condition, a, b, node) for a, b in zip(first, second, strict=True))
        dtype = self._common([first, second], node)
        parts = as_symbol(first, dtype), as_symbol(second, dtype)
        return Symbol(dtype, lambda c, a, b: f"({c} ? {a} : {b})", [condition, *parts])


def is_known(value: Any) -> bool:
    """To Python, and always the same."""
    return not isinstance(value, Symbol) and not (isinstance(value, tuple) and any(has_symbol(v) for v in value))


def has_symbol(value: Any) -> bool:
    return isinstance(value, Symbol) or (isinstance(value, tuple) and any(has_symbol(each) for each in value))


def indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]
