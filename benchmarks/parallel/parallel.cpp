// The algorithms beside CUB compiled ahead of time, in one process, in turns.
// usage: benchmark_parallel LIBCUB_BASELINE.so [LOG2_OF_LARGEST]
// A row: algorithm, log2 n, microseconds per call here and of CUB, ratio of the times, throughput here, and whether the
// two results are equal. Both sides get their temporary storage beforehand.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "../measure.hpp"
#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum::core;
using namespace cuprum::parallel;
using cuprum::benchmarks::median;
using cuprum::benchmarks::now_microseconds;

namespace {

using Baseline = int (*)(void* storage, size_t* bytes, const void* in, void* out, int n, CUstream stream);
using PairsBaseline = int (*)(void* storage, size_t* bytes, const void* in, void* out, const void* values_in,
                              void* values_out, int n, CUstream stream);

void* library = nullptr;

template <class Function>
Function baseline(const char* name) {
    void* const symbol = dlsym(library, name);
    if (symbol == nullptr) {
        std::fprintf(stderr, "the baseline has no %s\n", name);
        std::exit(2);
    }
    return reinterpret_cast<Function>(symbol);
}

void* pointer(const BufferRef& buffer) {
    return reinterpret_cast<void*>(buffer.handle());
}

// Microseconds per call of the two, by the device's clock over whole batches, in turns.
struct Times {
    double ours, theirs;
};
Times measure(const Device& device, const Stream& stream, uint64_t n, const std::function<void()>& ours,
              const std::function<void()>& theirs) {
    const int calls = n <= (1U << 20) ? 200 : n <= (1U << 24) ? 50 : 8;
    constexpr int batches = 15;
    const Event begin = device.create_event({.timing_enabled = true});
    const Event end = device.create_event({.timing_enabled = true});
    const auto batch = [&](const std::function<void()>& call) {
        stream.record(begin);
        for (int i = 0; i < calls; ++i)
            call();
        stream.record(end);
        end.sync();
        return static_cast<double>(end - begin) * 1000 / calls;
    };
    batch(ours);
    batch(theirs);
    std::vector<double> our_times;
    std::vector<double> their_times;
    for (int i = 0; i < batches; ++i) {
        our_times.push_back(batch(ours));
        their_times.push_back(batch(theirs));
    }
    return {median(our_times), median(their_times)};
}

enum class Same { bits, nearly };

bool same(const BufferRef& left, const BufferRef& right, Same how) {
    std::vector<uint32_t> a(left.size() / 4);
    std::vector<uint32_t> b(a.size());
    left.copy_to_host(a.data(), left.size());
    right.copy_to_host(b.data(), right.size());
    if (how == Same::bits) return a == b;
    for (size_t i = 0; i < a.size(); ++i) {
        float x = 0;
        float y = 0;
        std::memcpy(&x, &a[i], 4);
        std::memcpy(&y, &b[i], 4);
        // Sums of up to 2^28 floats in another order.
        if (!(std::fabs(x - y) <= 1e-3F * std::fabs(y) + 1e-3F)) return false;
    }
    return true;
}

class Bench {
public:
    Bench(int largest) : largest_(largest) {
        const uint64_t n = uint64_t{1} << largest;
        in_ = device_.allocate(n * 4);
        out_ = device_.allocate(n * 4);
        expected_ = device_.allocate(n * 4);
        const Kernel fill = Program(R"(
            extern "C" __global__ void fill(unsigned* bits, float* numbers, unsigned long long n) {
                for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) {
                    unsigned long long x = (i + 1) * 0x9e3779b97f4a7c15ull;
                    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
                    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
                    bits[i] = unsigned(x >> 32);
                    numbers[i] = float(unsigned(x) >> 8) * (1.0f / 16777216.0f);
                }
            })")
                                .compile()
                                .get_kernel("fill");
        numbers_ = device_.allocate(n * 4);
        launch(stream_, {1024, 256}, fill, in_, numbers_, n);
        stream_.sync();
    }

    template <class Make, class Run>
    void run(const char* name, const char* baseline_name, bool floats, bool one_result, Same how, double bytes_each,
             const Make& make, const Run& call) {
        const double begin = now_microseconds();
        const auto algorithm = make();
        std::printf("# %s built in %.1f ms\n", name, (now_microseconds() - begin) / 1000);
        const auto theirs = baseline<Baseline>(baseline_name);
        const Buffer& in = floats ? numbers_ : in_;
        for (const int log2 : {16, 20, 24, 28}) {
            if (log2 > largest_) break;
            const uint64_t n = uint64_t{1} << log2;
            size_t bytes = 0;
            theirs(nullptr, &bytes, pointer(in), pointer(expected_), static_cast<int>(n), stream_.handle());
            const Buffer their_storage = device_.allocate(bytes);
            uint64_t needed = 0;
            if constexpr (requires { algorithm.temp_storage_bytes(n); }) needed = algorithm.temp_storage_bytes(n);
            const Buffer our_storage = device_.allocate(needed);
            const CallOptions options{.temp_storage = our_storage};
            const Times times = measure(
                device_, stream_, n, [&] { call(algorithm, in, out_, n, options); },
                [&] {
                    theirs(pointer(their_storage), &bytes, pointer(in), pointer(expected_), static_cast<int>(n),
                           stream_.handle());
                });
            const uint64_t result = one_result ? 4 : n * 4;
            report(name, log2, times, bytes_each, same(out_.slice(0, result), expected_.slice(0, result), how));
        }
    }

