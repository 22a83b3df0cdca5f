// Sort, reduction and scan over several GPUs beside one GPU's time for the same elements.
// usage: benchmark_distributed [LOG2 [GPUS [REPEATS]]]     2^LOG2 elements in all; default 30, 2, 9
// A row: what, log2 n, milliseconds on one GPU and on several (medians of calls that are waited for), the ratio of the
// two, what it is to be at most, and whether the results are those of one GPU. Ends with 1 where some are not.
// The rows of keys that are not uniform have the uniform ones' time on several GPUs in place of one GPU's.
#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../measure.hpp"
#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;
using namespace cuprum::parallel;
using cuprum::benchmarks::median;
using cuprum::benchmarks::now_microseconds;
using distributed::Communicator;
using distributed::Shard;

namespace {

using Elements = std::vector<uint32_t>;

// Bits without a pattern, the same in each run (the finalizer of MurmurHash3, which is in the public domain).
uint32_t mixed(uint64_t position) {
    uint64_t bits = position + 0x9E3779B97F4A7C15U;
    bits = (bits ^ (bits >> 33U)) * 0xFF51AFD7ED558CCDU;
    bits = (bits ^ (bits >> 33U)) * 0xC4CEB9FE1A85EC53U;
    return static_cast<uint32_t>(bits ^ (bits >> 33U));
}

void on_all_cores(uint64_t count, const std::function<void(uint64_t begin, uint64_t end)>& work) {
    const uint64_t threads = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::thread> running;
    for (uint64_t i = 0; i < threads; ++i)
        running.emplace_back(work, count * i / threads, count * (i + 1) / threads);
    for (std::thread& thread : running)
        thread.join();
}

void fill(Elements& elements, uint32_t (*element)(uint64_t position)) {
    on_all_cores(elements.size(), [&](uint64_t begin, uint64_t end) {
        for (uint64_t i = begin; i < end; ++i)
            elements[i] = element(i);
    });
}

// Elements of all ranks, in memory of their devices.
struct Spread {
    std::vector<core::Buffer> memory;
    std::vector<Shard> shards;

    Spread(const Communicator& communicator, const std::vector<uint64_t>& counts) {
        for (size_t rank = 0; rank < communicator.size(); ++rank) {
            memory.push_back(communicator.device(rank).allocate(counts[rank] * sizeof(uint32_t)));
            shards.push_back(Shard::of<uint32_t>(memory.back()));
        }
    }
    void upload(const Elements& elements) const {
        uint64_t begin = 0;
        for (const core::Buffer& shard : memory) {
            if (shard.size() > 0) shard.copy_from_host(elements.data() + begin, shard.size());
            begin += shard.size() / sizeof(uint32_t);
        }
    }
    void download(Elements& elements) const {
        uint64_t begin = 0;
        for (const core::Buffer& shard : memory) {
            if (shard.size() > 0) shard.copy_to_host(elements.data() + begin, shard.size());
            begin += shard.size() / sizeof(uint32_t);
        }
    }
};

std::vector<uint64_t> even(uint64_t count, size_t ranks) {
    std::vector<uint64_t> counts;
    for (size_t rank = 0; rank < ranks; ++rank)
        counts.push_back(count * (rank + 1) / ranks - count * rank / ranks);
    return counts;
}

// Milliseconds.
double time_of(int repeats, const std::function<void()>& call) {
    for (int i = 0; i < 2; ++i)
        call();
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        const double begin = now_microseconds();
        call();
        times.push_back((now_microseconds() - begin) / 1000);
    }
    return median(std::move(times));
}

// Temporary memory stays in the pools, on one GPU and on several alike.
void keep_memory(const core::Device& device) {
    const core::MemoryResource resource = device.memory_resource();
    if (!resource.has_pool()) return;
    core::PooledMemoryResource::of(resource).set_attribute(core::MemoryPoolAttribute::release_threshold, UINT64_MAX);
}

class Benchmark {
public:
    Benchmark(int log2, std::vector<core::Device> devices, int repeats)
        : log2_(log2),
          repeats_(repeats),
          count_(uint64_t{1} << static_cast<unsigned>(log2)),
          devices_(std::move(devices)),
          elements_(count_),
          result_(count_) {
        for (const core::Device& device : devices_)
            keep_memory(device);
    }

    // One GPU's times and results first: its memory is free again before the others' is allocated.
    void measure_one() {
        const core::Device& device = devices_.front();
        const core::Stream stream = device.create_stream();
        const Type type = Type::of<uint32_t>();
        const Iterator elements = Iterator::pointer(type);
        fill(elements_, mixed);
        const core::Buffer in = device.allocate(count_ * sizeof(uint32_t));
        const core::Buffer out = device.allocate(count_ * sizeof(uint32_t));
        in.copy_from_host(elements_);
        const parallel::Reduce sum(elements, OpKind::plus, type, device);
        one_.reduce = time_of(repeats_, [&] {
            sum(stream, in, out, count_, uint32_t{0});
            stream.sync();
        });
        out.slice(0, sizeof(uint32_t)).copy_to_host(&expected_sum_, sizeof(uint32_t));
        const parallel::Scan scan(ScanKind::inclusive, elements, OpKind::plus, type, device);
        one_.scan = time_of(repeats_, [&] {
            scan(stream, in, out, count_);
            stream.sync();
        });
        expected_scan_.resize(count_);
        out.copy_to_host(expected_scan_);
        const parallel::RadixSort sort(SortOrder::ascending, type, std::nullopt, device);
        one_.sort = time_of(repeats_, [&] {
            sort(stream, in, out, count_);
            stream.sync();
        });
        expected_sort_.resize(count_);
        out.copy_to_host(expected_sort_);
    }

