#include "bench.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "../measure.hpp"

namespace cuprum::benchmarks {

using namespace core;
using parallel::CallOptions;

namespace {

constexpr int most_outputs = 4;
constexpr int fill_threads = 256;

const char* const kernels = R"(
using u32 = unsigned; using u64 = unsigned long long;
__device__ u64 mixed(u64 x) {
    x = (x + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    return (x ^ (x >> 27)) * 0x94d049bb133111ebull;
}
extern "C" __global__ void fill(u32* bits, float* numbers, float* same_numbers, u32* runs, unsigned char* flags,
                                u32* sorted, u32* also_sorted, int* segments, u64* sources, u64* targets,
                                u64* their_targets, u32* sizes, u64 target, u64 their_target, u64 n, int shift,
                                u32 segment, u32 slot) {
    for (u64 i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) {
        const u64 x = mixed(i);
        bits[i] = u32(x >> 32);
        numbers[i] = same_numbers[i] = float(u32(x) >> 8) * (1.0f / 16777216.0f);
        runs[i] = u32(mixed(i >> ((mixed(i >> 7) & 3) * 2)));
        flags[i] = (x >> 40) & 1;
        sorted[i] = u32(i << shift) + (u32(x) & ((1u << shift) - 1));
        also_sorted[i] = u32(i << shift) + (u32(x >> 20) & ((1u << shift) - 1));
        if (i % segment == 0) segments[i / segment] = int(i);
        if (i == n - 1) segments[n / segment] = int(n);
        const u64 at = i * 4;
        if (at % slot == 0) {
            const u64 copy = at / slot;
            sources[copy] = u64(bits) + at;
            targets[copy] = target + at;
            their_targets[copy] = their_target + at;
            sizes[copy] = u32(x % slot) + 1;
        }
    }
}
// How: 0 all bits, 1 nearly, as sums of up to 2^28 floats in another order, 2 the same words in any order.
extern "C" __global__ void compare(const u32* a, const u32* b, u64 n, int how, u64* differences) {
    u64 found = 0;
    for (u64 i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) {
        if (how == 0) found += a[i] != b[i];
        if (how == 1) {
            const float x = __uint_as_float(a[i]), y = __uint_as_float(b[i]);
            found += !(fabsf(x - y) <= 1e-3f * fabsf(y) + 1e-3f);
        }
        if (how == 2) found += mixed(a[i]) - mixed(b[i]);
    }
    if (found != 0) atomicAdd(differences, found);
}
)";

using Baseline = int (*)(void* storage, size_t* bytes, const void* const* in, void* const* out, long long n,
                         CUstream stream);

uint64_t words(uint64_t bytes) {
    return (bytes + 3) / 4;
}

void clear(const std::vector<Buffer>& buffers, const Row& row, uint64_t n, const Stream& stream) {
    for (size_t i = 0; i < row.out.size(); ++i)
        buffers[i].slice(0, words(row.out[i].bytes(n)) * 4).fill(0, 4, stream);
}

void* pointer(const BufferRef& buffer) {
    return reinterpret_cast<void*>(buffer.handle());
}

}  // namespace

// The peer's call, with its storage.
class Peer {
public:
    Peer(void* library, const Row& row, const Memory& memory, uint64_t n, const Device& device, const Stream& stream)
        : call_(reinterpret_cast<Baseline>(dlsym(library, row.peer.c_str()))),
          n_(static_cast<long long>(n)),
          stream_(stream) {
        if (call_ == nullptr) throw std::runtime_error("the baseline has no " + row.peer);
        for (const BufferRef& buffer : memory.in)
            in_.push_back(pointer(buffer));
        for (const BufferRef& buffer : memory.out)
            out_.push_back(pointer(buffer));
        run(nullptr);
        storage_ = device.allocate(bytes_);
    }
    void operator()() { run(pointer(storage_)); }

private:
    void run(void* storage) {
        const int error = call_(storage, &bytes_, in_.data(), out_.data(), n_, stream_.handle());
        if (error != 0) throw std::runtime_error("the baseline's call returned error " + std::to_string(error));
    }

