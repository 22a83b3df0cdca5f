// What an execution requires of results: the order of sums, where it matters.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::HasSubstr;

// The order that gpu_to_gpu has on every device (ordered_reduce.cpp): another one gives other bits for these elements.
template <class T>
T in_halves(std::vector<T> results) {
    const size_t valid = results.size();
    for (size_t half = 128; half > 0; half /= 2) {
        for (size_t i = 0; i < half && i + half < valid; ++i)
            results[i] += results[i + half];
    }
    return results.front();
}

template <class T>
T in_the_fixed_order(const std::vector<T>& data, T init) {
    constexpr uint64_t threads = 256;
    const uint64_t tile = threads * (sizeof(T) <= 4 ? 16 : 64 / sizeof(T));
    if (data.empty()) return init;
    const uint64_t vector = 16 / sizeof(T);  // elements that a thread takes at a time
    const uint64_t blocks = std::min<uint64_t>((data.size() + tile - 1) / tile, 4096);
    std::vector<T> of_blocks;
    for (uint64_t block = 0; block < blocks; ++block) {
        std::vector<T> of_threads;
        for (uint64_t thread = 0; thread < threads && block * tile + thread * vector < data.size(); ++thread) {
            bool is_first = true;
            T own{};
            for (uint64_t begin = block * tile; begin < data.size(); begin += blocks * tile) {
                const uint64_t end = std::min<uint64_t>(begin + tile, data.size());
                for (uint64_t group = begin + thread * vector; group < end; group += threads * vector) {
                    for (uint64_t at = group; at < std::min(group + vector, end); ++at) {
                        own = is_first ? data[at] : own + data[at];
                        is_first = false;
                    }
                }
            }
            of_threads.push_back(own);
        }
        of_blocks.push_back(in_halves(of_threads));
    }
    std::vector<T> of_threads(of_blocks.begin(), of_blocks.begin() + static_cast<int64_t>(std::min(blocks, threads)));
    for (uint64_t i = threads; i < blocks; ++i)
        of_threads[i % threads] += of_blocks[i];
    return init + in_halves(of_threads);
}

// Of very different sizes, so that each sum is rounded.
template <class T>
std::vector<T> rough_numbers(uint64_t count) {
    std::mt19937_64 generator(count + 3);
    std::vector<T> numbers(count);
    for (T& number : numbers)
        number = static_cast<T>(
            std::ldexp(static_cast<double>(generator() % 100003) - 50001, static_cast<int>(generator() % 30)));
    return numbers;
}

template <class T>
uint64_t bits_of(T number) {
    uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof(number));
    return bits;
}

class RequiredDeterminism : public test::Parallel {
protected:
    template <class T>
    void expect_the_fixed_order(const std::vector<uint64_t>& counts, const BuildOptions& options) {
        const Iterator numbers = Iterator::pointer(Type::of<T>());
        const Reduce sum(numbers, OpKind::plus, Type::of<T>(), Execution(device).require(Determinism::gpu_to_gpu),
                         options);
        for (const uint64_t count : counts) {
            SCOPED_TRACE(count);
            const std::vector<T> data = rough_numbers<T>(count);
            const core::Buffer in = upload(data), out = memory_for<T>(1);
            const core::Buffer storage = device.allocate(std::max<uint64_t>(sum.temp_storage_bytes(count), 1));
            sum(stream, in, out, count, T{3}, {.temp_storage = storage});
            EXPECT_EQ(bits_of(download_one<T>(out)), bits_of(in_the_fixed_order(data, T{3})));
        }
    }
};

TEST_F(RequiredDeterminism, OfEveryGpuIsOneOrderOfSums) {
    expect_the_fixed_order<float>({0, 1, 2, 255, 256, 257, 4096, 4097, 100003}, {});
    expect_the_fixed_order<double>({33, 20011, 2048 * 300 + 77}, {});
    expect_the_fixed_order<float>({20011}, {.always_wide = true});
}

