"""Views of other libraries' arrays, under the names of ``cuda.core.utils``."""

from __future__ import annotations

from cuprum.core._memoryview import StridedMemoryView, args_viewable_as_strided_memory

__all__ = ["StridedMemoryView", "args_viewable_as_strided_memory"]