    Baseline call_;
    long long n_;
    const Stream& stream_;
    std::vector<const void*> in_;
    std::vector<void*> out_;
    size_t bytes_ = 0;
    Buffer storage_;
};

namespace {

std::string microseconds(double time) {
    char text[32];
    std::snprintf(text, sizeof text, "%9.2f us", time);
    return text;
}

// Microseconds per call of each, by the device's clock over whole batches, in turns.
std::vector<double> measure_in_turns(const Device& device, const Stream& stream,
                                     const std::vector<std::function<void()>>& all) {
    const Event begin = device.create_event({.timing_enabled = true});
    const Event end = device.create_event({.timing_enabled = true});
    const auto batch = [&](const std::function<void()>& call, int calls) {
        stream.record(begin);
        for (int i = 0; i < calls; ++i)
            call();
        stream.record(end);
        end.sync();
        return static_cast<double>(end - begin) * 1000 / calls;
    };
    // Batches of 3 ms at most, but of one call.
    constexpr double batch_microseconds = 3000;
    double slowest = 0;
    for (const auto& call : all)
        slowest = std::max(slowest, batch(call, 3));
    const int calls = static_cast<int>(std::clamp(batch_microseconds / slowest, 1.0, 200.0));
    const int batches = calls == 1 ? 7 : 15;
    std::vector<std::vector<double>> times(all.size());
    for (int i = 0; i < batches; ++i) {
        for (size_t k = 0; k < all.size(); ++k)
            times[k].push_back(batch(all[k], calls));
    }
    std::vector<double> medians;
    medians.reserve(times.size());
    for (std::vector<double>& each : times)
        medians.push_back(median(std::move(each)));
    return medians;
}

}  // namespace

Bench::Bench(std::vector<void*> libraries, int largest) : libraries_(std::move(libraries)) {
    const ObjectCode code = Program(kernels).compile();
    fill_ = code.get_kernel("fill");
    compare_ = code.get_kernel("compare");
    const uint64_t n = uint64_t{1} << largest;
    for (Buffer* const array : {&bits_, &numbers_, &same_numbers_, &runs_, &sorted_, &also_sorted_})
        *array = device_.allocate(n * 4);
    flags_ = device_.allocate(n);
    segments_ = device_.allocate((n / segment_length + 1) * sizeof(int32_t));
    for (Buffer* const addresses : {&sources_, &targets_, &their_targets_})
        *addresses = device_.allocate(n * 4 / copy_slot * sizeof(uint64_t));
    sizes_ = device_.allocate(n * 4 / copy_slot * sizeof(uint32_t));
    differences_ = device_.allocate(sizeof(uint64_t));
    std::vector<float> levels(bin_count + 1);
    for (size_t i = 0; i < levels.size(); ++i)
        levels[i] = static_cast<float>(i) / bin_count;
    levels_ = device_.allocate(levels.size() * sizeof(float));
    levels_.copy_from_host(levels);
    for (int i = 0; i < most_outputs; ++i) {
        ours_.push_back(device_.allocate(n * 4));
        theirs_.push_back(device_.allocate(n * 4));
    }
}

void Bench::fill(uint64_t n) {
    const auto log2 = static_cast<int32_t>(std::log2(static_cast<double>(n)));
    launch(stream_, {1024, fill_threads}, fill_, bits_, numbers_, same_numbers_, runs_, flags_, sorted_, also_sorted_,
           segments_, sources_, targets_, their_targets_, sizes_, uint64_t{ours_[0].handle()},
           uint64_t{theirs_[0].handle()}, n, int32_t{32 - log2}, uint32_t{segment_length}, uint32_t{copy_slot});
}

Memory Bench::memory(const Row& row, const std::vector<Buffer>& out, bool theirs) const {
    Memory memory;
    const auto array = [&](Data data) -> const Buffer& {
        switch (data) {
            case Data::bits:
                return bits_;
            case Data::numbers:
                return numbers_;
            case Data::same_numbers:
                return same_numbers_;
            case Data::runs:
                return runs_;
            case Data::flags:
                return flags_;
            case Data::sorted:
                return sorted_;
            case Data::also_sorted:
                return also_sorted_;
            case Data::segments:
                return segments_;
            case Data::levels:
                return levels_;
            case Data::sources:
                return sources_;
            case Data::targets:
                return theirs ? their_targets_ : targets_;
            case Data::sizes:
                return sizes_;
        }
        throw std::runtime_error("no such data");
    };
    for (const Data data : row.in)
        memory.in.push_back(array(data));
    for (size_t i = 0; i < row.out.size(); ++i)
        memory.out.push_back(out[i]);
    return memory;
}

// What is behind results stays as it was: zeros on both sides.
bool Bench::equal(const Row& row, uint64_t n, const std::vector<std::shared_ptr<Peer>>& peers) const {
    bool all = true;
    for (const auto& peer : peers) {
        clear(theirs_, row, n, stream_);
        (*peer)();
        for (size_t i = 0; i < row.out.size(); ++i) {
            differences_.fill(0, 4, stream_);
            launch(stream_, {1024, fill_threads}, compare_, ours_[i], theirs_[i], words(row.out[i].bytes(n)),
                   static_cast<int32_t>(row.out[i].how), differences_);
            stream_.sync();
            uint64_t differences = 0;
            differences_.copy_to_host(&differences, sizeof(differences));
            all = all && differences == 0;
        }
    }
    return all;
}

Algorithm Bench::build(const Row& row) const {
    const double begin = now_microseconds();
    Algorithm built = row.make();
    std::printf("# %s built in %.1f ms\n", row.name.c_str(), (now_microseconds() - begin) / 1000);
    std::fflush(stdout);
    return built;
}

std::vector<void*> Bench::baselines(const Row& row) const {
    std::vector<void*> found;
    for (void* const library : libraries_) {
        // The first has all rows: where it lacks one, its Peer says so.
        if (found.empty() || dlsym(library, row.peer.c_str()) != nullptr) found.push_back(library);
    }
    return found;
}

bool Bench::measure(const Row& row, const std::vector<int>& sizes) {
    const Algorithm built = build(row);
    bool all_equal = true;
    for (const int log2 : sizes) {
        const uint64_t n = uint64_t{1} << log2;
        fill(n);
        clear(ours_, row, n, stream_);
        const Memory ours = memory(row, ours_, false);
        const Buffer storage = device_.allocate(built.storage_bytes(n));
        const CallOptions options{.temp_storage = storage};
        std::vector<std::function<void()>> calls{[&] { built.call(stream_, ours, n, options); }};
        std::vector<std::shared_ptr<Peer>> peers;
        for (void* const library : baselines(row)) {
            peers.push_back(std::make_shared<Peer>(library, row, memory(row, theirs_, true), n, device_, stream_));
            calls.push_back([peer = peers.back()] { (*peer)(); });
        }
        const std::vector<double> times = measure_in_turns(device_, stream_, calls);
        const bool is_equal = equal(row, n, peers);
        const auto count = static_cast<double>(n);
        const std::string second = times.size() > 2 ? microseconds(times[2]) : std::string(12, ' ');
        std::printf("%-28s\t2^%d\t%s\t%s\t%s\t%.3f x\t%8.1f GB/s\t%6.2f G/s\t%s\t%s\n", row.name.c_str(), log2,
                    microseconds(times[0]).c_str(), microseconds(times[1]).c_str(), second.c_str(),
                    times[0] / *std::min_element(times.begin() + 1, times.end()),
                    count * row.bytes_each / times[0] / 1000, count / times[0] / 1000, is_equal ? "equal" : "DIFFERENT",
                    row.peer_name.c_str());
        std::fflush(stdout);
        all_equal = all_equal && is_equal;
    }
    return all_equal;
}

bool Bench::check(const Row& row, int log2) {
    const Algorithm built = build(row);
    const uint64_t n = uint64_t{1} << log2;
    fill(n);
    clear(ours_, row, n, stream_);
    std::vector<std::shared_ptr<Peer>> peers;
    for (void* const library : baselines(row))
        peers.push_back(std::make_shared<Peer>(library, row, memory(row, theirs_, true), n, device_, stream_));
    built.call(stream_, memory(row, ours_, false), n, {});
    const bool is_equal = equal(row, n, peers);
    std::printf("%-28s\t2^%d\t%s\n", row.name.c_str(), log2, is_equal ? "equal" : "DIFFERENT");
    std::fflush(stdout);
    return is_equal;
}

void Bench::measure_calls(const Row& row) {
    const Algorithm built = build(row);
    constexpr uint64_t n = uint64_t{1} << 16;
    fill(n);
    const Memory ours = memory(row, ours_, false);
    const Buffer storage = device_.allocate(built.storage_bytes(n));
    const CallOptions options{.temp_storage = storage};
    const double each =
        microseconds_per_call(15, 200, [&] { built.call(stream_, ours, n, options); }, [&] { stream_.sync(); });
    std::printf("%-28s\t2^16\t%9.3f us per call\n", row.name.c_str(), each);
}

}  // namespace cuprum::benchmarks
