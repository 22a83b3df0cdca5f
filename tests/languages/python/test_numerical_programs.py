"""Whole kernels as programs have them, checked against NumPy: matrix instructions, attention, textures, clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import RunPython
from cuprum.core import Device, Kernel, LaunchConfig, Program, Stream, launch
from cuprum.core.texture import OpaqueArrayOptions, ResourceDescriptor, TextureObjectOptions

Array = np.ndarray[Any, Any]

# C (m x n, floats) = A (m x k, halves, rows) times B (k x n, halves, rows): tiles of 32 x 32, by four warps, through
# shared memory.
MATMUL_WMMA = """
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void matmul(const half* a, const half* b, float* c, int m, int n, int k) {
    __shared__ half as[32][40], bs[32][40];
    int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int e = threadIdx.x; e < 1024; e += blockDim.x) {
            as[e / 32][e % 32] = a[(blockIdx.y * 32 + e / 32) * k + k0 + e % 32];
            bs[e / 32][e % 32] = b[(k0 + e / 32) * n + blockIdx.x * 32 + e % 32];
        }
        __syncthreads();
        for (int step = 0; step < 32; step += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
            wmma::load_matrix_sync(fa, &as[row][step], 40);
            wmma::load_matrix_sync(fb, &bs[step][column], 40);
            wmma::mma_sync(sum, fa, fb, sum);
        }
        __syncthreads();
    }
    wmma::store_matrix_sync(c + (blockIdx.y * 32 + row) * n + blockIdx.x * 32 + column, sum, n, wmma::mem_row_major);
}
"""

# The same by mma and ldmatrix: a warp has 16 x 16 of the tile, as two products of 16 x 8.
MATMUL_MMA = """
#include <cuda_fp16.h>
__device__ unsigned place(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void matmul(const half* a, const half* b, float* c, int m, int n, int k) {
    __shared__ __align__(16) half as[32][40], bs[32][40];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = warp / 2 * 16, column = warp % 2 * 16;
    float sum[2][4] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int e = threadIdx.x; e < 1024; e += blockDim.x) {
            as[e / 32][e % 32] = a[(blockIdx.y * 32 + e / 32) * k + k0 + e % 32];
            bs[e / 32][e % 32] = b[(k0 + e / 32) * n + blockIdx.x * 32 + e % 32];
        }
        __syncthreads();
        for (int step = 0; step < 32; step += 16) {
            unsigned fa[4];
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                         : "r"(place(&as[row + lane % 16][step + lane / 16 * 8])));
            for (int part = 0; part < 2; ++part) {
                unsigned fb[2];
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                             : "=r"(fb[0]), "=r"(fb[1])
                             : "r"(place(&bs[step + lane % 16][column + part * 8])));
                float* d = sum[part];
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                             "{%8, %9}, {%0, %1, %2, %3};"
                             : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                             : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
            }
        }
        __syncthreads();
    }
    for (int part = 0; part < 2; ++part) {
        for (int e = 0; e < 4; ++e) {
            int y = blockIdx.y * 32 + row + lane / 4 + e / 2 * 8;
            int x = blockIdx.x * 32 + column + part * 8 + lane % 4 * 2 + e % 2;
            c[y * n + x] = sum[part][e];
        }
    }
}
"""

# out = softmax(q k^T / 8) v, with heads of 64: a block has 64 queries and goes over the keys 64 at a time, with a
# running maximum and sum for each query, so that no more than 64 x 64 of the weights exist at once.
ATTENTION = """
#include <mma.h>
using namespace nvcuda;
using accumulator = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;
using left = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
struct Tiles {
    half q[64][72], k[64][72], v[64][72], p[64][72];
    float s[64][68], o[64][68], maximum[64], sum[64];
};
extern "C" __global__ void attention(const half* q, const half* k, const half* v, float* out, int keys) {
    extern __shared__ __align__(128) unsigned char memory[];
    Tiles& t = *reinterpret_cast<Tiles*>(memory);
    int warp = threadIdx.x / 32, row = warp * 16;
    for (int e = threadIdx.x; e < 4096; e += blockDim.x) {
        t.q[e / 64][e % 64] = q[blockIdx.x * 4096 + e];
        t.o[e / 64][e % 64] = 0;
    }
    for (int e = threadIdx.x; e < 64; e += blockDim.x) { t.maximum[e] = -1e30f; t.sum[e] = 0; }
    for (int first = 0; first < keys; first += 64) {
        __syncthreads();
        for (int e = threadIdx.x; e < 4096; e += blockDim.x) {
            t.k[e / 64][e % 64] = k[first * 64 + e];
            t.v[e / 64][e % 64] = v[first * 64 + e];
        }
        __syncthreads();
        for (int column = 0; column < 64; column += 16) {
            accumulator s;
            wmma::fill_fragment(s, 0.0f);
            for (int step = 0; step < 64; step += 16) {
                left a;
                wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
                wmma::load_matrix_sync(a, &t.q[row][step], 72);
                wmma::load_matrix_sync(b, &t.k[column][step], 72);
                wmma::mma_sync(s, a, b, s);
            }
            wmma::store_matrix_sync(&t.s[row][column], s, 68, wmma::mem_row_major);
        }
        __syncthreads();
        if (threadIdx.x < 64) {
            int i = threadIdx.x;
            float old = t.maximum[i], now = old;
            for (int j = 0; j < 64; ++j) now = fmaxf(now, t.s[i][j] * 0.125f);
            float scale = expf(old - now), sum = t.sum[i] * scale;
            for (int j = 0; j < 64; ++j) {
                float weight = expf(t.s[i][j] * 0.125f - now);
                sum += weight;
                t.p[i][j] = __float2half(weight);
                t.o[i][j] *= scale;
            }
            t.maximum[i] = now;
            t.sum[i] = sum;
        }
        __syncthreads();
        for (int column = 0; column < 64; column += 16) {
            accumulator o;
            wmma::load_matrix_sync(o, &t.o[row][column], 68, wmma::mem_row_major);
            for (int step = 0; step < 64; step += 16) {
                left a;
                wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
                wmma::load_matrix_sync(a, &t.p[row][step], 72);
                wmma::load_matrix_sync(b, &t.v[step][column], 72);
                wmma::mma_sync(o, a, b, o);
            }
            wmma::store_matrix_sync(&t.o[row][column], o, 68, wmma::mem_row_major);
        }
    }
    __syncthreads();
    for (int e = threadIdx.x; e < 4096; e += blockDim.x)
        out[blockIdx.x * 4096 + e] = t.o[e / 64][e % 64] / t.sum[e / 64];
}
"""

# A picture of bytes, read as numbers from 0 to 1 between its pixels, to another size.
RESIZE = """
extern "C" __global__ void resize(float* out, cudaTextureObject_t picture, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex2D<float>(picture, (x + 0.5f) / width, (y + 0.5f) / height);
}
"""


def kernel(source: str, name: str) -> Kernel:
    return Program(source, "c++").compile().get_kernel(name)


def random(shape: tuple[int, ...], seed: int) -> Array:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float16)


@pytest.mark.parametrize("source", [MATMUL_WMMA, MATMUL_MMA], ids=["wmma", "mma"])
def test_a_tiled_product_of_matrices(device: Device, stream: Stream, source: str) -> None:
    if device.compute_capability < (8, 0):
        pytest.skip("needs compute capability 8.0")
    m, n, k = 96, 64, 160
    a, b = random((m, k), 1), random((k, n), 2)
    result = np.empty((m, n), np.float32)
    buffers = [device.allocate(array.nbytes) for array in (a, b, result)]
    buffers[0].copy_from_host(a)
    buffers[1].copy_from_host(b)
    launch(stream, LaunchConfig(grid=(n // 32, m // 32), block=128), kernel(source, "matmul"), *buffers, m, n, k)
    stream.sync()
    buffers[2].copy_to_host(result)
    expected = a.astype(np.float64) @ b.astype(np.float64)
    # Each of k products and sums is off by a float's last bit at most.
    np.testing.assert_allclose(result, expected, rtol=0, atol=k * 2.0**-22)


def test_attention_with_a_running_softmax(device: Device, stream: Stream) -> None:
    if device.compute_capability < (8, 0):
        pytest.skip("needs compute capability 8.0")
    queries, keys = 128, 192
    q, k, v = random((queries, 64), 3), random((keys, 64), 4), random((keys, 64), 5)
    result = np.empty((queries, 64), np.float32)
    buffers = [device.allocate(array.nbytes) for array in (q, k, v, result)]
    for buffer, array in zip(buffers, (q, k, v), strict=False):
        buffer.copy_from_host(array)
    attention = kernel(ATTENTION, "attention")
    shared = 4 * 64 * 72 * 2 + 2 * 64 * 68 * 4 + 2 * 64 * 4
    attention.attributes.max_dynamic_shared_size_bytes = shared
    launch(stream, LaunchConfig(queries // 64, None, 128, shmem_size=shared), attention, *buffers, keys)
    stream.sync()
    buffers[3].copy_to_host(result)
    scores = q.astype(np.float64) @ k.astype(np.float64).T / 8
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected = weights / weights.sum(axis=1, keepdims=True) @ v.astype(np.float64)
    # The weights are rounded to halves.
    np.testing.assert_allclose(result, expected, rtol=0, atol=2e-3)


def between(picture: Array, width: int, height: int) -> Array:
    """The picture's values at that many places, by linear interpolation; outside, its edge goes on."""
    rows, columns = picture.shape
    x = (np.arange(width) + 0.5) / width * columns - 0.5
    y = (np.arange(height) + 0.5) / height * rows - 0.5
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    a, b = (x - left)[None, :], (y - top)[:, None]

    def at(row: Array, column: Array) -> Array:
        found: Array = picture[np.clip(row, 0, rows - 1)][:, np.clip(column, 0, columns - 1)]
        return found

    upper = (1 - a) * at(top, left) + a * at(top, left + 1)
    filtered: Array = (1 - b) * upper + b * (((1 - a) * at(top + 1, left)) + a * at(top + 1, left + 1))
    return filtered


