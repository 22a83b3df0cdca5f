"""Data of many partitions on a Dask cluster: statistics, a sort and sums by key, on each worker's device.

The cluster here is two processes of this machine; with ``distributed.Client("tcp://scheduler:8786")`` in its place the
program runs on that one.
"""

from __future__ import annotations

import sys

import dask.array as da
import numpy as np
from cuprum.core import Device
from cuprum.parallel import OpKind
from cuprum.parallel import dask as parallel
from distributed import Client, LocalCluster

COUNT = 40_000
PARTITIONS = 8


def main() -> int:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        random = np.random.default_rng(seed=1)
        host_prices = random.integers(0, 1000, COUNT).astype(np.int32)
        host_shops = random.integers(0, 50, COUNT).astype(np.int32)
        prices, shops = (da.from_array(array, chunks=COUNT // PARTITIONS) for array in (host_prices, host_shops))

        # Lazy: nothing has run yet.
        largest = parallel.reduce(prices, op=OpKind.MAXIMUM)
        with_tax = parallel.transform(prices, lambda price: price * 119 // 100)
        in_order = parallel.sort(with_tax)
        cheapest = in_order[:10]  # computes what the first partition needs alone
        shop, turnover = parallel.reduce_by_key(shops, prices, OpKind.PLUS)

        results = client.gather(client.compute([largest, cheapest, in_order, shop, turnover]))

    found_largest, found_cheapest, found_order, found_shop, found_turnover = results
    expected_order = np.sort(host_prices * 119 // 100)
    ok = (
        found_largest == host_prices.max()
        and np.array_equal(found_order, expected_order)
        and np.array_equal(found_cheapest, expected_order[:10])
        and np.array_equal(found_shop, np.unique(host_shops))
        and np.array_equal(found_turnover, np.bincount(host_shops, host_prices))
    )
    print(f"{COUNT} prices in {PARTITIONS} partitions on 2 workers, {Device(0).name}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
