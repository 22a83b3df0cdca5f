"""Algorithms over host memory that is larger than the device's memory that they may take: it goes through in pieces.

::

    memory = DeviceMemory(limit=1 << 30)
    sort = RadixSort(memory, np.uint32)
    sort(keys, keys_out, keys_scratch=keys)  # arrays of NumPy's, or page-locked buffers; the runs overwrite the input

Needs NumPy.
"""

from __future__ import annotations

from cuprum.parallel._algorithm import SortOrder
from cuprum.parallel._distributed import ScanKind
from cuprum.parallel._out_of_core import DeviceMemory, OutOfCoreAlgorithm
from cuprum.parallel._out_of_core_algorithms import HistogramEven, RadixSort, Reduce, ReduceByKey, Scan

__all__ = [
    "DeviceMemory",
    "HistogramEven",
    "OutOfCoreAlgorithm",
    "RadixSort",
    "Reduce",
    "ReduceByKey",
    "Scan",
    "ScanKind",
    "SortOrder",
]
