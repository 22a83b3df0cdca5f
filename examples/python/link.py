"""Two sources, compiled apart and linked: the kernel of one calls the __device__ function of the other."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Linker, ObjectCode, Program, ProgramOptions, launch

KERNEL = """
__device__ int square(int x);  // defined in the other source

extern "C" __global__ void squares(int* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = square(values[i]);
}
"""
FUNCTION = """
__device__ int square(int x) { return x * x; }
"""
N = 1000


def compiled(source: str, name: str) -> ObjectCode:
    """Code that others are linked with is compiled as relocatable device code."""
    return Program(source, "c++", ProgramOptions(name=name, relocatable_device_code=True)).compile("ptx")


def main() -> int:
    device = Device(0)
    linker = Linker(compiled(KERNEL, "squares.cu"), compiled(FUNCTION, "square.cu"))
    kernel = linker.link("cubin").get_kernel("squares")

    values = np.arange(N, dtype=np.int32)
    stream = device.create_stream()
    values_device = device.allocate(values.nbytes, stream=stream)
    values_device.copy_from_host(values, stream=stream)
    launch(stream, LaunchConfig(grid=(N + 255) // 256, block=256), kernel, values_device, N)
    values_device.copy_to_host(values, stream=stream)
    stream.sync()

    ok = bool((values == np.arange(N) ** 2).all())
    print(f"{N} squares by a linked kernel on {device.name}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
