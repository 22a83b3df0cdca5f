// malloc in kernels, and what CUB asks of memory: flags with values of 8 and 16 bytes, written by other blocks.
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/pathfinder/pathfinder.hpp"
#include "execution.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::values_of;

const char* const heap_source = R"cuda(
struct Node {
    int value; Node* next;
    __device__ Node(int v, Node* n) : value(v), next(n) {}
    __device__ virtual ~Node() {}
};
extern "C" __global__ void lists(int* out, int n) {
    Node* head = nullptr;
    for (int k = 0; k < n; ++k) head = new Node(threadIdx.x + k, head);
    int sum = 0;
    while (head) { sum += head->value; Node* next = head->next; delete head; head = next; }
    float* array = new float[n];
    for (int k = 0; k < n; ++k) array[k] = k;
    for (int k = 0; k < n; ++k) sum += (int)array[k];
    delete[] array;
    free(nullptr);
    out[threadIdx.x] = sum;
}
extern "C" __global__ void keep(int** place) { *place = (int*)malloc(sizeof(int)); **place = 41; }
extern "C" __global__ void take(int* out, int** place) { *out = **place + 1; free(*place); }
extern "C" __global__ void too_much(int* out) { *out = malloc(1ull << 40) == nullptr; }
)cuda";

class Memory : public Execution {};

TEST_F(Memory, KernelsAllocateAndFree) {
    const auto out = integers(code(heap_source), "lists", 64, {1, 64}, 10);
    for (int t = 0; t < 64; ++t)
        EXPECT_EQ(out[static_cast<size_t>(t)], 10 * t + 45 + 45);
}

TEST_F(Memory, WhatOneKernelAllocatesAnotherFrees) {
    const Buffer place = buffer_of(device, std::vector<uint64_t>{0});
    run(code(heap_source), "keep", {1, 1}, place);
    EXPECT_EQ(integers(code(heap_source), "take", 1, {1, 1}, place)[0], 42);
}

TEST_F(Memory, AHeapThatIsUsedUpGivesNull) {
    EXPECT_EQ(integers(code(heap_source), "too_much", 1, {1, 1})[0], 1);
}

// An address of shared memory has 32 bits, and so has its sum with an offset: NVRTC 13.5 steps below zero and back.
const char* const wrapping_source = R"cuda(
__device__ unsigned below(const void* place) { return (unsigned)__cvta_generic_to_shared(place) - 4096; }
extern "C" __global__ void wrap(int* out) {
    __shared__ int s[64];
    const unsigned lane = threadIdx.x, mixed = lane * 7 % 32;
    int found = 0;
    asm volatile("st.shared.u32 [%0+4096], %1;" :: "r"(below(&s[lane])), "r"(lane + 1) : "memory");  // in a row
    asm volatile("st.shared.u32 [%0+4096], %1;" :: "r"(below(&s[32 + mixed])), "r"(lane + 1) : "memory");
    __syncwarp();
    asm volatile("ld.shared.u32 %0, [%1+4096];" : "=r"(found) : "r"(below(&s[lane])) : "memory");
    out[lane] = found;
    asm volatile("ld.shared.u32 %0, [%1+4096];" : "=r"(found) : "r"(below(&s[32 + mixed])) : "memory");
    out[32 + lane] = found;
    asm volatile("ld.volatile.shared.u32 %0, [%1+4096];" : "=r"(found) : "r"(below(&s[lane])) : "memory");
    out[64 + lane] = found;
    asm volatile("atom.shared.add.u32 %0, [%1+4096], 1;" : "=r"(found) : "r"(below(&s[lane])) : "memory");
    out[96 + lane] = found;
    __syncwarp();
    if (lane % 2 == 0)
        asm volatile("ld.shared.u32 %0, [%1+4096];" : "=r"(found) : "r"(below(&s[lane])) : "memory");
    out[128 + lane] = found;
}
)cuda";

TEST_F(Memory, AnOffsetTakesASharedAddressBelowZeroBackAbove) {
    const std::vector<int> found = integers(code(wrapping_source), "wrap", 160, {1, 32});
    for (size_t lane = 0; lane < 32; ++lane) {
        const int stored = static_cast<int>(lane) + 1;
        for (size_t part = 0; part < 4; ++part)
            EXPECT_EQ(found[32 * part + lane], stored) << "part " << part << ", lane " << lane;
        EXPECT_EQ(found[128 + lane], lane % 2 == 0 ? stored + 1 : stored) << lane;
    }
}

