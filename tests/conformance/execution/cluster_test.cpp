// Clusters of blocks that see each other's shared memory. On a GPU these need one of compute capability 9.0 or later.
#include "execution.hpp"

namespace cuprum::core {
namespace {

const char* const source = R"cuda(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Each block sums its part in its own shared memory; the block of rank 0 then reads the sums of the others.
extern "C" __global__ void sums(int* out, const int* in) {
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        int total = 0;
        for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) total += *cluster.map_shared_rank(&sum, rank);
        out[blockIdx.x / cluster.num_blocks()] = total;
    }
    cluster.sync();  // nobody leaves while its memory is read
}

// A histogram whose bins are spread over the blocks' shared memory: atomics at other blocks.
extern "C" __global__ void histogram(int* out, const int* in, int n) {
    __shared__ int bins[16];
    cg::cluster_group cluster = cg::this_cluster();
    for (int k = threadIdx.x; k < 16; k += blockDim.x) bins[k] = 0;
    cluster.sync();
    for (int k = cluster.thread_rank(); k < n; k += cluster.num_threads())
        atomicAdd(cluster.map_shared_rank(bins, in[k] / 16) + in[k] % 16, 1);
    cluster.sync();
    for (int k = threadIdx.x; k < 16; k += blockDim.x) out[cluster.block_rank() * 16 + k] = bins[k];
}

// What the special registers say, of each block: six numbers.
extern "C" __global__ void __cluster_dims__(2, 3, 1) places(int* out) {
    cg::cluster_group cluster = cg::this_cluster();
    int* const own = out + 6 * (blockIdx.x + gridDim.x * blockIdx.y);
    own[0] = cluster.block_rank();
    own[1] = cluster.block_index().x + 10 * cluster.block_index().y;
    own[2] = cluster.dim_blocks().x + 10 * cluster.dim_blocks().y;
    own[3] = cluster.num_blocks();
    int cluster_id, clusters;
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(cluster_id));
    asm("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters));
    own[4] = cluster_id + 10 * clusters;
    __shared__ int mine;
    own[5] = cluster.query_shared_rank(cluster.map_shared_rank(&mine, 5 - cluster.block_rank()));
}

// In 32-bit addresses of .shared::cluster: every access there is.
extern "C" __global__ void forms(int* out) {
    __shared__ alignas(16) int cells[8];
    cg::cluster_group cluster = cg::this_cluster();
    for (int k = 0; k < 8; ++k) cells[k] = 100 * cluster.block_rank() + k;
    cluster.sync();
    if (cluster.block_rank() == 1) {
        unsigned other;
        asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(other) : "r"((unsigned)__cvta_generic_to_shared(cells)));
        int value, old, x, y, rank, inside, own;
        asm volatile("ld.shared::cluster.u32 %0, [%1+4];" : "=r"(value) : "r"(other));
        asm volatile("st.shared::cluster.u32 [%0+8], %1;" :: "r"(other), "r"(77));
        asm volatile("atom.shared::cluster.add.u32 %0, [%1+12], 5;" : "=r"(old) : "r"(other));
        asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0+12], 5;" :: "r"(other));
        asm volatile("ld.shared::cluster.v2.u32 {%0, %1}, [%2+16];" : "=r"(x), "=r"(y) : "r"(other));
        asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(other));
        const int* const generic = cluster.map_shared_rank(cells, 0);
        asm("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(inside) : "l"(generic));
        asm("{ .reg .pred p; isspacep.shared::cta p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(own) : "l"(generic));
        out[0] = value; out[1] = old; out[2] = x; out[3] = y; out[4] = rank; out[5] = inside; out[6] = own;
        out[7] = *generic;
    }
    cluster.sync();
    if (cluster.block_rank() == 0) { out[8] = cells[2]; out[9] = cells[3]; }
}

// Arrival and wait apart: each block works between them. Threads that have returned are not waited for.
extern "C" __global__ void apart(int* out, int rounds) {
    __shared__ int flag;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x % 2 == 1) return;
    const unsigned rank = cluster.block_rank();
    int wrong = 0;
    for (int r = 0; r < rounds; ++r) {
        if (threadIdx.x == 0) flag = r * 10 + rank;
        asm volatile("barrier.cluster.arrive.release;" ::: "memory");
        asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
        const unsigned next = (rank + 1) % cluster.num_blocks();
        wrong += *cluster.map_shared_rank(&flag, next) != r * 10 + next;
        asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
        asm volatile("barrier.cluster.wait;" ::: "memory");
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = wrong == 0 ? 1 : -wrong;
}