TEST_F(RequiredDeterminism, OrdersMatterForTheseElements) {
    std::vector<float> data = rough_numbers<float>(20011);
    const float one_order = in_the_fixed_order(data, 0.0F);
    std::reverse(data.begin(), data.end());
    EXPECT_NE(bits_of(one_order), bits_of(in_the_fixed_order(data, 0.0F)));
}

TEST_F(RequiredDeterminism, TakesOperatorsIteratorsAndNoInitialValue) {
    const Iterator positions = Iterator::counting(int32_t{0});
    const Iterator squares = Iterator::transform(positions, "float(a) * 0.1f", Type::of<float>());
    const Operator larger("fabsf(a) > fabsf(b) ? a : b + offset", Value(test::Scale{0, 0}));
    const Reduce reduce(squares, larger, Type::of<float>(), Execution(device).require(Determinism::gpu_to_gpu));
    const core::Buffer out = upload(std::vector<float>{-1});
    reduce(stream, squares, out, 0);
    EXPECT_EQ(download_one<float>(out), -1) << "nothing is written for no elements";
    reduce(stream, squares, out, 10000);
    EXPECT_EQ(download_one<float>(out), 9999 * 0.1F);
    const std::string saved = reduce.save();
    EXPECT_FALSE(load_builds(saved).empty());
}

TEST_F(RequiredDeterminism, IsTheSameFromRunToRun) {
    const std::vector<float> data = rough_numbers<float>(100003);
    const core::Buffer in = upload(data), out = memory_for<float>(1);
    const Reduce sum(Iterator::pointer(Type::of<float>()), OpKind::plus, Type::of<float>(),
                     Execution(device).require(Determinism::run_to_run));
    sum(stream, in, out, data.size(), 0.0F);
    const uint64_t first = bits_of(download_one<float>(out));
    for (int run = 0; run < 3; ++run) {
        sum(stream, in, out, data.size(), 0.0F);
        EXPECT_EQ(bits_of(download_one<float>(out)), first);
    }
}

TEST_F(RequiredDeterminism, IsRefusedWhereItCannotBeKept) {
    const auto refusal = [](const auto& build) -> std::string {
        try {
            build();
        } catch (const Unsupported& error) {
            return error.what();
        }
        return "taken";
    };
    const Execution same_run = Execution(device).require(Determinism::run_to_run);
    const Execution same_everywhere = Execution(device).require(Determinism::gpu_to_gpu);
    const Type f32 = Type::of<float>(), i32 = Type::of<int32_t>();
    const Iterator floats = Iterator::pointer(f32), integers = Iterator::pointer(i32);
    EXPECT_THAT(refusal([&] { Scan(ScanKind::inclusive, floats, OpKind::plus, f32, same_run); }),
                HasSubstr("run_to_run"));
    EXPECT_THAT(refusal([&] { ReduceByKey(integers, floats, OpKind::plus, f32, OpKind::equal_to, same_run); }),
                HasSubstr("float32"));
    EXPECT_THAT(refusal([&] { InclusiveScanByKey(integers, floats, OpKind::plus, f32, OpKind::equal_to, same_run); }),
                HasSubstr("depends on which blocks of threads are ahead"));
    EXPECT_THAT(refusal([&] { SegmentedReduce(floats, OpKind::plus, f32, i32, same_everywhere); }),
                HasSubstr("depends on the device"));
    EXPECT_THAT(refusal([&] { TopkKeys(SortOrder::ascending, integers, same_run); }), HasSubstr("equal ones"));
    EXPECT_THAT(refusal([&] { Reduce(floats, OpKind::plus, f32, Execution::host().require(Determinism::gpu_to_gpu)); }),
                HasSubstr("number of threads"));
    // For integers no order matters.
    static_cast<void>(Scan(ScanKind::inclusive, integers, OpKind::plus, i32, same_everywhere));
    static_cast<void>(ReduceByKey(integers, integers, OpKind::maximum, i32, OpKind::equal_to, same_everywhere));
    static_cast<void>(Reduce(integers, OpKind::plus, i32, Execution::host().require(Determinism::gpu_to_gpu)));
    static_cast<void>(ArgReduce(ArgKind::minimum, floats, same_everywhere));
}

}  // namespace
}  // namespace cuprum::parallel
