// What the calls over host memory keep for the next one: what was built, a stream, and memory. A program of its own,
// since it is about what the process has called before.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "cuprum/bindings/trace.hpp"
#include "cuprum/core/user_memory_resource.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

class OneShot : public test::Parallel {
protected:
    // The driver's functions that the call calls, each time that it does.
    static std::vector<std::string> driver_calls_of(const std::function<void()>& call) {
        const std::filesystem::path file =
            std::filesystem::temp_directory_path() / ("cuprum_one_shot_" + std::to_string(getpid()) + ".txt");
        bindings::start_trace(file.string());
        call();
        bindings::stop_trace();
        std::vector<std::string> calls;
        std::ifstream lines(file);
        for (std::string line; std::getline(lines, line);) {
            const size_t begin = line.find(" cu");
            if (begin == std::string::npos) continue;
            calls.push_back(line.substr(begin + 1, line.find('(', begin) - begin - 1));
        }
        lines.close();
        std::filesystem::remove(file);
        return calls;
    }
    // Once everything that is kept is there: the second call allocates what the first one has found that it needs.
    static std::vector<std::string> settled_calls_of(const std::function<void()>& call) {
        call();
        call();
        return driver_calls_of(call);
    }
    static int64_t count_of(const std::vector<std::string>& calls, std::string_view name) {
        return std::count_if(calls.begin(), calls.end(),
                             [&](const std::string& each) { return each.starts_with(name); });
    }
    static std::string text_of(const std::vector<std::string>& calls) {
        return std::accumulate(calls.begin(), calls.end(), std::string(),
                               [](const std::string& text, const std::string& call) { return text + call + ' '; });
    }

    static std::vector<float> numbers(uint64_t count) {
        std::vector<float> data(count);
        std::iota(data.begin(), data.end(), 0.0F);
        return data;
    }
};

// What was built without a requirement does not serve a call that has one.
TEST_F(OneShot, KeepsApartWhatIsRequiredOfTheResults) {
    const std::vector<float> values{1e8F, 1.0F, -1e8F, 1.0F};
    std::vector<float> sums(values.size());
    const Execution any(device), same = Execution(device).require(Determinism::run_to_run);
    const auto scan_for = [&](const Execution& execution) {
        parallel::inclusive_scan(values, sums, OpKind::plus, execution);
    };
    scan_for(any);
    EXPECT_THROW(scan_for(same), Unsupported);
    scan_for(any);
}

TEST_F(OneShot, MakesFewDriverCallsAroundALaunch) {
    const std::vector<float> data = numbers(1000);
    float sum = 0;
    const std::vector<std::string> calls = settled_calls_of([&] { sum = reduce(data, 0.0F); });
    EXPECT_EQ(sum, 499500.0F);
    EXPECT_EQ(count_of(calls, "cuLaunchKernel"), 1) << text_of(calls);
    EXPECT_LE(calls.size(), 12U) << text_of(calls);
}

