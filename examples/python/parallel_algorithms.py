"""CUB's algorithms with Python functions as operators: over NumPy arrays in one call, and on the device, built once."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def on_host_data(data: np.ndarray) -> dict[str, bool]:
    keys, positions = parallel.sort_by_key(data, np.arange(data.size))
    return {
        "reduce": parallel.reduce(data, 0, lambda a, b: a + b) == data.sum(),
        "argmin": parallel.argmin(data) == data.argmin(),
        "exclusive scan": np.array_equal(
            parallel.scan(data, lambda a, b: parallel.maximum(a, b), init=np.int32(-1), exclusive=True)[1:],
            np.maximum.accumulate(data)[:-1],
        ),
        "transform": np.allclose(
            parallel.transform(data, lambda a: np.where(a > 5000, np.sqrt(a), -a / 2)),
            np.where(data > 5000, np.sqrt(data), -data / 2),
        ),
        "radix sort": np.array_equal(keys, np.sort(data)) and np.array_equal(data[positions], keys),
        "merge sort": np.array_equal(
            parallel.sort(data, op=lambda a, b: a % 100 < b % 100), data[np.argsort(data % 100, kind="stable")]
        ),
    }


def on_the_device() -> dict[str, bool]:
    particle = np.dtype([("x", np.float32), ("mass", np.float32)], align=True)
    particles = np.zeros(5000, particle)
    particles["x"] = np.arange(5000) % 10
    particles["mass"] = 0.5
    d_particles = DeviceArray.from_numpy(particles)
    stream = Device(0).create_stream()

    # The moment of each: read through a function, so that nothing is stored in between.
    moments = parallel.TransformIterator(d_particles, lambda a: a.x * a.mass)
    d_out = DeviceArray.empty(1, np.float32)
    total = parallel.make_reduce_into(d_in=moments, d_out=d_out, op=parallel.OpKind.PLUS, h_init=0.0)
    total(temp_storage=parallel.POOL, d_in=moments, d_out=d_out, h_init=0.0, stream=stream)

    offsets = DeviceArray.from_numpy(np.array([0, 10, 30, 60], np.int32))
    ends = DeviceArray.from_numpy(np.array([10, 30, 60, 5000], np.int32))
    d_sums = DeviceArray.empty(4, np.float32)
    parallel.segmented_reduce(
        d_in=moments,
        d_out=d_sums,
        start_offsets_in=offsets,
        end_offsets_in=ends,
        op=lambda a, b: a + b,
        h_init=0.0,
        stream=stream,
    )
    stream.sync()
    return {
        "transform-reduce": d_out.to_numpy()[0] == 11250,
        "segmented reduce": d_sums.to_numpy()[:3].tolist() == [22.5, 45.0, 67.5],
    }


def main() -> int:
    print(f"on {Device(0).name}")
    data = (np.arange(10000) * 7919 % 10007).astype(np.int32)
    results = {**on_host_data(data), **on_the_device()}
    for what, ok in results.items():
        print(f"{what:28} {'ok' if ok else 'WRONG'}")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
