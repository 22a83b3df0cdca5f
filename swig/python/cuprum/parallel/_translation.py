"""Python functions as operators, translated from their syntax trees: with ``if``, loops and local variables.

Expressions are made of symbols, which have NumPy's meaning (``_operations``); what decides by a value of the device
becomes a statement of C++. A value never changes once it is there: what a branch or a loop assigns gets a variable of its
own where the paths meet, of the common type of what is assigned.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._errors import InvalidArgument
from cuprum.parallel import _operations  # noqa: F401  (what symbols can do)
from cuprum.parallel._captures import Captures
from cuprum.parallel._promotion import common_type, is_weak
from cuprum.parallel._sources import syntax_tree
from cuprum.parallel._symbol import BOOL, OPERATIONS, Symbol, TraceError, as_symbol, is_scalar, trace_error
from cuprum.parallel._types import cpp_name
from cuprum.parallel._writing import Writer, result_symbol

if TYPE_CHECKING:
    from cuprum.parallel._promotion import DType

INT64 = np.dtype(np.int64)
#: Calls within calls.
_MAX_DEPTH = 20
#: How often a loop is translated until the types of its variables are known.
_MAX_PASSES = 10

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
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


class _Unassigned:
    """What a name stands for where only some of the ways there assign it."""


_UNASSIGNED = _Unassigned()


@dataclass
class _Loop:
    """A loop that is being translated: its variables, by the names that they stand for."""

    variables: dict[str, Symbol]
    #: The values that the variables are given, on each way to the next round or out.
    given: dict[str, list[Any]]


class _Program:
    """What the functions of one operator share."""

    def __init__(self, captures: Captures) -> None:
        self.captures = captures
        self.numbers = itertools.count()
        self.depth = 0

    def name(self) -> str:
        return f"v{next(self.numbers)}"


class _Frame:
    """One function, with its arguments."""

    def __init__(self, program: _Program, function: FunctionType, tree: ast.FunctionDef | ast.Lambda) -> None:
        self._program = program
        self._function = function
        self._tree = tree
        self._lines: list[str] = []
        self._names: dict[str, Any] = {}
        self._loops: list[_Loop] = []
        #: What the function returns, on each way out.
        self._returned: list[Any] = []
        self._result: DType | None = None
        #: The variables of the loop that was translated last.
        self._loop_names: dict[str, str] = {}

    def translate(self, arguments: Sequence[Any], result: DType | None) -> tuple[list[str], Any, DType | None]:
        """The statements, and what the last of them returns where it is the only one; None where all are among the
        statements. The type that they return: ``result`` if given."""
        while True:
            self._lines, self._returned, self._loops = [], [], []
            self._names = self._bound(arguments)
            self._result = result
            last = self._body()
            if len(self._returned) == 1 and last is not None:
                return self._lines, last, result
            if result is not None:
                return self._lines, None, result
            result = self._common(self._returned, self._tree)
    def _bound(self, arguments: Sequence[Any]) -> dict[str, Any]:
        declared = self._tree.args
        if declared.vararg or declared.kwarg:
            raise self._untranslatable(declared)
        parameters = [*declared.posonlyargs, *declared.args]
        defaults = self._function.__defaults__ or ()
        names: dict[str, Any] = {}
        for i, parameter in enumerate(parameters):
            default = i - (len(parameters) - len(defaults))
            if i < len(arguments):
                names[parameter.arg] = arguments[i]
            elif default >= 0:
                names[parameter.arg] = defaults[default]
        for parameter in declared.kwonlyargs:
            if parameter.arg in (self._function.__kwdefaults__ or {}):
                names[parameter.arg] = (self._function.__kwdefaults__ or {})[parameter.arg]
        wanted = len(parameters) + len(declared.kwonlyargs)
        if len(arguments) > len(parameters) or len(names) < wanted:
            raise self._error(
                self._tree, f"{self._function.__name__!r} is called with {len(arguments)} values and takes {wanted}"
            )
        return names

    def _body(self) -> Any:
        """The value of a return at the very end, which is not among the lines; else None."""
        if isinstance(self._tree, ast.Lambda):
            value = self._value(self._tree.body)
            self._returned.append(value)
            return value
        *statements, last = self._tree.body
        if self._statements(statements):
            return None
        if isinstance(last, ast.Return) and last.value is not None:
            value = self._value(last.value)
            self._returned.append(value)
            if len(self._returned) == 1:
                return value
            self._write_return(value, last)
            return None
        if not self._statement(last):
            raise self._error(self._tree, "it may end without returning a value")
        return None

    def _value(self, node: ast.expr) -> Any:
        value = self._evaluate(node)
        if value is None:
            raise self._error(node, "the function returns a NoneType, which is not a value on the device")
        return value

    # What is wrong.

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

    # Writing.

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

    # Statements.

    def _statements(self, statements: Sequence[ast.stmt]) -> bool:
        """Whether none of the ways through them goes on behind them."""
        return any(self._statement(statement) for statement in statements)

    def _statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.Return():
                if node.value is None:
                    raise self._error(node, "it returns nothing")
                self._write_return(self._value(node.value), node)
                return True
            case ast.Assign():
                value = self._evaluate(node.value)
                for target in node.targets:
                    self._assign(target, value)
            case ast.AnnAssign():
                if node.value is not None:
                    self._assign(node.target, self._evaluate(node.value))
            case ast.AugAssign():
                self._augment(node)
            case ast.If():
                return self._if(node)
            case ast.While():
                return self._while(node)
            case ast.For():
                return self._for(node)
            case ast.Break() | ast.Continue():
                self._leave_round(node)
                return True
            case ast.Pass():
                pass
            case ast.Expr():
                if not isinstance(node.value, ast.Constant):
                    self._evaluate(node.value)
            case _:
                raise self._untranslatable(node)
        return False

    def _untranslatable(self, node: ast.AST) -> TraceError:
        kind = type(node).__name__
        error = self._error(
            node if hasattr(node, "lineno") else self._tree,
            f"{_WORDS.get(kind, kind)} cannot be translated",
            "use arithmetic, comparisons, if, while, for over range(), local variables and calls of such functions, or "
            "give the operator as CUDA C++ text",
        )
        return NotTranslatedError(*error.args, **{name: getattr(error, name) for name in _PARTS})

    def _write_return(self, value: Any, node: ast.AST) -> None:
        self._returned.append(value)
        with self._at(node):
            root = result_symbol(value, self._result)
        self._lines.append(f"return {self._text(root, root.dtype)};")

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

    def _augment(self, node: ast.AugAssign) -> None:
        read = ast.copy_location(ast.Expression(node.target), node)
        before = self._evaluate(_loaded(read.body))
        with self._at(node):
            self._assign(node.target, _BINARY[type(node.op)](before, self._evaluate(node.value)))

    # Decisions.

    def _truth(self, value: Any, node: ast.AST) -> Any:
        """A bool of Python's where it is known here, or else a symbol."""
        if not isinstance(value, Symbol):
            return bool(value)
        with self._at(node):
            if value.dtype.names:
                raise trace_error("a struct is used as a condition")
            return as_symbol(value, BOOL)

    def _if(self, node: ast.If) -> bool:
        condition = self._truth(self._evaluate(node.test), node.test)
        if isinstance(condition, bool):
            return self._statements(node.body if condition else node.orelse)
        test = self._text(condition, BOOL)
        self._settle()
        with self._block() as first:
            first_ends = self._statements(node.body)
            first_names = self._names
        with self._block() as second:
            second_ends = self._statements(node.orelse)
            second_names = self._names
        if not first_ends and not second_ends:
            self._meet(node, (first, first_names), (second, second_names))
        elif not (first_ends and second_ends):
            # What one way has made is there in its block alone.
            block, names = (second, second_names) if first_ends else (first, first_names)
            self._meet(node, (block, names), None)
        self._lines += [f"if ({test}) {{", *_indented(first), "} else {", *_indented(second), "}"]
        return first_ends and second_ends

    def _meet(
        self,
        node: ast.AST,
        first: tuple[list[str], dict[str, Any]],
        second: tuple[list[str], dict[str, Any]] | None,
    ) -> None:
        """Gives what differs at the ends of two blocks, or is new at the end of one, a variable outside of them."""
        ways = [first] if second is None else [first, second]
        for name in sorted({*first[1], *(second[1] if second else ())}):
            values = [names.get(name, _UNASSIGNED) for _, names in ways]
            if all(value is values[0] for value in values) and (
                self._names.get(name, _UNASSIGNED) is values[0] or _is_known(values[0])
            ):
                self._names[name] = values[0]
            elif any(value is _UNASSIGNED for value in values):
                self._names[name] = _UNASSIGNED
            elif is_scalar(values[0]) and all(type(v) is type(values[0]) and v == values[0] for v in values):
                self._names[name] = values[0]
            else:
                self._names[name] = self._joined(values, [lines for lines, _ in ways], node)

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

    # Loops.

    def _while(self, node: ast.While) -> bool:
        if node.orelse:
            raise self._error(node, "else after a loop cannot be translated")
        constant = _constant_truth(node.test)
        if constant is False:
            return False
        if _stored(node.test):
            raise self._error(node.test, ":= in the condition of a loop cannot be translated")

        def head() -> str:
            if constant is None:
                test = self._text(self._truth(self._evaluate(node.test), node.test), BOOL)
                self._lines.append(f"if (!({test})) break;")
            return "while (true)"

        self._loop(node, node.body, head)
        # One without an end is left by return alone.
        return constant is True and not _breaks(node.body)

    def _for(self, node: ast.For) -> bool:
        if node.orelse:
            raise self._error(node, "else after a loop cannot be translated")
        if not self._is_range(node.iter):
            return self._unrolled(node)
        assert isinstance(node.iter, ast.Call)
        bounds = [self._evaluate(each) for each in node.iter.args]
        if node.iter.keywords or not 1 <= len(bounds) <= 3:
            raise self._error(node.iter, "range takes one to three numbers")
        begin, end, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        for each in (begin, end, step):
            if isinstance(each, Symbol) and each.dtype.kind not in "iu":
                raise self._error(node.iter, f"range takes integers, and this is a {each.dtype}")
        if isinstance(step, Symbol) or int(step) == 0:
            raise self._error(node.iter, "the step of a range is a constant, and not 0")
        with self._at(node.iter):
            first, last = self._text(begin, INT64), self._text(end, INT64)
        self._settle()
        counter, limit = self._program.name(), self._program.name()
        self._lines.append(f"const long long {limit} = {last};")
        compare = "<" if int(step) > 0 else ">"

        def head() -> str:
            self._assign(node.target, Symbol(INT64, lambda: counter))
            return f"for (long long {counter} = {first}; {counter} {compare} {limit}; {counter} += {int(step)})"

        self._loop(node, node.body, head, _stored(node.target))
        return False

    def _is_range(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and self._evaluate(node.func) is range

    def _unrolled(self, node: ast.For) -> bool:
        values = self._evaluate(node.iter)
        if not isinstance(values, (tuple, list)):
            raise self._error(
                node.iter, "a loop goes over something else than range() or a tuple", "use range() and an index"
            )
        if _breaks(node.body) or _continues(node.body):
            raise self._error(node, "break and continue in a loop over a tuple cannot be translated", "use range()")
        for value in values:
            self._assign(node.target, value)
            if self._statements(node.body):
                return True
        return False

    def _loop(
        self, node: ast.stmt, body: Sequence[ast.stmt], head: Callable[[], str], own: frozenset[str] = frozenset()
    ) -> None:
        """``head`` writes what each round begins with, and returns the statement's."""
        self._settle()
        changed = {name for statement in body for name in _stored(statement)} | own
        outside = dict(self._names)
        carried = {name: outside[name] for name in sorted(changed) if outside.get(name, _UNASSIGNED) is not _UNASSIGNED}
        for name, value in carried.items():
            if isinstance(value, tuple):
                raise self._error(node, f"{name!r} has several parts, and changes in a loop", "use a variable for each")
        # Numbers of Python's have no type before they meet another value: the first round shows it.
        types: dict[str, DType | None] = {
            name: value.dtype if isinstance(value, Symbol) else None for name, value in carried.items()
        }
        returned = len(self._returned)
        for _ in range(_MAX_PASSES):
            del self._returned[returned:]
            try:
                lines, first_text, given = self._round(node, body, head, carried, types)
            except TraceError:
                # Of the numbers themselves: 1 % n, where n is 0 in the first round alone.
                if all(dtype is not None for dtype in types.values()):
                    raise
                types = {name: self._common([carried[name]], node) for name in carried}
                continue
            found = {name: self._common([carried[name], *given[name]], node) for name in carried}
            # NumPy takes None for float64 where it compares types.
            if all(dtype is not None for dtype in types.values()) and found == types:
                break
            types = dict(found)
        else:
            raise self._error(node, "the types of its variables depend on each other without end")
        declared = [f"{cpp_name(found[name])} {self._variable(name)} = {first_text[name]};" for name in carried]
        self._lines += [*declared, *lines]
        for name in changed:
            self._names[name] = _UNASSIGNED
        for name in carried:
            text = self._variable(name)
            self._names[name] = self._named_copy(found[name], text)

    def _named_copy(self, dtype: DType, text: str) -> Symbol:
        name = self._program.name()
        self._lines.append(f"{cpp_name(dtype)} {name} = {text};")
        return Symbol(dtype, lambda: name)

    def _variable(self, name: str) -> str:
        return self._loop_names[name]

    def _round(
        self,
        node: ast.stmt,
        body: Sequence[ast.stmt],
        head: Callable[[], str],
        carried: dict[str, Any],
        types: dict[str, DType | None],
    ) -> tuple[list[str], dict[str, str], dict[str, list[Any]]]:
        """The loop's lines with variables of these types, how the variables begin, and what they are given."""
        variables = {}
        names = {}
        first_text = {}
        for name, value in carried.items():
            names[name] = self._program.name()
            dtype = types[name]
            if dtype is not None:
                variables[name] = Symbol(dtype, lambda text=names[name]: text)
                first_text[name] = Writer(as_symbol(value, dtype), self._program.name).text
        loop = _Loop(variables, {name: [] for name in carried})
        self._loops.append(loop)
        try:
            with self._block() as lines:
                # As they are when the round begins: nothing that is made of them changes with them.
                for name in carried:
                    if name in variables:
                        self._names[name] = self._named_copy(variables[name].dtype, names[name])
                statement = head()
                if not self._statements(body):
                    self._write_round(loop)
        finally:
            self._loops.pop()
        self._loop_names = names
        return [f"{statement} {{", *_indented(lines), "}"], first_text, loop.given

    def _write_round(self, loop: _Loop) -> None:
        """Gives a loop's variables what their names stand for."""
        for name, given in loop.given.items():
            value = self._names.get(name, _UNASSIGNED)
            if value is _UNASSIGNED:
                raise self._error(self._tree, f"{name!r} may not have been assigned at the end of a loop's round")
            given.append(value)
            variable = loop.variables.get(name)
            # Too narrow a type shows when the round is done, and the loop is then translated anew.
            if variable is not None and not isinstance(value, tuple):
                self._lines.append(f"{variable._emit()} = {self._text(value, variable.dtype)};")

    def _leave_round(self, node: ast.stmt) -> None:
        if not self._loops:
            raise self._error(node, "it is in no loop")
        self._write_round(self._loops[-1])
        self._lines.append("break;" if isinstance(node, ast.Break) else "continue;")

    # Expressions.

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
                return _BINARY[type(node.op)](self._evaluate(node.left), self._evaluate(node.right))
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
                return slice(*(None if each is None else self._evaluate(each) for each in (node.lower, node.upper, node.step)))
        raise self._untranslatable(node)

    def _lookup(self, node: ast.Name) -> Any:
        if node.id in self._names:
            value = self._names[node.id]
            if value is _UNASSIGNED:
                raise self._error(node, f"{node.id!r} may not have been assigned", "assign it before the if or the loop")
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
            if isinstance(other, (bool, np.bool_)) or (isinstance(other, Symbol) and other.dtype == BOOL):
                if value.dtype == BOOL:
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

    def _parted(self, condition: Symbol, values: Sequence[Any], ways: Sequence[list[str]], node: ast.AST) -> Any:
        """One of two values, which need what their lines compute."""
        test = self._text(condition, BOOL)
        result = self._joined(list(values), list(ways), node)
        self._lines += [f"if ({test}) {{", *_indented(ways[0]), "} else {", *_indented(ways[1]), "}"]
        return result

    def _chosen(self, condition: Symbol, first: Any, second: Any, node: ast.AST) -> Any:
        if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
            return tuple(self._chosen(condition, a, b, node) for a, b in zip(first, second, strict=True))
        dtype = self._common([first, second], node)
        parts = as_symbol(first, dtype), as_symbol(second, dtype)
        return Symbol(dtype, lambda c, a, b: f"({c} ? {a} : {b})", [condition, *parts])

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

    # Calls.

    def _call(self, node: ast.Call) -> Any:
        function = self._evaluate(node.func)
        if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
            raise self._untranslatable(node)
        arguments = [self._evaluate(each) for each in node.args]
        named = {each.arg: self._evaluate(each.value) for each in node.keywords if each.arg}
        if not any(_has_symbol(each) for each in (*arguments, *named.values())):
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
            lines, last, dtype = _Frame(self._program, function, tree).translate(given, None)
        finally:
            self._program.depth -= 1
        if last is not None:
            self._lines += lines
            return last
        assert dtype is not None
        name = self._program.name()
        self._lines += [f"{cpp_name(dtype)} {name} = [&]() -> {cpp_name(dtype)} {{", *_indented(lines), "}();"]
        return Symbol(dtype, lambda: name)

    # Functions of Python's own.

    def extreme(self, node: ast.Call, *values: Any, is_largest: bool) -> Any:
        """As Python's, which keeps the first of equal ones."""
        parts: Sequence[Any] = values[0] if len(values) == 1 and isinstance(values[0], tuple) else values
        result = parts[0]
        for each in parts[1:]:
            better = each > result if is_largest else each < result
            result = self._chosen(as_symbol(better, BOOL), each, result, node)
        return result


def _rounded(_frame: _Frame, _node: ast.Call, value: Any, *digits: Any) -> Any:
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


def _is_known(value: Any) -> bool:
    """To Python, and always the same."""
    return not isinstance(value, Symbol) and not (isinstance(value, tuple) and any(_has_symbol(v) for v in value))


def _has_symbol(value: Any) -> bool:
    return isinstance(value, Symbol) or (isinstance(value, tuple) and any(_has_symbol(each) for each in value))


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _stored(node: ast.AST) -> frozenset[str]:
    """The names that are assigned within."""
    return frozenset(
        each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    )


def _loaded(target: ast.expr) -> ast.expr:
    """A target as an expression."""
    fields = {name: getattr(target, name) for name in target._fields}
    return ast.copy_location(type(target)(**{**fields, "ctx": ast.Load()}), target)


def _constant_truth(node: ast.expr) -> bool | None:
    return bool(node.value) if isinstance(node, ast.Constant) else None


def _leaves(statements: Sequence[ast.stmt], kind: type[ast.stmt]) -> bool:
    for statement in statements:
        if isinstance(statement, kind):
            return True
        if isinstance(statement, ast.If) and (_leaves(statement.body, kind) or _leaves(statement.orelse, kind)):
            return True
    return False


def _breaks(statements: Sequence[ast.stmt]) -> bool:
    return _leaves(statements, ast.Break)


def _continues(statements: Sequence[ast.stmt]) -> bool:
    return _leaves(statements, ast.Continue)


def translate(
    function: FunctionType,
    tree: ast.FunctionDef | ast.Lambda,
    operands: Sequence[DType],
    result: DType | None,
    captures: Captures,
) -> tuple[str, DType]:
    """The text of a function of that many operands, and the type that it returns: ``result`` if given.

    A struct is returned as a tuple of its fields, in their order, or as one of the operands.
    """
    symbols = [Symbol(dtype, lambda name=name: name) for name, dtype in zip("ab", operands, strict=False)]
    frame = _Frame(_Program(captures), function, tree)
    lines, last, dtype = frame.translate(symbols, result)
    if last is None:
        assert dtype is not None
        return "\n".join(lines), dtype
    with frame._at(tree):
        root = result_symbol(last, result)
    writer = Writer(root, frame._program.name)
    lines = [*lines, *writer.lines]
    if not lines:
        return writer.text, root.dtype
    return "\n".join([*lines, f"return {writer.text};"]), root.dtype