TEST_F(OneShot, AllocatesNothingAndMakesNoStreamOnceItIsSettled) {
    std::vector<float> data = numbers(100003);
    std::vector<float> result(data.size());
    std::vector<int32_t> places(data.size()), lengths(data.size()), counts(10), ends{40, 90000};
    const std::vector<float> floor{0}, ceiling{90000};
    std::vector<float> merged(2 * data.size()), top(100), sums(2);
    const std::vector<int32_t> begins{0, 50};
    const std::vector<std::pair<const char*, std::function<void()>>> all{
        {"reduce", [&] { reduce(data, 0.0F); }},
        {"argmin", [&] { argmin(data); }},
        {"scan", [&] { inclusive_scan(data, result); }},
        {"sort", [&] { sort(result); }},
        {"sort by key", [&] { sort_by_key(result, places); }},
        {"merge sort", [&] { sort(result, "a > b"); }},
        {"transform", [&] { parallel::transform(data, result, "a * 2"); }},
        {"select", [&] { parallel::select(data, result, "a > 10"); }},
        {"unique by key", [&] { unique_by_key(result, places); }},
        {"find", [&] { parallel::find_if(data, "a > 90000"); }},
        {"unique", [&] { parallel::unique(data, result, "(int)a / 10 == (int)b / 10"); }},
        {"reduce by key", [&] { reduce_by_key(result, places, "a + b", "(int)a / 10 == (int)b / 10"); }},
        {"run-length encode", [&] { run_length_encode(result, places, "(int)a / 10 == (int)b / 10"); }},
        {"partition", [&] { parallel::partition(result, "a > 10"); }},
        {"equal", [&] { parallel::equal(data, result, "a == b"); }},
        {"select by flags", [&] { parallel::select_flagged(data, places, result); }},
        {"partition by flags", [&] { parallel::partition_flagged(result, places); }},
        {"partition in three", [&] { parallel::three_way_partition(result, "a > 10", "a > 5"); }},
        {"runs", [&] { parallel::non_trivial_runs(data, places, lengths, "(int)a / 10 == (int)b / 10"); }},
        {"transform of three", [&] { parallel::transform(std::tie(data, places, data), result, "a * b + c"); }},
        {"histogram of channels",
         [&] { parallel::multi_histogram_even(data, 1, counts, std::array<uint64_t, 1>{10}, floor, ceiling); }},
        {"histogram", [&] { parallel::histogram_even(data, counts, 0.0F, 90000.0F); }},
        {"histogram of ranges", [&] { parallel::histogram_range(data, std::vector{0.0F, 10.0F, 99.0F}, ends); }},
        {"top keys", [&] { parallel::topk_keys(SortOrder::ascending, data, top); }},
        {"extremes", [&] { parallel::min_max(data); }},
        {"scan by key", [&] { parallel::exclusive_scan_by_key(data, places, places, 1); }},
        {"merge", [&] { parallel::merge_keys(data, data, merged); }},
        {"differences", [&] { parallel::adjacent_difference(Neighbour::left, data, result); }},
        {"search", [&] { parallel::lower_bound(data, data, places); }},
        {"segmented reduce", [&] { parallel::segmented_reduce(data, sums, begins, std::vector{40, 90000}, 0.0F); }},
        {"segmented scan", [&] { parallel::inclusive_segmented_scan(data, result, begins, std::vector{40, 90000}); }},
        {"segmented sort",
         [&] { parallel::segmented_sort(SortOrder::ascending, result, begins, std::vector{40, 90000}); }},
    };
    for (const auto& [name, call] : all) {
        const std::vector<std::string> calls = settled_calls_of(call);
        EXPECT_GE(count_of(calls, "cuLaunchKernel"), 1) << name;
        for (const char* const unwanted :
             {"cuMemAlloc", "cuMemFree", "cuMemHostAlloc", "cuStreamCreate", "cuStreamDestroy", "cuModule", "cuLibrary",
              "cuKernelGet", "cuFuncGet", "cuOccupancy"}) {
            EXPECT_EQ(count_of(calls, unwanted), 0) << name << ": " << text_of(calls);
        }
    }
}

TEST_F(OneShot, GivesTheSameThroughStagingAndPastIt) {
    // Of one piece, of several, and beyond what is staged.
    for (const uint64_t count : {uint64_t{1}, uint64_t{140001}, uint64_t{700001}, uint64_t{1100001}}) {
        const std::vector<float> data = numbers(count);
        for (int turn = 0; turn < 3; ++turn) {
            std::vector<float> halves(count);
            parallel::transform(data, halves, "a / 2");
            for (const uint64_t i : {uint64_t{0}, count / 3, count - 1})
                ASSERT_EQ(halves[i], static_cast<float>(i) / 2) << count << ", turn " << turn;
            ASSERT_TRUE(std::is_sorted(halves.begin(), halves.end())) << count << ", turn " << turn;
        }
    }
}

// On the device and on the host's cores, whose operators are the well-known ones.
const std::array executions{Execution(), Execution::host()};
constexpr std::array<uint64_t, 4> counts{0, 1, 1000, 20011};

std::vector<int32_t> with_runs(uint64_t count) {
    std::vector<int32_t> elements(count);
    for (uint64_t i = 0; i < count; ++i)
        elements[i] = static_cast<int32_t>(static_cast<uint32_t>(i) * 2654435761U >> 31U);
    return elements;
}

