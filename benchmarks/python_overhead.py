"""What importing the Python package and calls through cuprum.core cost, beside cuda.core in the same process, where
that is installed.

Both call the same driver. On the simulator (CUPRUM_DRIVER=sim) launches are switched off, so that what is left is what
the calls themselves cost; for cuda.core to find it, the simulator's folder must be in LD_LIBRARY_PATH:

    CUPRUM_DRIVER=sim CUPRUM_SIM=launch=none LD_LIBRARY_PATH=<build>/lib/cuprum/simulator python python_overhead.py
"""

from __future__ import annotations

import importlib
import statistics
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from python_timing import print_costs

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


def calls(core: ModuleType, arguments: tuple[Any, Any]) -> dict[str, Callable[[], object]]:
    """The calls that are measured, ready to be made; ``arguments``: a float32 and an int32 for the kernel."""
    device: Any = core.Device(0)
    device.set_current()
    stream, other = device.create_stream(), device.create_stream()
    options = core.ProgramOptions(arch=f"sm_{device.arch}")
    kernel = core.Program(SOURCE, "c++", options).compile("ptx").get_kernel("saxpy")
    x, y = device.allocate(4096, stream=stream), device.allocate(4096, stream=stream)
    pool = core.DeviceMemoryResource(device, core.DeviceMemoryResourceOptions())
    config = core.LaunchConfig(grid=1, block=32)
    event = stream.record()
    a, n = arguments
    launch = core.launch
    builder = device.create_graph_builder().begin_building()
    launch(builder, config, kernel, a, x, y, n)
    graph = builder.end_building().complete()

    def drain() -> None:
        stream.sync()
        other.sync()

    drain()
    return {
        "launch(stream, config, kernel, a, x, y, n)": lambda: launch(stream, config, kernel, a, x, y, n),
        "graph.launch(stream)": lambda: graph.launch(stream),
        "stream.sync()": lambda: stream.sync(),
        "stream.record(event)": lambda: stream.record(event),
        "stream.wait(event)": lambda: other.wait(event),
        "stream.handle": lambda: stream.handle,
        "stream.device": lambda: stream.device,
        "event.is_done": lambda: event.is_done,
        "event.sync()": lambda: event.sync(),
        "event.handle": lambda: event.handle,
        "buffer.handle": lambda: x.handle,
        "buffer.size": lambda: x.size,
        "buffer.fill(1, stream=stream)": lambda: x.fill(1, stream=stream),
        "buffer.copy_from(other, stream=stream)": lambda: x.copy_from(y, stream=stream),
        "device.create_event()": lambda: device.create_event(),
        "device.create_stream()": lambda: device.create_stream(),
        "device.allocate(4096, stream=stream)": lambda: device.allocate(4096, stream=stream),
        "pool.allocate(4096, stream=stream).close()": lambda: pool.allocate(4096, stream=stream).close(),
        "drain": drain,
    }


def main() -> None:
    print("# Python")
    for module in ("cuprum", "cuprum.core", "cuda.core"):
        try:
            print(f"import {module}\t{import_milliseconds(module):.1f}\tms")
        except subprocess.CalledProcessError:
            print(f"{module} is not installed: no comparison")
    ours = calls(importlib.import_module("cuprum.core"), (2.0, 32))
    others: dict[str, Callable[[], object]] = {}
    try:
        others = calls(importlib.import_module("cuda.core"), (np.float32(2.0), np.int32(32)))
    except Exception as error:
        print(f"cuda.core cannot be called here ({type(error).__name__}: {error}): no comparison")

    with_scalars = calls(importlib.import_module("cuprum.core"), (np.float32(2.0), np.int32(32)))
    launched = next(iter(ours))
    ours["the same launch with NumPy's scalars"] = with_scalars[launched]
    drains = [with_scalars["drain"], *(made.pop("drain") for made in (ours, others) if made)]

    def drain() -> None:
        for each in drains:
            each()

    print_costs(ours, "cuprum.core: ", "cuda.core", others, drain)


if __name__ == "__main__":
    main()
