"""A sample sort of many partitions on a Ray cluster, whose tasks call ``cuprum.parallel``.

No test runs this program: Ray is not among what the tests install, since its wheel is large. It was run by hand with
Ray 2.60 on the simulator.

There is no package of Cuprum's for Ray, as there is for Dask (``cuprum.parallel.dask``). Unlike there the splitters are
keys that samples give, so partitions of the result differ in size, and many equal keys come into one partition.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import ray
from cuprum import parallel
from cuprum.core import Device

COUNT = 40_000
PARTITIONS = 4
SAMPLES = 64  # of each partition

Values = np.ndarray[Any, Any]
# On GPUs: @ray.remote(num_gpus=1), or a part of one. Ray then gives each task its device by CUDA_VISIBLE_DEVICES.
remote = ray.remote(num_cpus=1)


@remote
def sort_partition(keys: Values) -> tuple[Values, Values]:
    in_order = parallel.sort(keys)
    return in_order, in_order[:: max(1, len(in_order) // SAMPLES)]


@remote
def cut(in_order: Values, samples: list[Values]) -> list[Values]:
    """The keys for each partition of the result."""
    all_samples = parallel.sort(np.concatenate(samples))
    splitters = all_samples[len(all_samples) * np.arange(1, PARTITIONS) // PARTITIONS]
    return [np.ascontiguousarray(part) for part in np.split(in_order, np.searchsorted(in_order, splitters))]


@remote
def merge(*runs: Values) -> Values:
    return np.asarray(parallel.sort(np.concatenate(runs)))


def main() -> int:
    keys = np.random.default_rng(seed=1).integers(0, 1_000_000, COUNT).astype(np.int32)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        sorted_partitions = [sort_partition.options(num_returns=2).remote(part) for part in np.split(keys, PARTITIONS)]
        samples = ray.get([sample for _, sample in sorted_partitions])
        pieces = [cut.options(num_returns=PARTITIONS).remote(run, samples) for run, _ in sorted_partitions]
        result = ray.get([merge.remote(*(of_run[i] for of_run in pieces)) for i in range(PARTITIONS)])
    finally:
        ray.shutdown()
    ok = np.array_equal(np.concatenate(result), np.sort(keys))
    print(f"{COUNT} keys in {PARTITIONS} partitions on Ray, {Device(0).name}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
