"""Expressions of a function that is being translated."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._errors import InvalidArgument
from cuprum.parallel import _operations  # noqa: F401  (what symbols can do)
from cuprum.parallel._frame import INT64, UNASSIGNED, Frame, has_symbol, indented
from cuprum.parallel._sources import syntax_tree
from cuprum.parallel._symbol import BOOL, OPERATIONS, Symbol, TraceError, as_symbol, trace_error
from cuprum.parallel._types import cpp_name

if TYPE_CHECKING:
    from cuprum.parallel._promotion import DType

#: Calls within calls.
_MAX_DEPTH = 20

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip


class Expressions(Frame):
    """What gives a value."""

    def translate(self, arguments: Sequence[Any], result: DType | None) -> tuple[list[str], Any, DType | None]:
        """The statements of the function; see ``_translation``."""
        raise NotImplementedError

    def _evaluate(self, node: ast.expr) -> Any:
        """A value of Python's where it is known here, or else a symbol, or a tuple of both."""
        with self._at(node):
            try:
                return self._expression(node)
            except (TraceError, InvalidArgument):
                raise
            except Exception as error:
                # Of Python's own values.
                raise self._error(node, f"{type(error).__name__}: {error}") from error

    def _expression(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self._lookup(node)
            case ast.BinOp():
                return BINARY[type(node.op)](self._evaluate(node.left), self._evaluate(node.right))
            case ast.UnaryOp():
                value = self._evaluate(node.operand)
                if isinstance(node.op, ast.Not):
                    truth = self._truth(value, node)
                    return not truth if isinstance(truth, bool) else OPERATIONS["logical_not"](truth)
                return _UNARY[type(node.op)](value)
            case ast.BoolOp():
                return self._both(node)
            case ast.Compare():
                return self._compared(node)
            case ast.IfExp():
                condition = self._truth(self._evaluate(node.test), node.test)
                if isinstance(condition, bool):
                    return self._evaluate(node.body if condition else node.orelse)
                return self._either(condition, node.body, node.orelse, node)
            case ast.Tuple() | ast.List():
                return tuple(self._evaluate(each) for each in node.elts)
            case ast.Attribute():
                return getattr(self._evaluate(node.value), node.attr)
            case ast.Subscript():
                return self._subscript(node)
            case ast.Call():
                return self._call(node)
            case ast.NamedExpr():
                value = self._evaluate(node.value)
                self._assign(node.target, value)
                return value
            case ast.Slice():
                return slice(
                    *(None if each is None else self._evaluate(each) for each in (node.lower, node.upper, node.step))
                )
        raise self._untranslatable(node)

    def _lookup(self, node: ast.Name) -> Any:
        if node.id in self._names:
            value = self._names[node.id]
            if value is UNASSIGNED:
                raise self._error(
                    node, f"{node.id!r} may not have been assigned", "assign it before the if or the loop"
                )
            return value
        if node.id in self._function.__code__.co_varnames:
            raise self._error(node, f"{node.id!r} is not assigned yet")
        free = self._function.__code__.co_freevars
        if node.id in free:
            assert self._function.__closure__
            return self._function.__closure__[free.index(node.id)].cell_contents
        if node.id in self._function.__globals__:
            return self._function.__globals__[node.id]
        if hasattr(builtins, node.id):
            return getattr(builtins, node.id)
        raise self._error(node, f"there is no {node.id!r}")

    def _both(self, node: ast.BoolOp) -> Any:
        """As Python has it: one of the values."""
        value = self._evaluate(node.values[0])
        for each in node.values[1:]:
            truth = self._truth(value, node)
            is_and = isinstance(node.op, ast.And)
            if isinstance(truth, bool):
                if truth is is_and:
                    value = self._evaluate(each)
                    continue
                return value
            with self._block() as lines:
                other = self._evaluate(each)
            if lines:
                # It may only be read where the first one lets it.
                ways = (lines, []) if is_and else ([], lines)
                value = self._parted(truth, (other, value) if is_and else (value, other), ways, node)
                continue
            is_bool = isinstance(other, (bool, np.bool_)) or (isinstance(other, Symbol) and other.dtype == BOOL)
            if is_bool and value.dtype == BOOL:
                value = OPERATIONS["logical_and" if is_and else "logical_or"](truth, other)
                continue
            value = self._chosen(truth, *((other, value) if is_and else (value, other)), node)
        return value

    def _either(self, condition: Symbol, first: ast.expr, second: ast.expr, node: ast.AST) -> Any:
        with self._block() as first_lines:
            one = self._evaluate(first)
        with self._block() as second_lines:
            other = self._evaluate(second)
        if not first_lines and not second_lines:
            return self._chosen(condition, one, other, node)
        return self._parted(condition, (one, other), (first_lines, second_lines), node)

    def _compared(self, node: ast.Compare) -> Any:
        left = self._evaluate(node.left)
        result: Any = True
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self._evaluate(right_node)
            if isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) and (
                isinstance(left, Symbol) or isinstance(right, Symbol)
            ):
                raise self._error(node, "'is' and 'in' cannot be asked of values of the device", "compare with ==")
            one = _COMPARE[type(op)](left, right)
            if result is True:
                result = one
            elif isinstance(one, Symbol) or isinstance(result, Symbol):
                result = OPERATIONS["logical_and"](result, one)
            else:
                result = result and one
            left = right
        return result

    def _subscript(self, node: ast.Subscript) -> Any:
        value, index = self._evaluate(node.value), self._evaluate(node.slice)
        if isinstance(value, Symbol):
            if isinstance(index, Symbol):
                raise trace_error("a field of a struct is chosen by a value of the device")
            return value[index]
        element = self._program.captures.element(value, index)
        if element is not None:
            # Now: a later statement may change it.
            return self._named(element)
        if isinstance(index, Symbol):
            if isinstance(value, np.ndarray):
                raise trace_error(
                    "an array in host memory is read at a position that is known on the device only",
                    "copy it to the device, DeviceArray.from_numpy(), and use that",
                )
            raise trace_error(f"a {type(value).__name__} is read at a position that is known on the device only")
        return value[index]

    def _call(self, node: ast.Call) -> Any:
        function = self._evaluate(node.func)
        if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
            raise self._untranslatable(node)
        arguments = [self._evaluate(each) for each in node.args]
        named = {each.arg: self._evaluate(each.value) for each in node.keywords if each.arg}
        if not any(has_symbol(each) for each in (*arguments, *named.values())):
            return self._known_call(node, function, arguments, named)
        if named:
            raise self._error(node, "arguments are given by their names", "give values of the device by position")
        if isinstance(function, type) and issubclass(function, np.generic):
            (value,) = arguments
            return as_symbol(value, np.dtype(function))
        if function in _BUILTINS:
            return _BUILTINS[function](self, node, *arguments)
        module = getattr(function, "__module__", None) or ""
        if module == "math" and hasattr(np, _MATH.get(function.__name__, function.__name__)):
            return getattr(np, _MATH.get(function.__name__, function.__name__))(*arguments)
        if isinstance(function, np.ufunc) or module.split(".")[0] in ("numpy", "cuprum"):
            return function(*arguments)
        if isinstance(function, FunctionType):
            return self._inlined(node, function, arguments)
        raise self._error(
            node, f"{getattr(function, '__name__', function)!r} has no meaning on the device", "use functions of NumPy"
        )

    def _known_call(self, node: ast.Call, function: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
        if function in (print, input, open):
            raise self._error(node, f"{function.__name__} has no meaning on the device")
        if isinstance(function, FunctionType) and syntax_tree(function) is not None and not named:
            module = function.__module__ or ""
            if module.split(".")[0] not in ("numpy", "cuprum"):
                return self._inlined(node, function, arguments)
        return function(*arguments, **named)

    def _inlined(self, node: ast.Call, function: FunctionType, arguments: list[Any]) -> Any:
        """A call of another Python function: its value, or a function of C++ within this one where it decides."""
        tree = syntax_tree(function)
        if tree is None:
            raise self._error(node, f"the source of {function.__name__!r} is not to be had, so it cannot be translated")
        if self._program.depth == _MAX_DEPTH:
            raise self._error(node, f"{function.__name__!r} calls itself, or functions are nested too deep")
        given = [self._named(each) if isinstance(each, Symbol) else each for each in arguments]
        self._program.depth += 1
        try:
            lines, last, dtype = type(self)(self._program, function, tree).translate(given, None)
        finally:
            self._program.depth -= 1
        if last is not None:
            self._lines += lines
            return last
        assert dtype is not None
        name = self._program.name()
        self._lines += [f"{cpp_name(dtype)} {name} = [&]() -> {cpp_name(dtype)} {{", *indented(lines), "}();"]
        return Symbol(dtype, lambda: name)

    def _assign(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name():
                self._names[target.id] = value
            case ast.Tuple() | ast.List():
                if not isinstance(value, tuple) or len(value) != len(target.elts):
                    raise self._error(target, f"{len(target.elts)} values are expected here")
                for part, each in zip(target.elts, value, strict=True):
                    self._assign(part, each)
            case ast.Subscript():
                self._store(target, value)
            case _:
                raise self._error(target, "a value of the device cannot be changed in its parts", "make a new one")

    def _store(self, target: ast.Subscript, value: Any) -> None:
        array, index = self._evaluate(target.value), self._evaluate(target.slice)
        with self._at(target):
            element = self._program.captures.element(array, as_symbol(index, INT64))
            if element is None:
                raise trace_error("a value of the device cannot be changed in its parts", "make a new one")
            text = self._text(value, element.dtype)
            place = self._text(element, element.dtype)
        self._lines.append(f"{place} = {text};")

    def extreme(self, node: ast.Call, *values: Any, is_largest: bool) -> Any:
        """As Python's, which keeps the first of equal ones."""
        parts: Sequence[Any] = values[0] if len(values) == 1 and isinstance(values[0], tuple) else values
        result = parts[0]
        for each in parts[1:]:
            better = each > result if is_largest else each < result
            result = self._chosen(as_symbol(better, BOOL), each, result, node)
        return result


def _rounded(_frame: Expressions, _node: ast.Call, value: Any, *digits: Any) -> Any:
    if digits:
        raise trace_error("round takes one value of the device")
    return as_symbol(OPERATIONS["rint"](value), INT64)


_BUILTINS: dict[Any, Callable[..., Any]] = {
    abs: lambda _frame, _node, value: abs(value),
    bool: lambda _frame, _node, value: as_symbol(value, BOOL),
    int: lambda _frame, _node, value: as_symbol(value, INT64),
    float: lambda _frame, _node, value: as_symbol(value, np.dtype(np.float64)),
    complex: lambda _frame, _node, value: as_symbol(value, np.dtype(np.complex128)),
    min: lambda frame, node, *values: frame.extreme(node, *values, is_largest=False),
    max: lambda frame, node, *values: frame.extreme(node, *values, is_largest=True),
    pow: lambda _frame, _node, left, right: left**right,
    round: _rounded,
    len: lambda _frame, _node, values: len(values),
    sum: lambda _frame, _node, values, *first: sum(values, *first),
    tuple: lambda _frame, _node, values: tuple(values),
}
#: What NumPy calls the functions of Python's math.
_MATH = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "fabs": "abs", "pow": "power",
}  # fmt: skip
