"""What a call through cuprum.bindings costs, beside cuda.bindings in the same process, where that is installed.

Both call the same driver. On the simulator (CUPRUM_DRIVER=sim) launches are switched off, so that what is left is what
the calls themselves cost; for cuda.bindings to find it, the simulator's folder must be in LD_LIBRARY_PATH:

    CUPRUM_DRIVER=sim CUPRUM_SIM=launch=none LD_LIBRARY_PATH=<build>/lib/cuprum/simulator python python_bindings.py
"""

from __future__ import annotations

import ctypes
import importlib
import statistics
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from python_timing import print_costs

PTX = b"""
.version 7.0
.target sm_75
.address_size 64
.visible .entry four(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)
{
    ret;
}
"""

#: In a fresh process: milliseconds that the import takes, and KiB by which the process grows.
IMPORT = """
import sys, time
def resident():
    with open('/proc/self/status') as status:
        return next(int(line.split()[1]) for line in status if line.startswith('VmRSS'))
before, begin = resident(), time.perf_counter()
import {module}
print((time.perf_counter() - begin) * 1e3, resident() - before)
"""


def import_cost(module: str) -> tuple[float, float]:
    """Medians over fresh processes: milliseconds, MiB."""
    command = [sys.executable, "-c", IMPORT.format(module=module)]
    runs = [
        tuple(map(float, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()))
        for _ in range(9)
    ]
    return statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs) / 1024


def calls(driver: ModuleType) -> dict[str, Callable[[], object]]:
    """The calls that are measured, ready to be made."""

    def checked(returned: tuple[Any, ...]) -> Any:
        if int(returned[0]) != 0:
            raise RuntimeError(f"{driver.__name__}: {returned[0]!r}")
        return returned[1] if len(returned) > 1 else None

    checked(driver.cuInit(0))
    device = checked(driver.cuDeviceGet(0))
    checked(driver.cuCtxSetCurrent(checked(driver.cuDevicePrimaryCtxRetain(device))))
    module = checked(driver.cuModuleLoadData(PTX))
    kernel = checked(driver.cuModuleGetFunction(module, b"four"))
    stream = checked(driver.cuStreamCreate(0))
    event = checked(driver.cuEventCreate(0))
    memory = checked(driver.cuMemAlloc(4096))
    typed = ((2.0, int(memory), int(memory), 32), (ctypes.c_float, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int))
    values = [np.array(v) for v in (np.float32(2), np.uint64(int(memory)), np.uint64(int(memory)), np.int32(32))]
    pointers = np.array([value.ctypes.data for value in values], np.uint64)
    address = pointers.ctypes.data
    attribute = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE
    launch = driver.cuLaunchKernel
    kept = (module, values, pointers)

    def launch_pointers() -> tuple[object, ...]:
        launch(kernel, 1, 1, 1, 32, 1, 1, 0, stream, address, 0)
        return kept

    made: dict[str, Callable[[], object]] = {
        "cuDeviceGetCount": driver.cuDeviceGetCount,
        "cuCtxGetDevice": driver.cuCtxGetDevice,
        "cuCtxGetCurrent": driver.cuCtxGetCurrent,
        "cuDeviceGetAttribute": lambda: driver.cuDeviceGetAttribute(attribute, device),
        "cuStreamQuery": lambda: driver.cuStreamQuery(stream),
        "cuEventRecord": lambda: driver.cuEventRecord(event, stream),
        "cuLaunchKernel, 4 arguments, array of pointers": launch_pointers,
        "cuLaunchKernel, 4 arguments, ((values), (ctypes))": lambda: launch(
            kernel, 1, 1, 1, 32, 1, 1, 0, stream, typed, 0
        ),
    }
    if driver.__name__.startswith("cuprum"):
        listed = [np.float32(2), memory, memory, np.int32(32)]
        plain = [2.0, memory, memory, 32]
        made["cuLaunchKernel, 4 arguments, list of NumPy's"] = lambda: launch(
            kernel, 1, 1, 1, 32, 1, 1, 0, stream, listed, 0
        )
        made["cuLaunchKernel, 4 arguments, list of Python's"] = lambda: launch(
            kernel, 1, 1, 1, 32, 1, 1, 0, stream, plain, 0
        )
    made["drain"] = driver.cuCtxSynchronize
    return made


def main() -> None:
    print("# Python bindings")
    try:
        theirs: ModuleType | None = importlib.import_module("cuda.bindings.driver")
    except ImportError:
        theirs = None
        print("cuda.bindings is not installed: no comparison")
    for name in ("driver", "runtime", "nvrtc", "nvjitlink"):
        for package in ("cuprum", "cuda") if theirs is not None else ("cuprum",):
            milliseconds, mebibytes = import_cost(f"{package}.bindings.{name}")
            print(f"import {package}.bindings.{name}\t{milliseconds:.1f}\tms\t{mebibytes:.1f}\tMiB")
    ours = calls(importlib.import_module("cuprum.bindings.driver"))
    try:
        others = calls(theirs) if theirs is not None else {}
    except RuntimeError as error:
        others = {}
        print(f"cuda.bindings cannot be called here ({error}): no comparison")
    drain = ours.pop("drain")
    print_costs(ours, "", "cuda.bindings", others, drain)


if __name__ == "__main__":
    main()
