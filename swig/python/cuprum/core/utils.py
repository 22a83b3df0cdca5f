"""Batches and views of arrays, under the names of ``cuda.core.utils``, the compile cache and compile logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum._diagnostics import Diagnostic, parse_diagnostics
from cuprum.core._batch import (
    CopyOptions,
    MemcpyOverlapMode,
    MemcpySrcAccessOrder,
    copy_batch,
    discard_batch,
    discard_prefetch_batch,
    prefetch_batch,
)
from cuprum.core._compile_cache import (
    CompileCacheCheck,
    CompileCacheInfo,
    clear_compile_cache,
    compile_cache_info,
    verify_compile_cache,
)
from cuprum.core._memoryview import StridedMemoryView, args_viewable_as_strided_memory

if TYPE_CHECKING:
    from cuprum.core._program_cache import (
        FileStreamProgramCache,
        InMemoryProgramCache,
        ProgramCacheResource,
        make_program_cache_key,
    )

#: What few programs use is loaded when it is asked for.
_LATER = frozenset({"FileStreamProgramCache", "InMemoryProgramCache", "ProgramCacheResource", "make_program_cache_key"})

__all__ = [
    "CompileCacheCheck",
    "CompileCacheInfo",
    "CopyOptions",
    "Diagnostic",
    "FileStreamProgramCache",
    "InMemoryProgramCache",
    "MemcpyOverlapMode",
    "MemcpySrcAccessOrder",
    "ProgramCacheResource",
    "StridedMemoryView",
    "args_viewable_as_strided_memory",
    "clear_compile_cache",
    "compile_cache_info",
    "copy_batch",
    "discard_batch",
    "discard_prefetch_batch",
    "make_program_cache_key",
    "parse_diagnostics",
    "prefetch_batch",
    "verify_compile_cache",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from cuprum.core import _program_cache

        return getattr(_program_cache, name)
    raise AttributeError(f"module 'cuprum.core.utils' has no attribute {name!r}")
