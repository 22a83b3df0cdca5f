"""SAXPY, y = a * x + y: compiled at run time, launched on a stream, timed with events, every element checked.

usage: saxpy.py [--row] [-n ELEMENTS]
--row prints one tab-separated line: language, device, n, kernel milliseconds, max error, ok
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from cuprum.core import Device, EventOptions, LaunchConfig, Program, launch

SOURCE = """
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""
THREADS = 256
A = 2.5
TOLERANCE = 1e-6  # one rounding of a number below 4


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--row", action="store_true", help="print one tab-separated line")
    parser.add_argument("-n", type=int, help="elements; 2^20 on the simulator and 2^26 on a GPU unless given")
    arguments = parser.parse_args()

    device = Device(0)
    n = arguments.n or (1 << 20 if device.is_simulator else 1 << 26)
    kernel = Program(SOURCE, "saxpy.cu").compile().get_kernel("saxpy")

    random = np.random.default_rng(seed=1)
    x = random.random(n, dtype=np.float32)
    y = random.random(n, dtype=np.float32)
    result = np.empty_like(y)

    stream = device.create_stream()
    x_device = device.allocate(x.nbytes, stream=stream)
    y_device = device.allocate(y.nbytes, stream=stream)
    config = LaunchConfig(grid=(n + THREADS - 1) // THREADS, block=THREADS)
    x_device.copy_from_host(x, stream=stream)
    # The first launch loads the kernel; the second is measured, on fresh data.
    launch(stream, config, kernel, A, x_device, y_device, 0)
    y_device.copy_from_host(y, stream=stream)

    begin = stream.record(options=EventOptions(timing_enabled=True))
    launch(stream, config, kernel, A, x_device, y_device, n)
    end = stream.record(options=EventOptions(timing_enabled=True))
    y_device.copy_to_host(result, stream=stream)
    stream.sync()

    # In double precision, so that the kernel is measured against the true value, not against another rounding.
    max_error = float(np.max(np.abs(np.float64(A) * x + y - result)))
    ok = max_error <= TOLERANCE
    milliseconds = end - begin
    if arguments.row:
        print("Python", device.name, n, f"{milliseconds:.3f}", f"{max_error:.2g}", "ok" if ok else "WRONG", sep="\t")
    else:
        print(f"saxpy of {n} floats on {device.name}: {milliseconds:.3f} ms, max error {max_error:.2g}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
