// What cuda::barrier, cuda::pipeline and the memcpy_async functions become: mbarrier, cp.async and cp.async.bulk.
#include <numeric>

#include "execution.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;

const char* const source = R"cuda(
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

extern "C" __global__ void rounds(int* out, const int* in, int count) {
    __shared__ block_barrier barrier;
    __shared__ int data[256];
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < count; ++r) {
        data[threadIdx.x] = in[threadIdx.x] + r;
        auto token = barrier.arrive();
        barrier.wait(std::move(token));
        sum += data[(threadIdx.x + 33 + r) % blockDim.x];
        barrier.arrive_and_wait();
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void drop(int* out) {
    __shared__ block_barrier barrier;
    __shared__ int count;
    if (threadIdx.x == 0) { init(&barrier, blockDim.x); count = 0; }
    __syncthreads();
    if (threadIdx.x >= 96) { barrier.arrive_and_drop(); return; }
    for (int r = 0; r < 3; ++r) { atomicAdd(&count, 1); barrier.arrive_and_wait(); }
    out[threadIdx.x] = count;
}

extern "C" __global__ void copy_by_block(int* out, const int* in) {
    __shared__ block_barrier barrier;
    __shared__ alignas(16) int data[1024];
    auto block = cg::this_thread_block();
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    block.sync();
    cuda::memcpy_async(block, data, in, cuda::aligned_size_t<16>(sizeof(data)), barrier);
    barrier.arrive_and_wait();
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) out[k] = data[1023 - k];
}

extern "C" __global__ void copy_by_thread(int* out, const int* in) {
    __shared__ block_barrier barrier;
    __shared__ int4 data[128];
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&data[threadIdx.x], (const int4*)in + threadIdx.x, cuda::aligned_size_t<16>(16), barrier);
    barrier.arrive_and_wait();
    ((int4*)out)[threadIdx.x] = data[(threadIdx.x + 1) % blockDim.x];
}

extern "C" __global__ void pipeline_of_block(int* out, const int* in, int batches) {
    constexpr int stages = 2;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ alignas(16) int buffer[stages][128];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int fetched = 0, sum = 0;
    for (int b = 0; b < batches; ++b) {
        for (; fetched < batches && fetched < b + stages; ++fetched) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buffer[fetched % stages], in + fetched * 128, cuda::aligned_size_t<16>(512), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += buffer[b % stages][127 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void producers_and_consumers(int* out, const int* in, int batches) {
    constexpr int stages = 2;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ int buffer[stages][64];
    bool producer = threadIdx.x < 64;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state,
        producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (producer) {
        for (int b = 0; b < batches; ++b) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buffer[b % stages][threadIdx.x], in + b * 64 + threadIdx.x, sizeof(int), pipe);
            pipe.producer_commit();
        }
    } else {
        int sum = 0;
        for (int b = 0; b < batches; ++b) {
            pipe.consumer_wait();
            sum += buffer[b % stages][127 - threadIdx.x];
            pipe.consumer_release();
        }
        out[threadIdx.x - 64] = sum;
    }
}

extern "C" __global__ void pipeline_of_thread(int* out, const int* in, int batches) {
    __shared__ int buffer[2][128];
    auto pipe = cuda::make_pipeline();
    int sum = 0;
    for (int b = 0; b <= batches; ++b) {
        if (b < batches) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buffer[b & 1][threadIdx.x], in + b * 128 + threadIdx.x, 4, pipe);
            pipe.producer_commit();
        }
        if (b == 0) continue;
        if (b < batches) cuda::pipeline_consumer_wait_prior<1>(pipe); else cuda::pipeline_consumer_wait_prior<0>(pipe);
        sum += buffer[(b - 1) & 1][threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void copy_by_group(int* out, const int* in, int n) {
    extern __shared__ int data[];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, data, in, sizeof(int) * n);
    cg::wait(block);
    for (int k = threadIdx.x; k < n; k += blockDim.x) out[k] = data[n - 1 - k];
}
)cuda";

