"""A cache of what the library has found.

The library keeps what it found, and Python keeps its answer: a second look-up is one look into a dictionary. Both
forget together, in ``reset_cache()`` and when another toolkit is put in use; variables of the environment are read by
the first search after that. What C code of the same process resets behind Python's back is not seen.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

Parameters = ParamSpec("Parameters")
Found = TypeVar("Found")

_kept: list[functools._lru_cache_wrapper[Any]] = []
#: How often everything was forgotten.
_generation = 0


def remembered(find: Callable[Parameters, Found]) -> Callable[Parameters, Found]:
    """Keeps what the function returns, per name, until ``forget()``. Failures are not kept."""

    @functools.cache
    @functools.wraps(find)
    def search(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Found:
        while True:
            generation = _generation
            found = find(*args, **kwargs)
            if generation == _generation:  # else it is an answer from before a reset in another thread
                return found

    _kept.append(search)
    return cast("Callable[Parameters, Found]", search)


def forget() -> None:
    global _generation
    _generation += 1
    for search in _kept:
        search.cache_clear()
