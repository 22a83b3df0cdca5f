"""Python functions as operators, translated from their syntax trees: with ``if``, loops and local variables.

Expressions are made of symbols, which have NumPy's meaning (``_operations``); what decides by a value of the device
becomes a statement of C++. A value never changes once it is there: what a branch or a loop assigns gets a variable of
its own where the paths meet, of the common type of what is assigned.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any

from cuprum.parallel._captures import Captures
from cuprum.parallel._expressions import BINARY, Expressions
from cuprum.parallel._frame import INT64, UNASSIGNED, Program, indented, is_known
from cuprum.parallel._operands import OPERAND_NAMES
from cuprum.parallel._symbol import BOOL, Symbol, TraceError, as_symbol, is_scalar
from cuprum.parallel._types import cpp_name
from cuprum.parallel._writing import Writer, result_symbol

if TYPE_CHECKING:
    from cuprum.parallel._promotion import DType

#: How often a loop is translated until the types of its variables are known.
_MAX_PASSES = 10


@dataclass
class _Loop:
    """A loop that is being translated: its variables, by the names that they stand for."""

    variables: dict[str, Symbol]
    #: The values that the variables are given, on each way to the next round or out.
    given: dict[str, list[Any]]


class _Function(Expressions):
    """The statements of one function."""

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

    def _write_return(self, value: Any, node: ast.AST) -> None:
        self._returned.append(value)
        with self._at(node):
            root = result_symbol(value, self._result)
        self._lines.append(f"return {self._text(root, root.dtype)};")

    def _augment(self, node: ast.AugAssign) -> None:
        read = ast.copy_location(ast.Expression(node.target), node)
        before = self._evaluate(_loaded(read.body))
        with self._at(node):
            self._assign(node.target, BINARY[type(node.op)](before, self._evaluate(node.value)))

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
        self._lines += [f"if ({test}) {{", *indented(first), "} else {", *indented(second), "}"]
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
            values = [names.get(name, UNASSIGNED) for _, names in ways]
            if all(value is values[0] for value in values) and (
                self._names.get(name, UNASSIGNED) is values[0] or is_known(values[0])
            ):
                self._names[name] = values[0]
            elif any(value is UNASSIGNED for value in values):
                self._names[name] = UNASSIGNED
            elif is_scalar(values[0]) and all(type(v) is type(values[0]) and v == values[0] for v in values):
                self._names[name] = values[0]
            else:
                self._names[name] = self._joined(values, [lines for lines, _ in ways], node)

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
        carried = {name: outside[name] for name in sorted(changed) if outside.get(name, UNASSIGNED) is not UNASSIGNED}
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
            self._names[name] = UNASSIGNED
        for name in carried:
            text = self._variable(name)
            self._names[name] = self._named_copy(found[name], text)

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
        return [f"{statement} {{", *indented(lines), "}"], first_text, loop.given

    def _write_round(self, loop: _Loop) -> None:
        """Gives a loop's variables what their names stand for."""
        for name, given in loop.given.items():
            value = self._names.get(name, UNASSIGNED)
            if value is UNASSIGNED:
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
    symbols = [Symbol(dtype, lambda name=name: name) for name, dtype in zip(OPERAND_NAMES, operands, strict=False)]
    frame = _Function(Program(captures), function, tree)
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