const char* const scan_source = R"cuda(
#include <cub/agent/single_pass_scan_operators.cuh>
#include <cub/block/block_scan.cuh>
struct Pair { long long a; double b; };
struct Add {
    template <class T> __device__ T operator()(const T& x, const T& y) const { return x + y; }
    __device__ Pair operator()(const Pair& x, const Pair& y) const { return {x.a + y.a, x.b + y.b}; }
};
template <class T> __device__ void scan(T* out, const T* in, cub::ScanTileState<T> state) {
    using Block = cub::BlockScan<T, 128>;
    using Prefix = cub::TilePrefixCallbackOp<T, Add, cub::ScanTileState<T>>;
    __shared__ typename Block::TempStorage storage;
    __shared__ typename Prefix::TempStorage prefix_storage;
    int i = blockIdx.x * 128 + threadIdx.x;
    T value = in[i], result;
    if (blockIdx.x == 0) {
        T total;
        Block(storage).InclusiveScan(value, result, Add{}, total);
        if (threadIdx.x == 0) state.SetInclusive(0, total);
    } else {
        Prefix prefix(state, prefix_storage, Add{}, blockIdx.x);
        Block(storage).InclusiveScan(value, result, Add{}, prefix);
    }
    out[i] = result;
}
template <class T> __device__ void start(void* temporary, int tiles, size_t bytes) {
    cub::ScanTileState<T> state;
    state.Init(tiles, temporary, bytes);
    state.InitializeStatus(tiles);
}
template <class T> __device__ void go(T* out, const T* in, void* temporary, int tiles, size_t bytes) {
    cub::ScanTileState<T> state;
    state.Init(tiles, temporary, bytes);
    scan(out, in, state);
}
extern "C" __global__ void start_double(void* t, int n, size_t b) { start<double>(t, n, b); }
extern "C" __global__ void scan_double(double* out, const double* in, void* t, int n, size_t b) { go(out, in, t, n, b); }
extern "C" __global__ void start_pair(void* t, int n, size_t b) { start<Pair>(t, n, b); }
extern "C" __global__ void scan_pair(Pair* out, const Pair* in, void* t, int n, size_t b) { go(out, in, t, n, b); }
)cuda";

struct Pair {
    long long a;
    double b;
    bool operator==(const Pair&) const = default;
};

// NVRTC does not compile the scans of CCCL before 3.0 as they are: where the toolkit has one of these, CUDA 12's, one
// of those that `./run test` installs serves.
std::string folder_of_cub() {
    std::vector<std::string> folders;
    for (const pathfinder::LocatedPart& part : pathfinder::locate_all(pathfinder::PartKind::headers, "cccl"))
        folders.push_back(part.abs_path);
    if (const char* const installed = std::getenv("CUPRUM_TEST_CCCL")) folders.emplace_back(installed);
    for (const std::string& folder : folders) {
        std::ifstream file(folder + "/cub/version.cuh");
        constexpr std::string_view marker = "#define CUB_VERSION ";
        for (std::string line; std::getline(file, line);)
            if (line.starts_with(marker) && std::stoi(line.substr(marker.size())) >= 300000) return folder;
    }
    throw std::runtime_error("there is no CCCL 3.0 or newer on this machine: ./run test installs one");
}

class LookBack : public Execution {
protected:
    template <class T>
    std::vector<T> scan(const std::vector<T>& in, const char* start, const char* kernel) {
        static const auto* const compiled = new ObjectCode([] {
            ProgramOptions options;
            options.device_as_default_execution_space = true;
            options.include_path = {folder_of_cub()};
            options.define_macro = {{"CUB_RUNTIME_FUNCTION", "__host__ __device__"}};
            options.extra_options = {"-DCUB_DEFINE_SUB_POLICY_GETTER(x)="};
            return Program(scan_source, SourceType::cxx, options).compile();
        }());
        const auto tiles = static_cast<uint32_t>(in.size() / 128);
        const size_t bytes = 1 << 20;
        const Buffer temporary = device.allocate(bytes), out = device.allocate(in.size() * sizeof(T));
        run(*compiled, start, {(tiles + 127) / 128, 128}, temporary, static_cast<int>(tiles), bytes);
        run(*compiled, kernel, {tiles, 128}, out, buffer_of(device, in), temporary, static_cast<int>(tiles), bytes);
        return values_of<T>(out);
    }
    static constexpr size_t count = size_t{300} * 128;
};

TEST_F(LookBack, ScansDoublesWithStatesOfSixteenBytes) {
    std::vector<double> in(count), expected(count);
    for (size_t k = 0; k < count; ++k)
        in[k] = static_cast<double>(k * 7 % 1001);
    std::inclusive_scan(in.begin(), in.end(), expected.begin());
    EXPECT_EQ(scan(in, "start_double", "scan_double"), expected);
}

TEST_F(LookBack, ScansStructuresOfSixteenBytesWithFlagsApart) {
    std::vector<Pair> in(count), expected(count);
    Pair sum{0, 0};
    for (size_t k = 0; k < count; ++k) {
        in[k] = {static_cast<long long>(k) << 20, static_cast<double>(k % 13)};
        sum = expected[k] = {sum.a + in[k].a, sum.b + in[k].b};
    }
    EXPECT_EQ(scan(in, "start_pair", "scan_pair"), expected);
}

}  // namespace
}  // namespace cuprum::core