// Compiled for 8.0, where memcpy_async is cp.async, and for 9.0, where it is cp.async.bulk if it can be.
class Asynchronous : public Execution, public testing::WithParamInterface<const char*> {
protected:
    const ObjectCode& kernels() {
        static auto* const known = new std::map<std::string, ObjectCode>;
        auto found = known->find(GetParam());
        if (found == known->end()) {
            ProgramOptions options;
            options.name = "asynchronous.cu";
            options.arch = GetParam();
            options.std = "c++17";
            found = known->emplace(GetParam(), Program(source, SourceType::cxx, options).compile(CodeType::ptx)).first;
        }
        return found->second;
    }
    const std::vector<int> in = [] {
        std::vector<int> values(2048);
        std::iota(values.begin(), values.end(), 100);
        return values;
    }();
    const Buffer input = buffer_of(device, in);
    static constexpr uint32_t threads = 128;
};

INSTANTIATE_TEST_SUITE_P(ForCapability, Asynchronous, testing::Values("compute_80", "compute_90"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_P(Asynchronous, ABarrierIsUsedRoundAfterRound) {
    const auto out = integers(kernels(), "rounds", threads, {1, threads}, input, 5);
    for (int t = 0; t < 128; ++t) {
        int sum = 0;
        for (int r = 0; r < 5; ++r)
            sum += in[static_cast<size_t>((t + 33 + r) % 128)] + r;
        EXPECT_EQ(out[static_cast<size_t>(t)], sum) << t;
    }
}

TEST_P(Asynchronous, ThreadsThatDropAreNotWaitedFor) {
    const auto out = integers(kernels(), "drop", 96, {1, threads});
    EXPECT_EQ(out, std::vector<int>(96, 3 * 96));
}

TEST_P(Asynchronous, ABlockCopies) {
    const auto out = integers(kernels(), "copy_by_block", 1024, {1, threads}, input);
    for (size_t k = 0; k < out.size(); ++k)
        ASSERT_EQ(out[k], in[1023 - k]);
}

TEST_P(Asynchronous, EachThreadCopies) {
    const auto out = integers(kernels(), "copy_by_thread", 512, {1, threads}, input);
    for (size_t k = 0; k < out.size(); ++k)
        ASSERT_EQ(out[k], in[(k + 4) % 512]);
}

TEST_P(Asynchronous, PipelinesOfABlockOverlapStages) {
    const auto out = integers(kernels(), "pipeline_of_block", threads, {1, threads}, input, 16);
    for (size_t t = 0; t < threads; ++t) {
        int sum = 0;
        for (size_t b = 0; b < 16; ++b)
            sum += in[b * 128 + 127 - t];
        ASSERT_EQ(out[t], sum);
    }
}

TEST_P(Asynchronous, ProducerAndConsumerThreadsShareAPipeline) {
    const auto out = integers(kernels(), "producers_and_consumers", 64, {1, threads}, input, 20);
    for (size_t t = 0; t < 64; ++t) {
        int sum = 0;
        for (size_t b = 0; b < 20; ++b)
            sum += in[b * 64 + 63 - t];
        ASSERT_EQ(out[t], sum);
    }
}

TEST_P(Asynchronous, AThreadHasAPipelineOfItsOwn) {
    const auto out = integers(kernels(), "pipeline_of_thread", threads, {1, threads}, input, 16);
    for (size_t t = 0; t < threads; ++t) {
        int sum = 0;
        for (size_t b = 0; b < 16; ++b)
            sum += in[b * 128 + t];
        ASSERT_EQ(out[t], sum);
    }
}

TEST_P(Asynchronous, CooperativeGroupsCopy) {
    LaunchConfig config{1, threads};
    config.shmem_size = 1000 * sizeof(int);
    const auto out = integers(kernels(), "copy_by_group", 1000, config, input, 1000);
    for (size_t k = 0; k < out.size(); ++k)
        ASSERT_EQ(out[k], in[999 - k]);
}

}  // namespace
}  // namespace cuprum::core
