// The algorithms over host memory, of which the device's memory holds a part, beside the rate at which the same bytes
// cross the bus.
// usage: benchmark_out_of_core [--devices N] [MEBIBYTES [TIMES [REPEATS]]]     how many devices, memory of each that a
// call may take, how many times as large as that of one the data is, and calls; default 1, 2048, 2, 5 A row: what,
// bytes of the elements that are read, milliseconds (median), the rate, that rate over the one of a round trip of the
// same bytes, and what it is to be at least. A round trip is a copy of page-locked memory to the device and then as
// much back; of a reduction and a histogram a copy to the device. Of several devices each copies its part, all at once.
// Ends with 1 where results are wrong.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "../measure.hpp"
#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

using namespace cuprum;
using namespace cuprum::parallel;
using cuprum::benchmarks::median;
using cuprum::benchmarks::now_microseconds;

namespace {

constexpr uint64_t mebibyte = uint64_t{1} << 20;

// Bits without a pattern, the same in each run (the finalizer of MurmurHash3, which is in the public domain).
uint64_t mixed(uint64_t position) {
    uint64_t bits = position + 0x9E3779B97F4A7C15U;
    bits = (bits ^ (bits >> 33U)) * 0xFF51AFD7ED558CCDU;
    bits = (bits ^ (bits >> 33U)) * 0xC4CEB9FE1A85EC53U;
    return bits ^ (bits >> 33U);
}

void on_all_cores(uint64_t count, const std::function<void(uint64_t begin, uint64_t end)>& work) {
    const uint64_t threads = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::thread> running;
    running.reserve(threads);
    for (uint64_t i = 0; i < threads; ++i)
        running.emplace_back(work, count * i / threads, count * (i + 1) / threads);
    for (std::thread& thread : running)
        thread.join();
}

class Benchmark {
public:
    Benchmark(int devices, uint64_t limit, uint64_t times, int repeats)
        : chunk_(std::min(64 * mebibyte, limit)),
          bytes_((times * limit + chunk_ - 1) / chunk_ * chunk_),
          repeats_(repeats) {
        for (int ordinal = 0; ordinal < devices; ++ordinal) {
            const core::Device device(ordinal);
            memory_.push_back({device, limit, pool(device, limit)});
        }
        const core::LegacyPinnedMemoryResource page_locked;
        for (core::Buffer* const each : {&in_, &out_, &scratch_})
            *each = page_locked.allocate(bytes_);
        fill();
    }

    void measure_bus() {
        struct Bus {
            core::Stream stream, back;
            core::Buffer to, from;
        };
        std::vector<Bus> buses;
        for (const out_of_core::DeviceMemory& each : memory_) {
            const core::Device& device = each.device;
            buses.push_back(
                {device.create_stream(), device.create_stream(), device.allocate(chunk_), device.allocate(chunk_)});
        }
        const auto copy_in = [&] {
            for (uint64_t i = 0; i < bytes_ / chunk_; ++i) {
                const Bus& bus = buses[i % buses.size()];
                bus.to.copy_from(in_.slice(i * chunk_, chunk_), bus.stream);
            }
        };
        const auto copy_out = [&] {
            for (uint64_t i = 0; i < bytes_ / chunk_; ++i) {
                const Bus& bus = buses[i % buses.size()];
                out_.slice(i * chunk_, chunk_).copy_from(bus.from, bus.back);
            }
        };
        const auto sync = [&] {
            for (const Bus& bus : buses) {
                bus.stream.sync();
                bus.back.sync();
            }
        };
        one_way_ = time_of([&] {
            copy_in();
            sync();
        });
        round_trip_ = time_of([&] {
            copy_in();
            sync();
            copy_out();
            sync();
        });
        const double both = time_of([&] {
            copy_in();
            copy_out();
            sync();
        });
        print("to the device", one_way_, one_way_, 0, true);
        print("there, then back", round_trip_, round_trip_, 0, true);
        print("there and back at once", both, round_trip_, 0, true);
    }

