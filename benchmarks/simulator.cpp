// What the simulator takes for CUB's algorithms, for blocks and for cores, each beside a measure of the same machine.
// On a GPU (CUPRUM_DRIVER=gpu) the same programs run there, and the ratios say nothing.
#include <cuprum/cuprum.hpp>

#include <random>

#include "measure.hpp"

using namespace cuprum::core;
using cuprum::benchmarks::now_microseconds;
using cuprum::benchmarks::row;

namespace {

const char* const source = R"cuda(
#include <cub/device/dispatch/kernels/radix_sort.cuh>
#include <cub/device/dispatch/kernels/reduce.cuh>
#include <cub/device/dispatch/tuning/tuning_radix_sort.cuh>
#include <cub/device/dispatch/tuning/tuning_reduce.cuh>
using key = unsigned;
using sort_policy = cub::detail::radix::policy_hub<key, cub::NullType, unsigned>::MaxPolicy;
using sort_tuning = sort_policy::ActivePolicy;
using reduce_policy = cub::detail::reduce::policy_hub<float, unsigned, ::cuda::std::plus<>>::MaxPolicy::ActivePolicy::ReducePolicy;
using reduce_agent = cub::detail::reduce::AgentReduce<reduce_policy, const float*, float*, unsigned, ::cuda::std::plus<>, float>;

extern "C" __global__ void constants(int* out) {
    out[0] = sort_tuning::OnesweepPolicy::BLOCK_THREADS;
    out[1] = sort_tuning::OnesweepPolicy::ITEMS_PER_THREAD;
    out[2] = sort_tuning::HistogramPolicy::BLOCK_THREADS;
    out[3] = sort_tuning::ExclusiveSumPolicy::BLOCK_THREADS;
    out[4] = reduce_policy::BLOCK_THREADS;
    out[5] = reduce_policy::ITEMS_PER_THREAD;
}
// As DeviceReduceKernel, with the shares made here.
extern "C" __global__ __launch_bounds__(reduce_policy::BLOCK_THREADS) void reduce(const float* in, float* out, unsigned n) {
    __shared__ typename reduce_agent::TempStorage storage;
    cub::GridEvenShare<unsigned> share;
    share.DispatchInit(n, gridDim.x, reduce_policy::BLOCK_THREADS * reduce_policy::ITEMS_PER_THREAD);
    share.template BlockInit<reduce_policy::BLOCK_THREADS * reduce_policy::ITEMS_PER_THREAD, cub::GRID_MAPPING_RAKE>();
    float sum = reduce_agent(storage, in, ::cuda::std::plus<>{}).ConsumeTiles(share);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
extern "C" __global__ void copy(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 2.0f;
}
extern "C" __global__ void spin(float* out, int rounds) {
    float x = threadIdx.x;
    for (int k = 0; k < rounds; ++k) x = x * 0.999f + 1.0f;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
extern "C" __global__ void empty() {}
)cuda";

const std::string kernels = "cub::detail::radix_sort::DeviceRadixSort";
const std::vector<std::string> names = {
    kernels + "HistogramKernel<sort_policy, cub::SortOrder::Ascending, key, unsigned>",
    kernels + "ExclusiveSumKernel<sort_policy, unsigned>",
    kernels + "OnesweepKernel<sort_policy, cub::SortOrder::Ascending, key, cub::NullType, unsigned, int, int>"};

ObjectCode compile() {
    ProgramOptions options;
    options.device_as_default_execution_space = true;
    options.define_macro = {{"CUB_RUNTIME_FUNCTION", "__host__ __device__"}};
    options.extra_options = {"-DCUB_DEFINE_SUB_POLICY_GETTER(x)="};
    return Program(source, SourceType::cxx, options).compile(CodeType::ptx, names);
}

// What else runs on the machine only ever adds: the best of several is the nearest to what the work takes.
double best(const std::vector<double>& times) {
    return *std::min_element(times.begin(), times.end());
}

// Milliseconds of what `run` puts into the stream, and of the wait for it: the best of `repeats` after one to warm up.
template <class Run>
double milliseconds(const Stream& stream, int repeats, Run run) {
    std::vector<double> times;
    for (int k = 0; k <= repeats; ++k) {
        stream.sync();
        const double begin = now_microseconds();
        run();
        stream.sync();
        if (k > 0) times.push_back((now_microseconds() - begin) / 1000);
    }
    return best(times);
}

}  // namespace

int main() {
    const Device device(0);
    const Stream stream = device.create_stream();
    std::printf("# the simulator's marks, on %s\n", device.name().c_str());
    const ObjectCode code = compile();
    const auto begin_load = now_microseconds();
    const Kernel empty = code.get_kernel("empty");
    row("loading a module of CUB's sort and reduce", (now_microseconds() - begin_load) / 1000, "ms");

    const Buffer constants_buffer = device.allocate(6 * sizeof(int));
    launch(stream, {1, 1}, code.get_kernel("constants"), constants_buffer);
    stream.sync();
    std::vector<int> constants(6);
    constants_buffer.copy_to_host(constants.data(), 6 * sizeof(int));

    constexpr uint32_t n = 1 << 20;
    std::mt19937 generator(1);
    std::vector<uint32_t> keys(n);
    for (uint32_t& key : keys)
        key = static_cast<uint32_t>(generator());
    std::vector<uint32_t> sorted;
    std::vector<double> host_times;
    for (int k = 0; k < 9; ++k) {
        sorted = keys;
        const double begin = now_microseconds();
        std::sort(sorted.begin(), sorted.end());
        host_times.push_back((now_microseconds() - begin) / 1000);
    }
    const double host = best(host_times);
    row("std::sort, one thread, 2^20 uint32", host, "ms");

    const uint32_t tile = static_cast<uint32_t>(constants[0] * constants[1]), tiles = (n + tile - 1) / tile;
    const Buffer in = device.allocate(n * 4), out = device.allocate(n * 4), spare = device.allocate(n * 4);
    const Buffer bins = device.allocate(4 * 256 * 4), counters = device.allocate(4 * 4);
    const Buffer look_back = device.allocate(size_t{4} * tiles * 256 * 4);
    in.copy_from_host(keys.data(), n * 4);
    const Kernel histogram = code.get_kernel(names[0]), sum = code.get_kernel(names[1]),
                 sweep = code.get_kernel(names[2]);
    struct Identity {};
    const auto sort = [&] {
        bins.fill(0, 4, stream);
        counters.fill(0, 4, stream);
        look_back.fill(0, 4, stream);
        launch(stream, {16, static_cast<uint32_t>(constants[2])}, histogram, bins, in, n, 0, 32, Identity{});
        launch(stream, {4, static_cast<uint32_t>(constants[3])}, sum, bins);
        for (uint32_t pass = 0; pass < 4; ++pass) {
            const DevicePointer from = pass == 0 ? in.handle() : pass % 2 == 1 ? spare.handle() : out.handle();
            const DevicePointer to = pass % 2 == 0 ? spare.handle() : out.handle();
            launch(stream, {tiles, static_cast<uint32_t>(constants[0])}, sweep,
                   look_back.handle() + DevicePointer{pass} * tiles * 256 * 4, counters.handle() + pass * 4,
                   DevicePointer{0}, bins.handle() + pass * 256 * 4, to, from, DevicePointer{0}, DevicePointer{0},
                   static_cast<int>(n), static_cast<int>(8 * pass), 8, Identity{});
        }
    };
    const double simulated = milliseconds(stream, 15, sort);
    std::vector<uint32_t> result(n);
    out.copy_to_host(result.data(), n * 4);
    if (result != sorted) {
        std::fprintf(stderr, "the keys are not sorted\n");
        return 1;
    }
    row("CUB onesweep, 2^20 uint32", simulated, "ms", simulated / host, "std::sort");

    const Kernel reduce = code.get_kernel("reduce");
    row("CUB reduce, 2^20 floats",
        milliseconds(stream, 21,
                     [&] { launch(stream, {64, static_cast<uint32_t>(constants[4])}, reduce, in, out, n); }),
        "ms");
    row("empty launch and wait", 1000 * milliseconds(stream, 201, [&] { launch(stream, {1, 32}, empty); }), "us");
    row("empty launch, 1024 blocks, and wait",
        1000 * milliseconds(stream, 51, [&] { launch(stream, {1024, 32}, empty); }), "us");

    // Linear in blocks: a quarter of the blocks takes a quarter of the time.
    const Kernel spin = code.get_kernel("spin");
    const auto blocks = [&](uint32_t count) {
        return milliseconds(stream, 11, [&] { launch(stream, {count, 256}, spin, out, 200); });
    };
    const double quarter = blocks(1024), whole = blocks(4096);
    row("4096 blocks", whole, "ms", whole / quarter, "1024 blocks (4 is linear)");
    return 0;
}
