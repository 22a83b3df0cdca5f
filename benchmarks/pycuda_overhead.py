"""What calls through cuprum.compat.pycuda cost, beside PyCUDA in the same process, where that is installed.

Both call the same driver, in the device's primary context. On the simulator launches are switched off, so that what is
left is what the calls themselves cost; PyCUDA finds the simulator, and the nvcc that it compiles with, as under
cuprum-simulate:

    CUPRUM_SIM=launch=none PYTHONPATH=<build>/python:<build>/pycuda/packages \
        <build>/bin/cuprum-simulate python benchmarks/pycuda_overhead.py

scripts/pycuda_wheel.sh makes PyCUDA's wheel for another machine and its Python.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from python_timing import Call, print_costs

SOURCE = """
__global__ void saxpy(float a, float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void pointers(float *a, float *b, float *c, float *d, float *e, float *f) {}
"""
ELEMENTS = 1 << 20


def calls(package: str) -> tuple[dict[str, Call], Callable[[], None]]:
    """The calls that are measured, and what waits for their work."""
    driver: Any = importlib.import_module(f"{package}.driver")
    importlib.import_module(f"{package}.autoprimaryctx")
    compiler: Any = importlib.import_module(f"{package}.compiler")
    tools: Any = importlib.import_module(f"{package}.tools")
    module = compiler.SourceModule(SOURCE)
    saxpy, prepared, pointers = (
        module.get_function("saxpy"),
        module.get_function("saxpy"),
        module.get_function("pointers"),
    )
    prepared.prepare("fPPi")
    stream, event = driver.Stream(), driver.Event()
    a, n = np.float32(2), np.int32(32)
    x, y = driver.mem_alloc(4096), driver.mem_alloc(4096)
    pool = tools.DeviceMemoryPool()
    pool.allocate(4096).free()
    small = np.zeros(4, np.float32)
    block, grid = (32, 1, 1), (1, 1)
    measured: dict[str, Call] = {
        "kernel(a, x, y, n, block=, grid=)": lambda: saxpy(a, x, y, n, block=block, grid=grid),
        "kernel(a, x, y, n, block=, grid=, stream=)": lambda: saxpy(a, x, y, n, block=block, grid=grid, stream=stream),
        "kernel(6 pointers, block=, grid=)": lambda: pointers(x, y, x, y, x, y, block=block, grid=grid),
        "prepared_call(grid, block, a, x, y, n)": lambda: prepared.prepared_call(grid, block, 2.0, x, y, 32),
        "prepared_async_call(grid, block, stream, a, x, y, n)": (
            lambda: prepared.prepared_async_call(grid, block, stream, 2.0, x, y, 32)
        ),
        "mem_alloc(4096)": lambda: driver.mem_alloc(4096),
        "pool.allocate(4096)": lambda: pool.allocate(4096),
        "memcpy_htod(x, 16 bytes)": lambda: driver.memcpy_htod(x, small),
        "memcpy_dtoh(16 bytes, x)": lambda: driver.memcpy_dtoh(small, x),
        "memset_d32(x, 0, 4)": lambda: driver.memset_d32(x, 0, 4),
        "event.record(stream)": lambda: event.record(stream),
        "stream.synchronize()": lambda: stream.synchronize(),
    }
    try:
        gpuarray: Any = importlib.import_module(f"{package}.gpuarray")
    except ImportError as error:
        print(f"{package}.gpuarray is not measured: {error}", file=sys.stderr)
    else:
        left = gpuarray.to_gpu(np.arange(ELEMENTS, dtype=np.float32))
        right = gpuarray.to_gpu(np.ones(ELEMENTS, np.float32))
        few = gpuarray.to_gpu(np.ones(16, np.float32))
        cumath: Any = importlib.import_module(f"{package}.cumath")
        kernels: Any = importlib.import_module(f"{package}.elementwise")
        elementwise = kernels.ElementwiseKernel("float a, float *x, float *y", "y[i] = a * x[i]")
        (left + right).get()
        measured["left + right, 2^20 floats"] = lambda: left + right
        measured["few + few, 16 floats"] = lambda: few + few
        measured["few * 2, 16 floats"] = lambda: few * 2
        measured["few += few, 16 floats"] = lambda: few.__iadd__(few)
        measured["few[4:8], 16 floats"] = lambda: few[4:8]
        measured["cumath.sin(few), 16 floats"] = lambda: cumath.sin(few)
        measured["gpuarray.sum(few), 16 floats"] = lambda: gpuarray.sum(few)
        measured["elementwise(2.0, few, few), 16 floats"] = lambda: elementwise(2.0, few, few)
    return measured, driver.Context.synchronize


def main() -> None:
    """Prints a line for each call."""
    ours, drain = calls("cuprum.compat.pycuda")
    others: dict[str, Call] = {}
    try:
        others, _ = calls("pycuda")
    except ImportError as error:
        print(f"PyCUDA is not measured: {error}", file=sys.stderr)
    print_costs(ours, "pycuda: ", "PyCUDA", others, drain)


if __name__ == "__main__":
    main()
