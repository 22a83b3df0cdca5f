"""The cache of compiled code on disk, so that the next process does not compile the same source again."""

from __future__ import annotations

from typing import NamedTuple

from cuprum._native import _cuprum


class CompileCacheInfo(NamedTuple):
    """The compile cache: its folder, what is in it now, and how this process has used it.

    ``directory`` is empty if the cache is disabled, and ``disabled_reason`` then says why. The ``entries`` on disk
    have ``size`` bytes in all, of at most ``size_limit``. The rest counts this process: ``hits``, ``misses`` (compiled,
    and stored where possible), compiles that ``bypassed`` the cache (on request, or because the result depends on more
    than the cache can see), and entries that were ``dropped`` because they were damaged, or ``evicted`` because the
    folder had exceeded its limit.
    """

    directory: str
    disabled_reason: str
    size_limit: int
    entries: int
    size: int
    hits: int
    misses: int
    bypassed: int
    dropped: int
    evicted: int


class CompileCacheCheck(NamedTuple):
    """What ``verify_compile_cache`` found: ``intact`` entries, and those that it ``removed``."""

    intact: int
    removed: int


def compile_cache_info() -> CompileCacheInfo:
    """Folder, size and statistics of the compile cache."""
    directory, reason = _cuprum.cuprum_compile_cache_directory()
    entries, size, limit = _cuprum.cuprum_compile_cache_size()
    return CompileCacheInfo(directory, reason, limit, entries, size, *_cuprum.cuprum_compile_cache_statistics())


def verify_compile_cache() -> CompileCacheCheck:
    """Reads every entry, and removes those that are damaged or that another version of Cuprum has written."""
    return CompileCacheCheck(*_cuprum.cuprum_compile_cache_verify())


def clear_compile_cache() -> None:
    """Removes all entries."""
    _cuprum.cuprum_compile_cache_clear()