TEST_F(OneShot, ReducesAndCountsRunsInPlace) {
    for (const Execution& execution : executions) {
        for (const uint64_t count : counts) {
            SCOPED_TRACE(count);
            const std::vector<int32_t> elements = with_runs(count);
            std::vector<int64_t> values(count);
            std::iota(values.begin(), values.end(), -5);
            std::vector<int32_t> expected = elements;
            std::vector<int64_t> sums = values, lengths(count, -1);
            uint64_t runs = 0;
            for (uint64_t i = 0; i < count; ++i) {
                const bool begins = i == 0 || elements[i] != elements[i - 1];
                const uint64_t run = begins ? runs++ : runs - 1;
                expected[run] = elements[i];
                sums[run] = values[i] + (begins ? 0 : sums[run]);
                lengths[run] = begins ? 1 : lengths[run] + 1;
            }
            std::vector<int32_t> keys = elements, encoded = elements;
            std::vector<int64_t> counted(count, -1);
            EXPECT_EQ(reduce_by_key(keys, values, OpKind::plus, OpKind::equal_to, execution), runs);
            EXPECT_EQ(run_length_encode(encoded, counted, OpKind::equal_to, execution), runs);
            EXPECT_EQ(keys, expected) << "what follows the last run is the caller's";
            EXPECT_EQ(encoded, expected);
            EXPECT_EQ(values, sums);
            EXPECT_EQ(counted, lengths);
        }
    }
}

TEST_F(OneShot, ReducesByOperatorsWithStates) {
    const test::Scale by_ten{10, 0}, by_hundred{100, 0};
    for (const test::Scale& scale : {by_ten, by_hundred}) {
        std::vector<int32_t> keys{1, 9, 12, 57, 130, 11}, values{1, 2, 3, 4, 5, 6};
        const Operator equal("(int)(a / factor) == (int)(b / factor)", scale);
        const uint64_t runs = reduce_by_key(keys, values, "a > b ? a : b", equal);
        keys.resize(runs);
        values.resize(runs);
        if (scale.factor == 10) {
            EXPECT_EQ(keys, (std::vector{1, 12, 57, 130, 11}));
            EXPECT_EQ(values, (std::vector{2, 3, 4, 5, 6}));
        } else {
            EXPECT_EQ(keys, (std::vector{1, 130, 11}));
            EXPECT_EQ(values, (std::vector{4, 5, 6}));
        }
    }
}

TEST_F(OneShot, PartitionsInPlace) {
    for (const Execution& execution : executions) {
        for (const uint64_t count : counts) {
            SCOPED_TRACE(count);
            std::vector<int32_t> data = with_runs(count);
            for (uint64_t i = 0; i < count; i += 3)
                data[i] += static_cast<int32_t>(i);
            std::vector<int32_t> expected(data);
            const auto rest = std::stable_partition(expected.begin(), expected.end(), [](int32_t a) { return a == 0; });
            std::reverse(rest, expected.end());
            EXPECT_EQ(parallel::partition(data, OpKind::logical_not, execution),
                      static_cast<uint64_t>(rest - expected.begin()));
            EXPECT_EQ(data, expected);
        }
    }
    std::vector<int32_t> data{5, 1, 9};
    EXPECT_EQ(parallel::partition(data, "a > 4"), 2U);
    EXPECT_EQ(data, (std::vector{5, 9, 1}));
}

TEST_F(OneShot, ComparesElementByElement) {
    for (const Execution& execution : executions) {
        for (const uint64_t count : counts) {
            SCOPED_TRACE(count);
            const std::vector<int32_t> data = with_runs(count);
            std::vector<int32_t> other = data;
            EXPECT_TRUE(parallel::equal(data, other, OpKind::equal_to, execution));
            other.push_back(7);
            EXPECT_FALSE(parallel::equal(data, other, OpKind::equal_to, execution)) << "one has an element more";
            if (count == 0) continue;
            other.pop_back();
            other.back() += 1;
            EXPECT_FALSE(parallel::equal(data, other, OpKind::equal_to, execution));
            EXPECT_TRUE(parallel::equal(data, other, OpKind::less_equal, execution));
        }
    }
    EXPECT_TRUE(parallel::equal(std::vector{10, 25}, std::vector{19, 21}, "a / 10 == b / 10"));
}

