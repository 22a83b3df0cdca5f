"""Transformations, which need nothing of other partitions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import dask.array as da
import numpy as np
from dask.array.utils import meta_from_array
from dask.base import tokenize

from cuprum.parallel import _one_shot
from cuprum.parallel.dask._chunks import contiguous, like
from cuprum.parallel.dask._devices import on_device
from cuprum.parallel.dask._graph import aligned, require_array
from cuprum.parallel.dask._operators import fingerprint, portable

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.parallel._operators import OperatorLike


def transform(data: Any, op: OperatorLike, *, second: Any = None, dtype: DTypeLike | None = None) -> Any:
    """``op`` of every element, or of every pair of elements with those of ``second``, with the chunks of ``data``.

    ``dtype`` is that of the results. Without it, translating a function finds it, and text has the elements' type.
    """
    require_array("data", data)
    inputs = [data] if second is None else [data, aligned(data, "second", second)]
    operator, found = portable(op, [array.dtype for array in inputs], dtype)
    result = np.dtype(dtype) if dtype is not None else found if found is not None else data.dtype
    token = tokenize("transform", [array.name for array in inputs], fingerprint(operator), str(result.descr))
    return da.map_blocks(
        partial(transform_partition, op=operator, dtype=result),
        *inputs,
        name=f"cuprum-transform-{token}",
        dtype=result,
        meta=meta_from_array(data, ndim=1, dtype=result),
    )


def transform_partition(chunk: Any, second: Any = None, *, op: OperatorLike, dtype: np.dtype[Any]) -> Any:
    with on_device(chunk):
        if len(chunk) == 0 and (second is None or len(second) == 0):
            return contiguous(chunk).astype(dtype)
        other = None if second is None else contiguous(second)
        chunk = contiguous(chunk)
        return like(chunk, _one_shot.transform(chunk, op, second=other, dtype=dtype))
