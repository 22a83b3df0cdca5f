"""The sine of CuPy's array, by CuPy and by a kernel of Cuprum's that writes into CuPy's memory."""

from __future__ import annotations

import sys

import cupy as cp
import numpy as np
from cuprum.allocators.cupy import CuPyMemoryResource, cupy_allocator
from cuprum.core import Device, DeviceMemoryResource, LaunchConfig, Program, launch
from cuprum.core.utils import StridedMemoryView

SOURCE = """
extern "C" __global__ void sine(const double* input, double* output, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = sin(input[i]);
}
"""
N = 1_000_000


def main() -> int:
    device = Device(0)
    device.set_current()
    sine = Program(SOURCE, "sine.cu").compile().get_kernel("sine")
    stream = device.create_stream()
    values = np.random.default_rng(seed=1).random(N)

    array, result = cp.asarray(values), cp.empty(N)
    # The views order the stream after what CuPy's stream has in flight.
    views = [StridedMemoryView(each, stream.handle) for each in (array, result)]
    launch(stream, LaunchConfig.for_num_elements(N, 256), sine, *views, N)
    stream.sync()
    results_agree = bool(cp.allclose(result, cp.sin(array), rtol=1e-15)) and np.allclose(
        cp.asnumpy(result), np.sin(values)
    )

    # Memory of CuPy's pool in a buffer, and memory of a pool of Cuprum's in an array.
    with CuPyMemoryResource().allocate(values.nbytes, stream=stream) as buffer:
        buffer.copy_from_host(values, stream=stream)
        stream.sync()
        is_in_their_pool = cp.get_default_memory_pool().used_bytes() >= 3 * values.nbytes
    pool = DeviceMemoryResource(device, {})
    with cp.cuda.using_allocator(cupy_allocator(pool)):
        array = cp.asarray(values)
        is_in_our_pool = pool.attributes.used_mem_current >= values.nbytes
        same = bool((array == cp.asarray(values)).all())

    ok = results_agree and is_in_their_pool and is_in_our_pool and same
    print(f"{N} sines of CuPy's array on {device.name}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
