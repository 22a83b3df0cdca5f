"""Many programs at once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._module import ObjectCode
from cuprum.core._program import Program


class CompileRequest(NamedTuple):
    """One compile of many: a ``program``, with what ``Program.compile`` takes.

    ``target_type`` is ``"ptx"``, ``"cubin"`` or ``"ltoir"``; None is what the device loads directly.
    ``name_expressions`` are C++ names of template instances and the like, found again by ``get_kernel``.
    """

    program: Program
    target_type: str | None = None
    name_expressions: Sequence[str] = ()


class CompileProgress:
    """One compile that is done: the one at ``index`` of the requests, of ``program``.

    ``done`` of ``total`` are, with this one. ``succeeded`` says whether it has; ``from_cache`` whether it was found in
    the compile cache, and not compiled. ``log`` is what the compiler said: warnings, or why it failed.
    """

    __slots__ = ("done", "from_cache", "index", "log", "program", "succeeded", "total")

    def __init__(
        self, index: int, done: int, total: int, program: Program, succeeded: bool, from_cache: bool, log: str
    ) -> None:
        """Made by ``compile_all``."""
        self.index = index
        self.done = done
        self.total = total
        self.program = program
        self.succeeded = succeeded
        self.from_cache = from_cache
        self.log = log

    def __repr__(self) -> str:
        outcome = "compiled" if self.succeeded else "failed"
        return f"<CompileProgress {self.done} of {self.total}: {self.program!r} {outcome}>"


def compile_all(
    requests: Iterable[Program | CompileRequest],
    *,
    num_threads: int = 0,
    progress: Callable[[CompileProgress], object] | None = None,
) -> list[ObjectCode]:
    """Compiles many programs on several threads, and returns their codes in the order of the requests.

    At most ``num_threads`` run, 0 for as many as there are cores. ``progress`` is called in this thread as each compile
    is done; what it raises cancels the compiles that have not begun. All are compiled, also when some fail:
    CompileError then names each of those programs, and its ``log`` has the logs of all.
    """
    if isinstance(requests, Program | CompileRequest):
        raise TypeError(f"requests must be a sequence, not one {type(requests).__name__}")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function, not {type(progress).__name__}")
    wanted = [each if isinstance(each, CompileRequest) else CompileRequest(each) for each in requests]
    compiles = [_checked(each) for each in wanted]
    try:
        threads = operator.index(num_threads)
    except TypeError:
        raise TypeError(f"num_threads must be an int, not {num_threads!r}") from None
    if threads < 0:
        raise ValueError(f"num_threads is 0 or more, not {threads}")
    batch = _cuprum.cuprum_compile_batch_create(threads)
    try:
        for each, (code_type, expressions) in zip(wanted, compiles, strict=True):
            native = each.program._open_native(_operations.COMPILE_BATCH_ADD)
            _cuprum.cuprum_compile_batch_add(batch, native, code_type, expressions)
        while (done := _cuprum.cuprum_compile_batch_next(batch))[0]:
            if progress is not None:
                _, position, count, total, succeeded, from_cache, log = done
                program = wanted[position].program
                progress(CompileProgress(position, count, total, program, bool(succeeded), bool(from_cache), log))
        _cuprum.cuprum_compile_batch_require_success(batch)
        return [_result(batch, i, wanted[i].program, compiles[i][1]) for i in range(len(wanted))]
    finally:
        _cuprum.cuprum_compile_batch_destroy(batch)


def _checked(request: CompileRequest) -> tuple[int, list[str]]:
    """The number of its target, and its name expressions."""
    program, target_type, names = request
    if not isinstance(program, Program):
        raise TypeError(f"a request must be a Program or a CompileRequest, not {type(program).__name__}")
    if isinstance(names, str | bytes):
        raise TypeError("name_expressions must be a sequence of str, not a single one")
    return program._target(target_type, ()), [e.decode() if isinstance(e, bytes) else e for e in names]


def _result(batch: int, position: int, program: Program, expressions: list[str]) -> ObjectCode:
    native = _cuprum.cuprum_compile_batch_result(batch, position)
    # From here on the handle has its owner: a failure below frees it.
    code = ObjectCode._wrap(native, program._source_options[0] or "", {})
    for expression in expressions:
        code._symbol_mapping[expression] = _cuprum.cuprum_object_code_lowered_name(native, expression)
    return code
