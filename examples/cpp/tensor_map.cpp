// A tensor map: a kernel transposes a matrix, a box of which the tensor memory accelerator brings to each block.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

// A block's box lands in shared memory, at a multiple of 128 bytes; the barrier counts its bytes.
// Elements outside of the matrix arrive, too, as zeros.
constexpr const char* source = R"(
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
)";
constexpr int rows = 200;
constexpr int columns = 300;  // a row is a multiple of 16 bytes
constexpr unsigned side = 32;

void run(const Device& device) {
    if (device.compute_capability().major < 9) {
        std::printf("%s has no tensor maps, which came with compute capability 9.0\n", device.name().c_str());
        return;
    }
    const Kernel transpose = Program(source).compile().get_kernel("transpose");
    const Stream stream = device.create_stream();
    std::vector<float> matrix(size_t{rows} * columns);
    std::iota(matrix.begin(), matrix.end(), 0.0F);
    std::vector<float> result(matrix.size());

    const Buffer from = device.allocate(matrix.size() * sizeof(float), stream);
    const Buffer to = device.allocate(matrix.size() * sizeof(float), stream);
    from.copy_from_host(matrix, stream);
    const TensorMapDescriptor map =
        TensorMapDescriptor::tiled(device, {.address = from.handle(), .shape = {rows, columns}}, {side, side});
    const LaunchConfig config({(columns + side - 1) / side, (rows + side - 1) / side}, {side, side});
    launch(stream, config, transpose, map, to, rows, columns);
    to.copy_to_host(result, stream);
    stream.sync();

    int wrong = 0;
    for (size_t k = 0; k < matrix.size(); ++k)
        wrong += result[k % columns * rows + k / columns] != matrix[k] ? 1 : 0;
    std::printf("a matrix of %d x %d transposed on %s: %d wrong\n", rows, columns, device.name().c_str(), wrong);
    if (wrong != 0) std::exit(EXIT_FAILURE);
}

}  // namespace

int main() {
    try {
        run(Device(0));
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
