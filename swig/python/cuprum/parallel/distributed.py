"""Algorithms over data that is spread over the devices of this process.

A communicator is a list of devices, each a rank with a stream of its own. Each has a shard of the data, and an
algorithm is called with a list of shards for each input and output::

    communicator = Communicator()
    sort = RadixSort(communicator, np.int32)
    sort(keys, keys)  # a list of arrays in device memory, one of each device: the first device has the first keys now

Needs NumPy.
"""

from __future__ import annotations

from cuprum.parallel._algorithm import SortOrder
from cuprum.parallel._distributed import Communicator, DistributedAlgorithm, ReducedShard, ScanKind, Shard
from cuprum.parallel._distributed_algorithms import HistogramEven, RadixSort, Reduce, ReduceByKey, Scan

__all__ = [
    "Communicator",
    "DistributedAlgorithm",
    "HistogramEven",
    "RadixSort",
    "Reduce",
    "ReduceByKey",
    "ReducedShard",
    "Scan",
    "ScanKind",
    "Shard",
    "SortOrder",
]
