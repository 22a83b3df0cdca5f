"""A tensor map: a kernel transposes a matrix, a box of which the tensor memory accelerator brings to each block."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program, launch
from cuprum.core.utils import StridedMemoryView

# A block's box lands in shared memory, at a multiple of 128 bytes; the barrier counts its bytes.
# Elements outside of the matrix arrive, too, as zeros.
SOURCE = """
struct alignas(64) Map { char bytes[128]; };  // CUtensorMap

extern "C" __global__ void transpose(const __grid_constant__ Map map, float* to, int rows, int columns) {
    __shared__ __align__(128) float box[32][32];
    __shared__ unsigned long long arrived;
    unsigned barrier = __cvta_generic_to_shared(&arrived);
    int x = 32 * blockIdx.x, y = 32 * blockIdx.y;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        unsigned place = __cvta_generic_to_shared(box);
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                     :: "r"(barrier), "r"((int)sizeof box) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];"
                     :: "r"(place), "l"(&map), "r"(x), "r"(y), "r"(barrier) : "memory");
    }
    __syncthreads();
    int done = 0;
    while (!done) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;"
                     " selp.s32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier) : "memory");
    }
    int row = y + threadIdx.x, column = x + threadIdx.y;
    if (row < rows && column < columns) to[column * rows + row] = box[threadIdx.x][threadIdx.y];
}
"""
ROWS, COLUMNS = 200, 300  # a row is a multiple of 16 bytes
SIDE = 32


def main() -> int:
    device = Device(0)
    device.set_current()
    if not device.properties.tensor_map_access_supported:
        print(f"{device.name} has no tensor maps, which came with compute capability 9.0")
        return 0
    transpose = Program(SOURCE).compile().get_kernel("transpose")
    stream = device.create_stream()
    matrix = np.arange(ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS)
    result = np.zeros((COLUMNS, ROWS), np.float32)

    source, destination = (device.allocate(matrix.nbytes, stream=stream) for _ in range(2))
    source.copy_from_host(matrix, stream=stream)
    tensor_map = StridedMemoryView.from_buffer(source, matrix.shape, dtype="float32").as_tensor_map((SIDE, SIDE))
    config = LaunchConfig(grid=(-(-COLUMNS // SIDE), -(-ROWS // SIDE)), block=(SIDE, SIDE))
    launch(stream, config, transpose, tensor_map, destination, ROWS, COLUMNS)
    destination.copy_to_host(result, stream=stream)
    stream.sync()

    wrong = int(np.count_nonzero(result != matrix.T))
    print(f"a matrix of {ROWS} x {COLUMNS} transposed on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
