"""The sum of two arrays, by OpenCL through PyOpenCL, and by CUDA through Cuprum; the results are compared."""

from __future__ import annotations

import sys

import numpy as np
import pyopencl as cl
from cuprum.core import Device, LaunchConfig, Program, launch
from numpy.typing import NDArray

OPENCL = """
__kernel void add(__global const float* a, __global const float* b, __global float* c) {
    int i = get_global_id(0);
    c[i] = a[i] + b[i];
}
"""
CUDA = """
extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""
N = 1000


def add_with_pyopencl(a: NDArray[np.float32], b: NDArray[np.float32]) -> tuple[NDArray[np.float32], str]:
    ctx = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(ctx)
    mf = cl.mem_flags
    a_g = cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=a)
    b_g = cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=b)
    c = np.empty_like(a)
    c_g = cl.Buffer(ctx, mf.WRITE_ONLY, c.nbytes)
    prg = cl.Program(ctx, OPENCL).build()
    prg.add(queue, a.shape, None, a_g, b_g, c_g)
    cl.enqueue_copy(queue, c, c_g)
    return c, queue.device.name


def add_with_cuprum(a: NDArray[np.float32], b: NDArray[np.float32]) -> tuple[NDArray[np.float32], str]:
    device = Device(0)
    stream = device.create_stream()
    a_device, b_device, c_device = (device.allocate(a.nbytes, stream=stream) for _ in range(3))
    a_device.copy_from_host(a, stream=stream)
    b_device.copy_from_host(b, stream=stream)
    add = Program(CUDA, "add.cu").compile().get_kernel("add")
    launch(stream, LaunchConfig.for_num_elements(a.size, 256), add, a_device, b_device, c_device, a.size)
    c = np.empty_like(a)
    c_device.copy_to_host(c, stream=stream)
    stream.sync()
    return c, device.name


def main() -> int:
    random = np.random.default_rng(seed=1)
    a, b = random.random(N, dtype=np.float32), random.random(N, dtype=np.float32)
    by_opencl, opencl_device = add_with_pyopencl(a, b)
    by_cuda, cuda_device = add_with_cuprum(a, b)
    ok = np.array_equal(by_opencl, by_cuda) and np.array_equal(by_cuda, a + b)
    print(f"{N} sums by {opencl_device} and by {cuda_device}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