// A block fills the other's shared memory in bulk; the other waits for the bytes at a barrier of its own.
extern "C" __global__ void bulk(int* out) {
    __shared__ alignas(16) int data[32];
    __shared__ alignas(8) unsigned long long arrived;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned place = __cvta_generic_to_shared(data), barrier = __cvta_generic_to_shared(&arrived);
    data[threadIdx.x] = 1000 * (cluster.block_rank() + 1) + threadIdx.x;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier));
        asm volatile("fence.mbarrier_init.release.cluster;");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 64;" :: "r"(barrier));
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    cluster.sync();
    if (threadIdx.x == 0) {
        asm volatile(
            "{ .reg .b32 to, bar; mapa.shared::cluster.u32 to, %0, %2; mapa.shared::cluster.u32 bar, %1, %2;"
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to+64], [%0], 64, [bar]; }"
            :: "r"(place), "r"(barrier), "r"(cluster.block_rank() ^ 1) : "memory");
    }
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra again; }"
                 :: "r"(barrier) : "memory");
    out[blockIdx.x * 32 + threadIdx.x] = data[threadIdx.x];
    cluster.sync();
}
)cuda";

class Clusters : public Execution {
protected:
    // `config` counts clusters.
    static LaunchConfig in_clusters(uint32_t clusters, uint32_t blocks, uint32_t threads) {
        LaunchConfig config{clusters, threads};
        config.cluster = Dimensions{blocks};
        return config;
    }
};

TEST_F(Clusters, BlocksReadEachOthersSharedMemory) {
    std::vector<int> values(3 * 4 * 64);
    std::vector<int> expected(3);
    for (size_t k = 0; k < values.size(); ++k) {
        values[k] = static_cast<int>(k * k % 1009);
        expected[k / 256] += values[k];
    }
    const Buffer in = test::buffer_of(device, values);
    EXPECT_EQ(integers(code(source), "sums", 3, in_clusters(3, 4, 64), in), expected);
}

TEST_F(Clusters, AtomicsReachTheSharedMemoryOfOtherBlocks) {
    std::vector<int> values(5000), expected(8 * 16);
    for (size_t k = 0; k < values.size(); ++k) {
        values[k] = static_cast<int>(k * 7919 % 128);
        ++expected[static_cast<size_t>(values[k])];
    }
    const Buffer in = test::buffer_of(device, values);
    EXPECT_EQ(integers(code(source), "histogram", 128, in_clusters(1, 8, 96), in, 5000), expected);
}

TEST_F(Clusters, AKernelSaysWhatItsClustersAreAndBlocksWhereTheyAre) {
    const Kernel places = code(source).get_kernel("places");
    const KernelAttributes attributes = places.attributes(device);
    EXPECT_EQ(attributes.required_cluster_width, 2);
    EXPECT_EQ(attributes.required_cluster_height, 3);
    LaunchConfig config{{4, 3}, 1};
    const std::vector<int> found = integers(code(source), "places", 72, config);
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 4; ++x) {
            const int rank = x % 2 + 2 * y;
            const auto* const block = &found[6 * (static_cast<size_t>(x) + 4 * static_cast<size_t>(y))];
            EXPECT_EQ(std::vector<int>(block, block + 6),
                      (std::vector<int>{rank, x % 2 + 10 * y, 32, 6, x / 2 + 20, 5 - rank}))
                << x << ' ' << y;
        }
    }
}

TEST_F(Clusters, SharedMemoryOfTheClusterHasAddressesOf32Bits) {
    EXPECT_EQ(integers(code(source), "forms", 10, in_clusters(1, 2, 1)),
              (std::vector<int>{1, 3, 4, 5, 0, 1, 0, 0, 77, 13}));
}

TEST_F(Clusters, ArriveAndWaitApart) {
    const std::vector<int> found = integers(code(source), "apart", 3 * 100, in_clusters(1, 3, 100), 20);
    for (size_t k = 0; k < found.size(); ++k)
        EXPECT_EQ(found[k], k % 2 == 0 ? 1 : 0) << k;
}

TEST_F(Clusters, BulkCopiesGoToOtherBlocks) {
    const std::vector<int> found = integers(code(source), "bulk", 64, in_clusters(1, 2, 32));
    for (int k = 0; k < 32; ++k) {
        EXPECT_EQ(found[static_cast<size_t>(k)], k < 16 ? 1000 + k : 2000 + k - 16) << k;
        EXPECT_EQ(found[static_cast<size_t>(k + 32)], k < 16 ? 2000 + k : 1000 + k - 16) << k;
    }
}

TEST_F(Clusters, ManyClustersRunOneAfterTheOther) {
    std::vector<int> values(200 * 2 * 32, 1);
    const Buffer in = test::buffer_of(device, values);
    EXPECT_EQ(integers(code(source), "sums", 200, in_clusters(200, 2, 32), in), std::vector<int>(200, 64));
}

}  // namespace
}  // namespace cuprum::core
