"""For tests of programs: a context around a test, and none left after it."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from cuprum.compat.pycuda._context import Context
from cuprum.compat.pycuda._default_context import make_default_context
from cuprum.compat.pycuda._device import init
from cuprum.compat.pycuda._memoize import clear_context_caches

_Test = TypeVar("_Test", bound=Callable[..., Any])


def init_cuda_context_fixture() -> Iterator[Context]:
    """The body of a pytest fixture: ``yield from init_cuda_context_fixture()``. A context for one test."""
    init()
    context = make_default_context()
    try:
        yield context
    finally:
        clear_context_caches()
        gc.collect()
        if Context.get_current() is context:
            context.pop()
        context.detach()
        gc.collect()


def mark_cuda_test(inner_f: _Test) -> _Test:
    """Runs a test in a context of its own."""

    @functools.wraps(inner_f)
    def run(*args: Any, **named: Any) -> Any:
        for _ in init_cuda_context_fixture():
            return inner_f(*args, **named)
        return None

    return run  # type: ignore[return-value]
