// The algorithms beside CUB compiled ahead of time, in one process, in turns.
// usage: benchmark_parallel LIBCUB_BASELINE.so [LOG2_OF_LARGEST]
//        benchmark_parallel --calls     what a call costs the host; with CUPRUM_SIM=launch=none the kernels do not run
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
using cuprum::benchmarks::microseconds_per_call;
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
        const Buffer& in = floats ? numbers_ : in_;
        if (library == nullptr) {
            measure_calls(name, algorithm,
                          [&](uint64_t n, const CallOptions& options) { call(algorithm, in, out_, n, options); });
            return;
        }
        const auto theirs = baseline<Baseline>(baseline_name);
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

    // The same with a second input, and for sorts of pairs a second output. `per_item`: elements of the first input for
    // one that is counted; the second output is compared where there is one.
    template <class Make, class Run>
    void run_two(const char* name, const char* baseline_name, bool floats, const Buffer& second, uint64_t per_item,
                 bool two_results, Same how, double bytes_each, const Make& make, const Run& call) {
        const double begin = now_microseconds();
        const auto algorithm = make();
        std::printf("# %s built in %.1f ms\n", name, (now_microseconds() - begin) / 1000);
        const Buffer& in = floats ? numbers_ : in_;
        const Buffer second_out = device_.allocate(two_results ? in_.size() : 4);
        if (library == nullptr) {
            measure_calls(name, algorithm, [&](uint64_t n, const CallOptions& options) {
                call(algorithm, in, out_, second, second_out, n / per_item, options);
            });
            return;
        }
        const auto theirs = baseline<PairsBaseline>(baseline_name);
        const Buffer second_expected = device_.allocate(two_results ? in_.size() : 4);
        for (const int log2 : {16, 20, 24, 28}) {
            if (log2 > largest_) break;
            const uint64_t n = (uint64_t{1} << log2) / per_item;
            size_t bytes = 0;
            theirs(nullptr, &bytes, pointer(in), pointer(expected_), pointer(second), pointer(second_expected),
                   static_cast<int>(n), stream_.handle());
            const Buffer their_storage = device_.allocate(bytes);
            uint64_t needed = 0;
            if constexpr (requires { algorithm.temp_storage_bytes(n); }) needed = algorithm.temp_storage_bytes(n);
            const Buffer our_storage = device_.allocate(needed);
            const CallOptions options{.temp_storage = our_storage};
            const Times times = measure(
                device_, stream_, n * per_item, [&] { call(algorithm, in, out_, second, second_out, n, options); },
                [&] {
                    theirs(pointer(their_storage), &bytes, pointer(in), pointer(expected_), pointer(second),
                           pointer(second_expected), static_cast<int>(n), stream_.handle());
                });
            report(name, log2, times, bytes_each,
                   same(out_.slice(0, n * 4), expected_.slice(0, n * 4), how) &&
                       (!two_results || same(second_out.slice(0, n * 4), second_expected.slice(0, n * 4), how)));
        }
    }

    void two_inputs() {
        const Type f32 = Type::of<float>();
        const Type u32 = Type::of<uint32_t>();
        const Iterator floats = Iterator::pointer(f32);
        const auto sort_pairs = [&](const auto& sort, const Buffer& in, const Buffer& out, const Buffer& values,
                                    const Buffer& values_out, uint64_t n, const CallOptions& options) {
            if constexpr (requires { sort(stream_, in, out, values, values_out, n, BitRange{}, options); }) {
                sort(stream_, in, out, values, values_out, n, {}, options);
            } else {
                sort(stream_, in, out, values, values_out, n, options);
            }
        };
        run_two(
            "radix pairs u32+u32", "cub_sort_pairs_u32", false, numbers_, 1, true, Same::bits, 16,
            [&] { return RadixSort(SortOrder::ascending, u32, u32); }, sort_pairs);
        run_two(
            "merge pairs u32+u32", "cub_merge_sort_pairs_u32", false, numbers_, 1, true, Same::bits, 16,
            [&] { return MergeSort(OpKind::less, u32, u32); }, sort_pairs);
        run_two(
            "transform f32*f32", "cub_transform_binary_f32", true, in_, 1, false, Same::bits, 12,
            [&] { return Transform(floats, floats, "a * b", f32); },
            [&](const Transform& transform, const Buffer& in, const Buffer& out, const Buffer& second, const Buffer&,
                uint64_t n, const CallOptions&) { transform(stream_, in, second, out, n); });
        constexpr uint64_t segment = 1024;
        std::vector<int32_t> offsets((uint64_t{1} << largest_) / segment + 1);
        for (size_t i = 0; i < offsets.size(); ++i)
            offsets[i] = static_cast<int32_t>(i * segment);
        const Buffer begins = device_.allocate(offsets.size() * sizeof(int32_t));
        begins.copy_from_host(offsets.data(), begins.size());
        run_two(
            "segments of 1024 f32", "cub_segmented_sum_f32", true, begins, segment, false, Same::nearly, 4,
            [&] { return SegmentedReduce(floats, OpKind::plus, f32, Type::of<int32_t>()); },
            [&](const SegmentedReduce& sum, const Buffer& in, const Buffer& out, const Buffer& from, const Buffer&,
                uint64_t n, const CallOptions& options) {
                sum(stream_, in, out, n, from, DevicePointer(from.handle() + sizeof(int32_t)), 0.0F, options);
            });
    }

    const Device& device() const { return device_; }
    const Stream& stream() const { return stream_; }
    bool all_equal() const { return all_equal_; }

private:
    template <class Algorithm, class Call>
    void measure_calls(const char* name, const Algorithm& algorithm, const Call& call) {
        constexpr uint64_t n = uint64_t{1} << 16;
        uint64_t needed = 0;
        if constexpr (requires { algorithm.temp_storage_bytes(n); }) needed = algorithm.temp_storage_bytes(n);
        const Buffer storage = device_.allocate(needed);
        const CallOptions options{.temp_storage = storage};
        const double each = microseconds_per_call(15, 200, [&] { call(n, options); }, [&] { stream_.sync(); });
        std::printf("%-24s\t2^16\t%9.3f us per call\n", name, each);
    }

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
    const bool calls_only = count == 2 && std::strcmp(arguments[1], "--calls") == 0;
    if (count < 2 || (!calls_only && (library = dlopen(arguments[1], RTLD_NOW)) == nullptr)) {
        std::fprintf(stderr, "usage: benchmark_parallel LIBCUB_BASELINE.so [LOG2_OF_LARGEST]\n%s\n",
                     count < 2 ? "" : dlerror());
        return 2;
    }
    Bench bench(calls_only ? 16 : count > 2 ? std::atoi(arguments[2]) : 28);
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
        "arg-min f32", "cub_arg_min_f32", true, true, Same::bits, 4,
        [&] { return ArgReduce(ArgKind::minimum, floats); },
        [&](const ArgReduce& reduce, const Buffer& in, const Buffer& out, uint64_t n, const CallOptions& options) {
            reduce(stream, in, out, n, options);
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
    bench.two_inputs();
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
