"""Caches whose entries belong to a context."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from cuprum.compat.pycuda._context import Context, add_cache, clear_caches, current_context

#: The functions that ``context_dependent_memoize`` has made.
context_dependent_memoized_functions: list[Callable[..., Any]] = []

_Function = TypeVar("_Function", bound=Callable[..., Any])


def context_dependent_memoize(func: _Function) -> _Function:
    """Remembers a function's results for each context and each set of arguments, which are hashable."""
    of_contexts: dict[Context, dict[Any, Any]] = {}

    @functools.wraps(func)
    def remembered(*args: Any, **named: Any) -> Any:
        context = current_context(func.__name__)
        results = of_contexts.get(context)
        if results is None:
            results = of_contexts[context] = {}
        key = (args, *sorted(named.items())) if named else args
        try:
            return results[key]
        except KeyError:
            result = results[key] = func(*args, **named)
            return result

    add_cache(of_contexts.clear, lambda context: of_contexts.pop(context, None))
    context_dependent_memoized_functions.append(remembered)
    return remembered  # type: ignore[return-value]


def clear_context_caches() -> None:
    """Forgets all of them, with the modules and memory that they hold."""
    clear_caches()
