"""Algorithms over data that is spread over several devices, of this process or of several.

A communicator is a list of devices, each a rank with a stream of its own. Each has a shard of the data, and an
algorithm is called with a list of shards for each input and output::

    communicator = Communicator()
    sort = RadixSort(communicator, np.int32)
    sort(keys, keys)  # a list of arrays in device memory, one of each device: the first device has the first keys now

Where each process has one device, each calls with a list of one shard, that of its own rank, over NCCL::

    process = Process.from_environment()  # of torchrun
    communicator = Communicator(Device(process.local_rank), process)

Needs NumPy.
"""

from __future__ import annotations

from cuprum.parallel._algorithm import SortOrder
from cuprum.parallel._communicator import Communicator, Message
from cuprum.parallel._distributed import DistributedAlgorithm, ReducedShard, ScanKind
from cuprum.parallel._distributed_algorithms import HistogramEven, RadixSort, Reduce, ReduceByKey, Scan
from cuprum.parallel._process import NcclOptions, Process
from cuprum.parallel._shard import Shard

__all__ = [
    "Communicator",
    "DistributedAlgorithm",
    "HistogramEven",
    "Message",
    "NcclOptions",
    "Process",
    "RadixSort",
    "Reduce",
    "ReduceByKey",
    "ReducedShard",
    "Scan",
    "ScanKind",
    "Shard",
    "SortOrder",
]