    template <class Key>
    void measure_sort(const std::string& what) {
        const uint64_t count = bytes_ / sizeof(Key);
        const out_of_core::RadixSort sort(SortOrder::ascending, memory_, Type::of<Key>());
        const double time = time_of([&] { sort(input<Key>(), output<Key>(), scratch<Key>()); });
        const Key* const sorted = out_.as_span<Key>().data();
        const bool is_right = std::is_sorted(sorted, sorted + count) &&
                              std::accumulate(sorted, sorted + count, Key{0}) ==
                                  std::accumulate(in_.as_span<Key>().begin(), in_.as_span<Key>().end(), Key{0});
        print(what, time, round_trip_, 0.6, is_right);
    }

    // Half of the memory are keys, half their values.
    void measure_pairs() {
        const uint64_t count = bytes_ / 2 / sizeof(uint32_t);
        const Type type = Type::of<uint32_t>();
        const auto half = [&](const core::Buffer& memory, uint64_t number) {
            return HostOutput{type, memory.as_span<uint32_t>().data() + number * count, count};
        };
        const auto given = [](const HostOutput& elements) {
            return HostInput{elements.type, elements.data, elements.count};
        };
        const out_of_core::RadixSort sort(SortOrder::ascending, memory_, type, type);
        const double time = time_of([&] {
            sort(given(half(in_, 0)), half(out_, 0), given(half(in_, 1)), half(out_, 1), half(scratch_, 0),
                 half(scratch_, 1));
        });
        const auto* const sorted = static_cast<uint32_t*>(half(out_, 0).data);
        print("sort of u32 keys with u32 values", time, round_trip_, 0.6, std::is_sorted(sorted, sorted + count));
        const out_of_core::ReduceByKey sum(memory_, type, type, OpKind::plus, type);
        on_all_cores(count, [&](uint64_t begin, uint64_t end) {
            for (uint64_t i = begin; i < end; ++i)
                in_.as_span<uint32_t>()[i] %= 100'000;
        });
        std::vector<bool> is_there(100'000);
        for (const uint32_t key : in_.as_span<uint32_t>().first(count))
            is_there[key] = true;
        uint64_t found = 0;
        const double reduced =
            time_of([&] { found = sum(given(half(in_, 0)), given(half(in_, 1)), half(out_, 0), half(out_, 1)); });
        print("reduction by 100,000 keys, u32", reduced, one_way_, 0,
              found == static_cast<uint64_t>(std::count(is_there.begin(), is_there.end(), true)));
        fill();
    }

    void measure_passes() {
        const Type type = Type::of<uint32_t>();
        const auto elements = in_.as_span<uint32_t>();
        const uint32_t expected = std::accumulate(elements.begin(), elements.end(), uint32_t{0});
        const out_of_core::Reduce sum(memory_, type, OpKind::plus, type);
        uint32_t total = 0;
        const double reduced = time_of([&] { sum(input<uint32_t>(), {type, &total, 1}); });
        print("reduction of u32", reduced, one_way_, 0.9, total == expected);
        const out_of_core::Scan scan(ScanKind::inclusive, memory_, type, OpKind::plus, type);
        const double scanned = time_of([&] { scan(input<uint32_t>(), output<uint32_t>()); });
        print("scan of u32", scanned, round_trip_, 0.6, out_.as_span<uint32_t>().back() == expected);
        const out_of_core::HistogramEven histogram(memory_, type, type, Type::of<uint64_t>());
        std::vector<uint64_t> counts(256);
        const double counted = time_of([&] {
            histogram(input<uint32_t>(), host_output(counts), counts.size(), uint32_t{0}, uint32_t{1U << 31U});
        });
        const auto within = static_cast<uint64_t>(
            std::count_if(elements.begin(), elements.end(), [](uint32_t each) { return each < 1U << 31U; }));
        print("histogram of u32, 256 bins", counted, one_way_, 0.9,
              std::accumulate(counts.begin(), counts.end(), uint64_t{0}) == within);
    }

    // What a program pays that has not page-locked its memory.
    void measure_pageable() {
        const auto elements = in_.as_span<uint32_t>();
        std::vector<uint32_t> keys(elements.begin(), elements.end());
        const out_of_core::RadixSort sort(SortOrder::ascending, memory_, Type::of<uint32_t>());
        const double time = time_of([&] { sort(host_input(keys), host_output(keys), scratch<uint32_t>()); });
        print("sort of u32 keys in pageable memory", time, round_trip_, 0, std::is_sorted(keys.begin(), keys.end()));
    }

    bool is_right() const { return is_right_; }

private:
    // Its memory stays with it from call to call.
    static core::MemoryResource pool(const core::Device& device, uint64_t limit) {
        core::DeviceMemoryResource made(device, {.max_size = limit});
        made.set_attribute(core::MemoryPoolAttribute::release_threshold, UINT64_MAX);
        return made;
    }
    void fill() {
        const std::span<uint64_t> words = in_.as_span<uint64_t>();
        on_all_cores(words.size(), [&](uint64_t begin, uint64_t end) {
            for (uint64_t i = begin; i < end; ++i)
                words[i] = mixed(i);
        });
    }
    template <class T>
    HostInput input() const {
        return {Type::of<T>(), in_.as_span<T>().data(), bytes_ / sizeof(T)};
    }
    template <class T>
    HostOutput output() const {
        return {Type::of<T>(), out_.as_span<T>().data(), bytes_ / sizeof(T)};
    }
    template <class T>
    HostOutput scratch() const {
        return {Type::of<T>(), scratch_.as_span<T>().data(), bytes_ / sizeof(T)};
    }

    // Milliseconds.
    double time_of(const std::function<void()>& call) const {
        call();
        std::vector<double> times;
        for (int i = 0; i < repeats_; ++i) {
            const double begin = now_microseconds();
            call();
            times.push_back((now_microseconds() - begin) / 1000);
        }
        return median(std::move(times));
    }

    void print(const std::string& what, double time, double of_bus, double least, bool is_right) {
        std::printf("%-36s\t%6.0f MiB\t%10.3f ms\t%7.2f GB/s\t%.3f x\t", what.c_str(),
                    static_cast<double>(bytes_) / static_cast<double>(mebibyte), time,
                    static_cast<double>(bytes_) / time / 1e6, of_bus / time);
        if (least > 0) std::printf("%.2f x", least);
        std::printf("\t%s\n", is_right ? "right" : "WRONG");
        std::fflush(stdout);
        is_right_ = is_right_ && is_right;
    }

    uint64_t chunk_;  // bytes that a bare copy moves
    uint64_t bytes_;
    int repeats_;
    std::vector<out_of_core::DeviceMemory> memory_;
    core::Buffer in_, out_, scratch_;
    double one_way_ = 0, round_trip_ = 0;  // milliseconds
    bool is_right_ = true;
};

int run(int count, char** arguments) {
    int devices = 1;
    if (count > 2 && std::string_view(arguments[1]) == "--devices") {
        devices = static_cast<int>(std::strtol(arguments[2], nullptr, 10));
        count -= 2;
        arguments += 2;
    }
    const auto number = [&](int position, int otherwise) {
        return count > position ? static_cast<int>(std::strtol(arguments[position], nullptr, 10)) : otherwise;
    };
    const int mebibytes = number(1, 2048), times = number(2, 2), repeats = number(3, 5);
    if (devices < 1 || mebibytes < 1 || times < 1 || repeats < 1) {
        std::fprintf(stderr, "usage: benchmark_out_of_core [--devices N] [MEBIBYTES [TIMES [REPEATS]]]\n");
        return 2;
    }
    if (core::Device::count() < devices) {
        std::fprintf(stderr, "there are %d devices, expected %d\n", core::Device::count(), devices);
        return 2;
    }
    Benchmark benchmark(devices, static_cast<uint64_t>(mebibytes) * mebibyte, static_cast<uint64_t>(times), repeats);
    std::printf("# %d of %s, %d MiB of the memory of each, and data of %d times as much\n", devices,
                core::Device(0).name().c_str(), mebibytes, times);
    benchmark.measure_bus();
    benchmark.measure_sort<uint32_t>("sort of u32 keys");
    benchmark.measure_sort<uint64_t>("sort of u64 keys");
    benchmark.measure_pairs();
    benchmark.measure_passes();
    benchmark.measure_pageable();
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
