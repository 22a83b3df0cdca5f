"""Import and launch cost of the Python package; beside cuda.core where that is installed and a GPU is there."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

SOURCE = """
extern "C" __global__ void saxpy(float a, float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""


def import_milliseconds(module: str) -> float:
    """Median over fresh processes of the time that `import module` takes."""
    program = f"import time; t = time.perf_counter(); import {module}; print((time.perf_counter() - t) * 1e3)"
    command = [sys.executable, "-c", program]
    runs = [float(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(9)]
    return statistics.median(runs)


def microseconds_per_call(call: Callable[[], object], drain: Callable[[], object]) -> float:
    times = []
    for batch in range(51):
        begin = time.perf_counter()
        for _ in range(200):
            call()
        if batch:
            times.append((time.perf_counter() - begin) / 200 * 1e6)
        drain()
    return statistics.median(times)


def cuprum_launch() -> float:
    from cuprum.core import Device, LaunchConfig, Program, launch

    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    kernel = Program(SOURCE, "c++").compile("ptx").get_kernel("saxpy")
    x, y = device.allocate(4096, stream=stream), device.allocate(4096, stream=stream)
    config = LaunchConfig(grid=1, block=32)
    return microseconds_per_call(lambda: launch(stream, config, kernel, 2.0, x, y, 32), stream.sync)


def cuda_core_launch() -> float:
    import numpy as np
    from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    options = ProgramOptions(arch=f"sm_{device.arch}")
    kernel = Program(SOURCE, "c++", options).compile("ptx").get_kernel("saxpy")
    x, y = device.allocate(4096, stream=stream), device.allocate(4096, stream=stream)
    config = LaunchConfig(grid=1, block=32)
    a, n = np.float32(2.0), np.int32(32)
    return microseconds_per_call(lambda: launch(stream, config, kernel, a, x, y, n), stream.sync)


def main() -> None:
    print("# Python")
    print(f"import cuprum\t{import_milliseconds('cuprum'):.1f}\tms")
    print(f"import cuprum.core\t{import_milliseconds('cuprum.core'):.1f}\tms")
    ours = cuprum_launch()
    print(f"cuprum.core: launch, saxpy\t{ours:.3f}\tus")
    try:
        import cuda.core  # noqa: F401
    except ImportError:
        print("cuda.core is not installed: no comparison")
        return
    print(f"import cuda.core\t{import_milliseconds('cuda.core'):.1f}\tms")
    try:
        theirs = cuda_core_launch()
    except Exception as error:
        print(f"cuda.core cannot launch here ({type(error).__name__}): no comparison")
        return
    print(f"cuda.core: launch, saxpy\t{theirs:.3f}\tus\tcuprum takes {ours / theirs:.3f} of it")


if __name__ == "__main__":
    main()
