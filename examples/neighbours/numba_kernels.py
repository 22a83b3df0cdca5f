"""Kernels of numba's on Cuprum's buffers, in Cuprum's stream; and a function that numba compiles, in an algorithm."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from cuprum import parallel
from cuprum.core import Device, ObjectCode
from cuprum.core.utils import StridedMemoryView
from cuprum.parallel import Operator
from numba import cuda, types

N = 1_000_000
SIZE = 1000  # of the matrices, in each dimension


@cuda.jit
def add_arrays(a: Any, b: Any, result: Any) -> None:
    idx = cuda.grid(1)
    if idx < a.size:
        result[idx] = a[idx] + b[idx]


@cuda.jit
def matrix_multiply(a: Any, b: Any, c: Any) -> None:
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        tmp = 0.0
        for k in range(a.shape[1]):
            tmp += a[row, k] * b[k, col]
        c[row, col] = tmp


def larger(a: Any, b: Any) -> Any:
    return a if a > b else b


def main() -> int:
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    theirs = cuda.external_stream(stream.handle)

    def on_device(values: np.ndarray[Any, Any]) -> StridedMemoryView:
        buffer = device.allocate(values.nbytes, stream=stream)
        buffer.copy_from_host(values, stream=stream)
        return StridedMemoryView.from_buffer(buffer, values.shape, dtype=values.dtype)

    def to_host(view: Any) -> np.ndarray[Any, Any]:
        values = np.empty(view.shape, view.dtype)
        view.exporting_obj.copy_to_host(values, stream=stream)
        stream.sync()
        return values

    ones, total = np.ones(N, np.float32), on_device(np.zeros(N, np.float32))
    add_arrays[(N + 255) // 256, 256, theirs](on_device(ones), on_device(ones), total)
    sums_are_right = bool((to_host(total) == 2).all())

    random = np.random.default_rng(seed=1)
    a, b = (random.random((SIZE, SIZE), dtype=np.float32) for _ in range(2))
    c = on_device(np.zeros((SIZE, SIZE), np.float32))
    blocks = (SIZE + 15) // 16
    matrix_multiply[(blocks, blocks), (16, 16), theirs](on_device(a), on_device(b), c)
    product_is_right = bool(np.allclose(to_host(c), a @ b, rtol=1e-5))

    signature = types.float32(types.float32, types.float32)
    ltoir, _ = cuda.compile(larger, signature, abi="c", cc=device.compute_capability, output="ltoir")
    op = Operator.compiled("larger", ObjectCode.from_ltoir(ltoir), passing="values")
    largest = parallel.reduce(a, np.float32(0), op)
    largest_is_right = bool(largest == a.max())

    ok = sums_are_right and product_is_right and largest_is_right
    print(f"{N} sums, {SIZE}x{SIZE} products, a maximum on {device.name}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