    void pairs() {
        const RadixSort sort(SortOrder::ascending, Type::of<uint32_t>(), Type::of<uint32_t>());
        const auto theirs = baseline<PairsBaseline>("cub_sort_pairs_u32");
        const Buffer values_out = device_.allocate(in_.size());
        const Buffer values_expected = device_.allocate(in_.size());
        for (const int log2 : {16, 20, 24, 28}) {
            if (log2 > largest_) break;
            const uint64_t n = uint64_t{1} << log2;
            size_t bytes = 0;
            theirs(nullptr, &bytes, pointer(in_), pointer(expected_), pointer(numbers_), pointer(values_expected),
                   static_cast<int>(n), stream_.handle());
            const Buffer their_storage = device_.allocate(bytes);
            const Buffer our_storage = device_.allocate(sort.temp_storage_bytes(n));
            const Times times = measure(
                device_, stream_, n,
                [&] { sort(stream_, in_, out_, numbers_, values_out, n, {}, {.temp_storage = our_storage}); },
                [&] {
                    theirs(pointer(their_storage), &bytes, pointer(in_), pointer(expected_), pointer(numbers_),
                           pointer(values_expected), static_cast<int>(n), stream_.handle());
                });
            report("radix pairs u32+u32", log2, times, 16,
                   same(out_.slice(0, n * 4), expected_.slice(0, n * 4), Same::bits) &&
                       same(values_out.slice(0, n * 4), values_expected.slice(0, n * 4), Same::bits));
        }
    }

    const Device& device() const { return device_; }
    const Stream& stream() const { return stream_; }
    bool all_equal() const { return all_equal_; }

private:
    void report(const char* name, int log2, const Times& times, double bytes_each, bool equal) {
        const double n = std::ldexp(1.0, log2);
        std::printf("%-24s\t2^%d\t%9.2f us\t%9.2f us\t%.3f x\t%8.1f GB/s\t%6.2f G/s\t%s\n", name, log2, times.ours,
                    times.theirs, times.ours / times.theirs, n * bytes_each / times.ours / 1000, n / times.ours / 1000,
                    equal ? "equal" : "DIFFERENT");
        std::fflush(stdout);
        all_equal_ = all_equal_ && equal;
    }

    int largest_;
    bool all_equal_ = true;
    Device device_{0};
    Stream stream_ = device_.create_stream();
    Buffer in_, numbers_, out_, expected_;
};

}  // namespace

int main(int count, char** arguments) {
    if (count < 2 || (library = dlopen(arguments[1], RTLD_NOW)) == nullptr) {
        std::fprintf(stderr, "usage: benchmark_parallel LIBCUB_BASELINE.so [LOG2_OF_LARGEST]\n%s\n",
                     count < 2 ? "" : dlerror());
        return 2;
    }
    Bench bench(count > 2 ? std::atoi(arguments[2]) : 28);
    const Stream& stream = bench.stream();
    std::printf("# on %s; algorithm, n, here, CUB, here / CUB, here, here, results\n", bench.device().name().c_str());
    const Type f32 = Type::of<float>();
    const Type u32 = Type::of<uint32_t>();
    const Iterator floats = Iterator::pointer(f32);
    constexpr const char* larger_magnitude = "fabsf(a) > fabsf(b) ? a : b";

    bench.run(
        "reduce sum f32", "cub_reduce_f32", true, true, Same::nearly, 4,
        [&] { return Reduce(floats, OpKind::plus, f32); },
        [&](const Reduce& reduce, const Buffer& in, const Buffer& out, uint64_t n, const CallOptions& options) {
            reduce(stream, in, out, n, 0.0F, options);
        });
    bench.run(
        "reduce own operator f32", "cub_reduce_own_f32", true, true, Same::bits, 4,
        [&] { return Reduce(floats, larger_magnitude, f32); },
        [&](const Reduce& reduce, const Buffer& in, const Buffer& out, uint64_t n, const CallOptions& options) {
            reduce(stream, in, out, n, 0.0F, options);
        });
    bench.run(
        "scan sum f32", "cub_scan_f32", true, false, Same::nearly, 8,
        [&] { return Scan(ScanKind::exclusive, floats, OpKind::plus, f32); },
        [&](const Scan& scan, const Buffer& in, const Buffer& out, uint64_t n, const CallOptions& options) {
            scan(stream, in, out, n, 0.0F, options);
        });
    bench.run(
        "scan own operator f32", "cub_scan_own_f32", true, false, Same::bits, 8,
        [&] { return Scan(ScanKind::inclusive, floats, larger_magnitude, f32); },
        [&](const Scan& scan, const Buffer& in, const Buffer& out, uint64_t n, const CallOptions& options) {
            scan(stream, in, out, n, options);
        });
    bench.run(
        "radix keys u32", "cub_sort_keys_u32", false, false, Same::bits, 8,
        [&] { return RadixSort(SortOrder::ascending, u32); },
        [&](const RadixSort& sort, const Buffer& in, const Buffer& out, uint64_t n, const CallOptions& options) {
            sort(stream, in, out, n, {}, options);
        });
    bench.pairs();
    bench.run(
        "merge sort u32", "cub_merge_sort_u32", false, false, Same::bits, 8,
        [&] { return MergeSort(OpKind::less, u32); },
        [&](const MergeSort& sort, const Buffer& in, const Buffer& out, uint64_t n, const CallOptions& options) {
            sort(stream, in, out, n, options);
        });
    bench.run(
        "transform f32", "cub_transform_f32", true, false, Same::bits, 8,
        [&] { return Transform(floats, "a * 2.0f + 1.0f", f32); },
        [&](const Transform& transform, const Buffer& in, const Buffer& out, uint64_t n, const CallOptions&) {
            transform(stream, in, out, n);
        });
    return bench.all_equal() ? 0 : 1;
}
