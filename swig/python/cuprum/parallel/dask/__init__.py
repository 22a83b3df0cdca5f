"""The algorithms over Dask's arrays, a partition at a time on each worker's device.

Arrays of one dimension go in, lazy ones come out; what runs is in Dask's own graph. ``reduce``, ``scan``, ``sort``,
``sort_by_key``, ``transform``, ``histogram_even``, ``histogram_range``, ``reduce_by_key``: the arguments are those of
the same calls of ``cuprum.parallel``, and so are the operators::

    import dask.array as da
    from cuprum.parallel import dask as parallel

    keys = da.random.random(10**9, chunks=10**7)
    parallel.reduce(keys, op="maximum").compute()
    parallel.sort(keys)[:10].compute()

Chunks are NumPy's arrays, or CuPy's, which stay on their device; results have chunks of the same kind. Partitions are
exchanged through Dask. A function is translated when it is given, so what cannot be translated is an error there.

Needs Dask: ``pip install 'cuprum[dask]'``.
"""

from __future__ import annotations

try:
    import dask.array  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"cuprum.parallel.dask needs Dask and NumPy, and importing dask.array failed: {error}; install them with "
        "pip install 'cuprum[dask]'"
    ) from error

from cuprum.parallel.dask._by_key import reduce_by_key
from cuprum.parallel.dask._histograms import histogram_even, histogram_range
from cuprum.parallel.dask._reductions import reduce
from cuprum.parallel.dask._scans import scan
from cuprum.parallel.dask._sorts import sort, sort_by_key
from cuprum.parallel.dask._transforms import transform

__all__ = [
    "histogram_even",
    "histogram_range",
    "reduce",
    "reduce_by_key",
    "scan",
    "sort",
    "sort_by_key",
    "transform",
]