TEST_F(OneShot, RefusesPartsThatDoNotFit) {
    std::vector<int32_t> three(3), two(2);
    std::vector<float> floats(3);
    for (const Execution& execution : executions) {
        EXPECT_THROW(reduce_by_key(three, two, OpKind::plus, OpKind::equal_to, execution), InvalidArgument);
        EXPECT_THROW(run_length_encode(three, two, OpKind::equal_to, execution), InvalidArgument);
        EXPECT_THROW(run_length_encode(three, floats, OpKind::equal_to, execution), InvalidArgument);
        const HostOutput nothing{Type::of<int32_t>(), nullptr, 3};
        EXPECT_THROW(partition(nothing, OpKind::identity, execution), InvalidArgument);
        const HostInput ints{Type::of<int32_t>(), three.data(), 3}, others{Type::of<float>(), floats.data(), 3};
        EXPECT_THROW(equal(ints, others, OpKind::equal_to, execution), InvalidArgument);
    }
}

TEST_F(OneShot, SortsToOtherMemoryOnlyWhatFitsThere) {
    const std::vector<int32_t> keys{3, 1, 2};
    std::vector<int32_t> sorted(3);
    const HostInput in{Type::of<int32_t>(), keys.data(), 3};
    const auto sort_to = [&](const HostOutput& out, const std::optional<HostInput>& values) {
        sort(in, out, values, std::nullopt, SortOrder::ascending);
    };
    EXPECT_THROW(sort_to({Type::of<int32_t>(), sorted.data(), 2}, std::nullopt), InvalidArgument);
    EXPECT_THROW(sort_to({Type::of<float>(), sorted.data(), 3}, std::nullopt), InvalidArgument);
    EXPECT_THROW(sort_to({Type::of<int32_t>(), sorted.data(), 3}, in), InvalidArgument);
    sort_to({Type::of<int32_t>(), sorted.data(), 3}, std::nullopt);
    EXPECT_THAT(sorted, testing::ElementsAre(1, 2, 3));
    EXPECT_THAT(keys, testing::ElementsAre(3, 1, 2));
}

TEST_F(OneShot, TakesTheStateOfEachCallsOperator) {
    const std::vector<float> data = numbers(10);
    for (const double factor : {2.0, 3.0}) {
        std::vector<float> scaled(10);
        parallel::transform(data, scaled, Operator("a * factor + offset", test::Scale{factor, 1}));
        EXPECT_EQ(scaled[9], static_cast<float>(9 * factor + 1));
    }
}

TEST_F(OneShot, MayBeMadeByManyThreadsAtOnce) {
    const std::vector<float> data = numbers(1000);
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            for (int turn = 0; turn < 5; ++turn)
                right += reduce(data, static_cast<float>(i)) == 499500.0F + static_cast<float>(i) ? 1 : 0;
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(right, 40);
}

TEST_F(OneShot, IsRightAfterACallThatFailed) {
    const std::vector<float> data = numbers(1000);
    const HostInput nowhere{Type::of<float>(), nullptr, 1000};
    float sum = 0;
    EXPECT_THROW(reduce(nowhere, Value(0.0F), OpKind::plus, &sum), InvalidArgument);
    EXPECT_EQ(reduce(data, 0.0F), 499500.0F);
}

// The program sees all memory that it lends come back.
TEST_F(OneShot, KeepsNoMemoryOfAResourceOfTheProgram) {
    const std::vector<float> data = numbers(5000);
    const core::MemoryResource former = device.memory_resource();
    struct Counting : core::MemoryAllocator {
        core::MemoryResource upstream;
        int64_t in_use = 0, allocations = 0;
        core::DevicePointer allocate(uint64_t size, core::StreamRef in) override {
            ++in_use;
            ++allocations;
            return upstream.allocate(size, in).release();
        }
        void deallocate(core::DevicePointer address, uint64_t size, core::StreamRef in) override {
            --in_use;
            upstream.deallocate(address, size, in);
        }
    };
    const auto counting = std::make_shared<Counting>();
    counting->upstream = former;
    device.set_memory_resource(core::UserMemoryResource(counting, core::MemoryKind::device, device.device_id()));
    for (int turn = 0; turn < 3; ++turn)
        EXPECT_EQ(reduce(data, 0.0F), 12497500.0F);
    device.set_memory_resource(former);
    EXPECT_GE(counting->allocations, 3);
    EXPECT_EQ(counting->in_use, 0);
}

}  // namespace
}  // namespace cuprum::parallel
