"""The syntax trees of functions."""

from __future__ import annotations

import ast
import functools
import linecache
from types import CodeType, FunctionType

Function = ast.FunctionDef | ast.Lambda


def syntax_tree(function: FunctionType) -> Function | None:
    """A function's own node, with the line numbers of its file; None where its source is not to be had (``exec``,
    ``python -c``, an interactive session)."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        return None
    found = [node for node in _functions("".join(lines)).get(code.co_firstlineno, ()) if _is_of(node, code)]
    return found[0] if len(found) == 1 else None


@functools.lru_cache(maxsize=16)
def _functions(source: str) -> dict[int, list[Function]]:
    """All functions of a file, by the line that they begin in, decorators included."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return {}
    found: dict[int, list[Function]] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
            found.setdefault(min([node.lineno, *(each.lineno for each in decorators)]), []).append(node)
    return found


def _is_of(node: Function, code: CodeType) -> bool:
    """Whether code was compiled from a node: several lambdas may begin in one line."""
    if isinstance(node, ast.FunctionDef):
        return code.co_name == node.name
    if code.co_name != "<lambda>":
        return False
    names = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    if list(code.co_varnames[: len(names)]) != names:
        return False
    body = node.body
    begin, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    places = [place for place in code.co_positions() if None not in place and place[2:] != (0, 0)]
    within = [(first, column) for first, _, column, _ in places]
    ends = [(last, column) for _, last, _, column in places]
    return bool(places) and min(within) == begin and max(ends) == end