def test_a_picture_of_another_size_through_a_texture(device: Device, stream: Stream) -> None:
    picture = np.random.default_rng(6).integers(0, 256, (37, 53), dtype=np.uint8)
    image = device.create_opaque_array(OpaqueArrayOptions((53, 37), "uint8", 1))
    image.copy_from(picture, stream=stream)
    texture = device.create_texture_object(
        resource=ResourceDescriptor.from_opaque_array(image),
        options=TextureObjectOptions(
            address_mode="clamp", filter_mode="linear", read_mode="normalized_float", normalized_coords=True
        ),
    )
    width, height = 120, 66
    out = device.allocate(4 * width * height)
    launch(stream, LaunchConfig(grid=(1, height), block=128), kernel(RESIZE, "resize"), out, texture, width, height)
    stream.sync()
    result = np.empty((height, width), np.float32)
    out.copy_to_host(result)
    # Weights have 8 bits behind the point, in each of two directions.
    np.testing.assert_allclose(result, between(picture / 255, width, height), rtol=0, atol=2 / 256)


# The blocks of a cluster add up what each has in its shared memory.
CLUSTERS = '''
import numpy as np
from cuprum.core import Device, LaunchConfig, Program, launch

device = Device(0)
if not device.properties.cluster_launch:
    print("no clusters")
    raise SystemExit
code = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void sums(const float* in, float* out, int n) {
    __shared__ float part[128];
    cg::cluster_group cluster = cg::this_cluster();
    int rank = cluster.block_rank(), number = blockIdx.x / cluster.num_blocks();
    float sum = 0;
    for (int i = rank * blockDim.x + threadIdx.x; i < n; i += cluster.num_blocks() * blockDim.x)
        sum += in[number * n + i];
    part[threadIdx.x] = sum;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    cluster.sync();
    if (rank == 0 && threadIdx.x == 0) {
        float whole = 0;
        for (int other = 0; other < cluster.num_blocks(); ++other) whole += cluster.map_shared_rank(part, other)[0];
        out[number] = whole;
    }
    cluster.sync();
}
"""
rows, n = 6, 5000
values = np.random.default_rng(7).uniform(-1, 1, (rows, n)).astype(np.float32)
kernel = Program(code, "c++").compile().get_kernel("sums")
into, out = device.allocate(values.nbytes), device.allocate(4 * rows)
into.copy_from_host(values)
stream = device.create_stream()
launch(stream, LaunchConfig(rows, 4, 128), kernel, into, out, n)
stream.sync()
result = np.empty(rows, np.float32)
out.copy_to_host(result)
np.testing.assert_allclose(result, values.sum(axis=1, dtype=np.float64), rtol=0, atol=1e-3)
print("right")
'''


def test_sums_by_clusters_through_distributed_shared_memory(run_python: RunPython) -> None:
    output = run_python(CLUSTERS, environment={"CUPRUM_SIM": "cc=9.0"}).stdout
    if output == "no clusters\n":
        pytest.skip("needs compute capability 9.0")
    assert output == "right\n"
