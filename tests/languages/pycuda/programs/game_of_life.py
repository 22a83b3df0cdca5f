"""Conway's game of life: two buffers that change places, and an image in page-locked memory."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

step = SourceModule("""
__global__ void step(const unsigned char *old, unsigned char *fresh, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  int count = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy) count += old[(y + dy + n) % n * n + (x + dx + n) % n];
  fresh[y * n + x] = count == 3 || (count == 2 && old[y * n + x]);
}
""").get_function("step")

n = 12
cells = cuda.pagelocked_zeros((n, n), np.uint8)
cells[1, 2] = cells[2, 3] = cells[3, 1] = cells[3, 2] = cells[3, 3] = 1
old, fresh = cuda.to_device(cells), cuda.mem_alloc_like(cells)
for _ in range(16):
    step(old, fresh, np.int32(n), block=(8, 8, 1), grid=(2, 2))
    old, fresh = fresh, old
cuda.memcpy_dtoh(cells, old)
for row in cells:
    print("".join(".#"[cell] for cell in row))
