"""Batches and views of arrays, under the names of ``cuda.core.utils``, the compile cache and compile logs."""

from __future__ import annotations

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

__all__ = [
    "CompileCacheCheck",
    "CompileCacheInfo",
    "CopyOptions",
    "Diagnostic",
    "MemcpyOverlapMode",
    "MemcpySrcAccessOrder",
    "StridedMemoryView",
    "args_viewable_as_strided_memory",
    "clear_compile_cache",
    "compile_cache_info",
    "copy_batch",
    "discard_batch",
    "discard_prefetch_batch",
    "parse_diagnostics",
    "prefetch_batch",
    "verify_compile_cache",
]
