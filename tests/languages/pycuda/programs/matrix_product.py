"""A tiled product of matrices in shared memory."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

TILE, N = 8, 24
source = """
__global__ void product(const float *a, const float *b, float *c)
{
  __shared__ float left[%(TILE)s][%(TILE)s];
  __shared__ float right[%(TILE)s][%(TILE)s];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * %(TILE)s + ty, column = blockIdx.x * %(TILE)s + tx;
  float sum = 0;
  for (int tile = 0; tile < %(N)s / %(TILE)s; ++tile) {
    left[ty][tx] = a[row * %(N)s + tile * %(TILE)s + tx];
    right[ty][tx] = b[(tile * %(TILE)s + ty) * %(N)s + column];
    __syncthreads();
    for (int k = 0; k < %(TILE)s; ++k)
      sum += left[ty][k] * right[k][tx];
    __syncthreads();
  }
  c[row * %(N)s + column] = sum;
}
""" % {"TILE": TILE, "N": N}
rng = np.random.RandomState(7)
a = rng.randint(-4, 5, (N, N)).astype(np.float32)
b = rng.randint(-4, 5, (N, N)).astype(np.float32)
c = np.empty_like(a)
SourceModule(source).get_function("product")(
    cuda.In(a), cuda.In(b), cuda.Out(c), block=(TILE, TILE, 1), grid=(N // TILE, N // TILE)
)
print(c[0, :6], np.array_equal(c, a @ b))
