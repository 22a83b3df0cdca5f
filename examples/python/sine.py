"""The sine of an array, in single and in double precision: one template, two instantiations, named as in C++."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program, launch

SOURCE = """
template <typename Value> __global__ void sine(const Value* input, Value* output, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = sin(input[i]);
}
"""
N = 1_000_000
THREADS = 256


def main() -> int:
    device = Device(0)
    # The largest error that is right: CUDA's sine is within 2 units in the last place.
    bounds = {"sine<float>": 2 * 2.0**-23, "sine<double>": 2 * 2.0**-52}
    code = Program(SOURCE, "sine.cu").compile(name_expressions=list(bounds))
    stream = device.create_stream()
    config = LaunchConfig(grid=(N + THREADS - 1) // THREADS, block=THREADS)
    all_ok = True
    for name, bound in bounds.items():
        dtype = np.float32 if name == "sine<float>" else np.float64
        values = (np.random.default_rng(seed=1).random(N) * 20 - 10).astype(dtype)
        result = np.empty_like(values)
        input_device = device.allocate(values.nbytes, stream=stream)
        output_device = device.allocate(values.nbytes, stream=stream)
        input_device.copy_from_host(values, stream=stream)
        launch(stream, config, code.get_kernel(name), input_device, output_device, N)
        output_device.copy_to_host(result, stream=stream)
        stream.sync()

        max_error = float(np.max(np.abs(np.sin(values.astype(np.float64)) - result)))
        ok = max_error <= bound
        print(f"{name} of {N} values on {device.name}: max error {max_error:.1e}: {'ok' if ok else 'WRONG'}")
        all_ok = all_ok and ok
    return 0 if all_ok else 1


if __name__ == "__main__":
    sys.exit(main())
