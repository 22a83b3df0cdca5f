"""Finding the toolkit from Python, beside cuda.pathfinder where that is installed."""

from __future__ import annotations

import importlib
import importlib.util
import statistics
import subprocess
import sys
import time

# What a compile needs. Each process does it once: cuda.pathfinder has nothing that forgets.
COLD = """
import time
from {module} import load_nvidia_dynamic_lib, find_nvidia_header_directory
begin = time.perf_counter()
load_nvidia_dynamic_lib("nvrtc")
middle = time.perf_counter()
load_nvidia_dynamic_lib("nvJitLink")
find_nvidia_header_directory("cudart")
find_nvidia_header_directory("cccl")
print((middle - begin) * 1e3, (time.perf_counter() - begin) * 1e3)
"""
HEADERS = """
import time
from {module} import find_nvidia_header_directory
begin = time.perf_counter()
find_nvidia_header_directory("cudart")
find_nvidia_header_directory("cccl")
print((time.perf_counter() - begin) * 1e3)
"""


def milliseconds(program: str, module: str) -> float:
    """Median over fresh processes of the last number that the program prints."""
    command = [sys.executable, "-c", program.format(module=module)]
    runs = []
    for _ in range(11):
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        runs.append(float(output.split()[-1]))
    return statistics.median(runs)


def cached_nanoseconds(module: str) -> float:
    find = importlib.import_module(module).find_nvidia_header_directory
    find("cudart")
    times = []
    for _ in range(51):
        begin = time.perf_counter()
        for _ in range(1000):
            find("cudart")
        times.append((time.perf_counter() - begin) / 1000 * 1e9)
    return statistics.median(times)


def main() -> None:
    print("# Pathfinder, Python")
    modules = ["cuprum.pathfinder"]
    if importlib.util.find_spec("cuda") and importlib.util.find_spec("cuda.pathfinder"):
        modules.append("cuda.pathfinder")
    else:
        print("cuda.pathfinder is not installed: no comparison")
    for name, measure, unit in (
        ("cold: headers of cudart and cccl", lambda module: milliseconds(HEADERS, module), "ms"),
        ("cold: the same, and nvrtc and nvJitLink opened", lambda module: milliseconds(COLD, module), "ms"),
        ("cached: headers of cudart", cached_nanoseconds, "ns"),
    ):
        values = [measure(module) for module in modules]
        for module, value in zip(modules, values, strict=True):
            print(f"{module}: {name}\t{value:.3f}\t{unit}")
        if len(values) == 2:
            print(f"\tcuprum takes {values[0] / values[1]:.3f} of it")


if __name__ == "__main__":
    main()