    void measure_several(const std::string& transport, const Communicator& communicator) {
        const size_t ranks = communicator.size();
        const Type type = Type::of<uint32_t>();
        fill(elements_, mixed);
        {
            const Spread in(communicator, even(count_, ranks)), out(communicator, even(count_, ranks));
            const Spread total(communicator, std::vector<uint64_t>(ranks, 1));
            in.upload(elements_);
            const distributed::Reduce sum(communicator, type, OpKind::plus, type);
            const double reduce = time_of(repeats_, [&] { sum(in.shards, total.shards, uint32_t{0}); });
            Elements sums(ranks);
            total.download(sums);
            print("reduce, " + transport, one_.reduce, reduce, 0.52, sums == Elements(ranks, expected_sum_));
            const distributed::Scan scan(ScanKind::inclusive, communicator, type, OpKind::plus, type);
            const double scanned = time_of(repeats_, [&] { scan(in.shards, out.shards); });
            out.download(result_);
            print("scan, " + transport, one_.scan, scanned, 0.6, result_ == expected_scan_);
        }
        const distributed::RadixSort sort(SortOrder::ascending, communicator, type);
        const auto time_of_sort = [&](const std::vector<uint64_t>& counts) {
            const Spread in(communicator, counts), out(communicator, even(count_, ranks));
            in.upload(elements_);
            const double time = time_of(repeats_, [&] { sort(in.shards, out.shards); });
            out.download(result_);
            return time;
        };
        const double uniform = time_of_sort(even(count_, ranks));
        print("sort, " + transport, one_.sort, uniform, 0.65, result_ == expected_sort_);
        std::vector<uint64_t> all_on_the_last(ranks, 0);
        all_on_the_last.back() = count_;
        double time = time_of_sort(all_on_the_last);
        print("sort, one rank has all, " + transport, uniform, time, 2, result_ == expected_sort_);
        fill(elements_, [](uint64_t) { return 7U; });
        time = time_of_sort(even(count_, ranks));
        print("sort, all equal, " + transport, uniform, time, 2, result_ == elements_);
        fill(elements_, [](uint64_t position) { return static_cast<uint32_t>(2 * position); });
        time = time_of_sort(even(count_, ranks));
        // 2^31 elements would not be in order.
        print("sort, sorted already, " + transport, uniform, time, 2, log2_ > 31 || result_ == elements_);
    }

    bool is_right() const { return is_right_; }

private:
    struct Times {
        double reduce = 0, scan = 0, sort = 0;
    };

    void print(const std::string& what, double one, double several, double limit, bool equal) {
        std::printf("%-40s\t2^%d\t%10.3f ms\t%10.3f ms\t%.3f x\t%.2f x\t%s\n", what.c_str(), log2_, one, several,
                    several / one, limit, equal ? "equal" : "DIFFERENT");
        std::fflush(stdout);
        is_right_ = is_right_ && equal;
    }

    int log2_, repeats_;
    uint64_t count_;
    std::vector<core::Device> devices_;
    Elements elements_, result_, expected_scan_, expected_sort_;
    uint32_t expected_sum_ = 0;
    Times one_;
    bool is_right_ = true;
};

int run(int count, char** arguments) {
    const auto number = [&](int position, int otherwise) {
        return count > position ? std::atoi(arguments[position]) : otherwise;
    };
    const int log2 = number(1, 30), gpus = number(2, 2), repeats = number(3, 9);
    if (log2 < 1 || log2 > 31 || gpus < 2 || repeats < 1) {
        std::fprintf(stderr, "usage: benchmark_distributed [LOG2 [GPUS [REPEATS]]]\n");
        return 2;
    }
    if (core::Device::count() < gpus) {
        std::fprintf(stderr, "there are %d devices, expected %d\n", core::Device::count(), gpus);
        return 2;
    }
    std::vector<core::Device> devices;
    for (int ordinal = 0; ordinal < gpus; ++ordinal)
        devices.emplace_back(ordinal);
    std::printf("# %d of %s\n", gpus, devices.front().name().c_str());
    Benchmark benchmark(log2, devices, repeats);
    benchmark.measure_one();
    benchmark.measure_several("copies", Communicator(devices));
    try {
        benchmark.measure_several("NCCL", Communicator(devices, distributed::NcclOptions{}));
    } catch (const NotFound& error) {
        std::printf("# no NCCL: %s\n", error.what());
    }
    return benchmark.is_right() ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    try {
        return run(count, arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
