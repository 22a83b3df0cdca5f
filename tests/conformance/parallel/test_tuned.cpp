// Shapes of kernels that are given, or come from a table (CUPRUM_TUNINGS). Before compute capability 9.0 they are CUB's
// own, and the results the same.
#include <algorithm>
#include <functional>
#include <numeric>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::random_elements;

class Tuned : public Parallel {
protected:
    static BuildOptions shape(const char* numbers) {
        BuildOptions options;
        options.tuning = numbers;
        return options;
    }
    // Around one tile of 64 threads with 3 vectors of 16 bytes, and around several.
    static std::vector<uint64_t> counts() { return {1, 3, 767, 768, 769, 2304, 5000, 50001}; }
    bool is_tuned() const { return device.compute_capability().major >= 9; }
};
constexpr const char* small_tiles = "threads=64 vectors=3 blocks=2";

TEST_F(Tuned, ScansEachKind) {
    const Type type = Type::of<int32_t>();
    for (const ScanKind kind : {ScanKind::exclusive, ScanKind::inclusive, ScanKind::inclusive_with_init}) {
        const Scan built(kind, Iterator::pointer(type), OpKind::plus, type, {}, shape(small_tiles));
        for (const uint64_t count : counts()) {
            const std::vector<int32_t> elements = random_elements<int32_t>(count);
            const core::Buffer output = memory_for<int32_t>(count);
            std::vector<uint32_t> expected(elements.begin(), elements.end());
            if (kind == ScanKind::inclusive) {
                built(stream, upload(elements), output, count);
                std::partial_sum(expected.begin(), expected.end(), expected.begin());
            } else {
                built(stream, upload(elements), output, count, 9);
                if (kind == ScanKind::exclusive) {
                    std::exclusive_scan(expected.begin(), expected.end(), expected.begin(), 9U);
                } else {
                    std::inclusive_scan(expected.begin(), expected.end(), expected.begin(), std::plus<>(), 9U);
                }
            }
            EXPECT_EQ(download<uint32_t>(output), expected) << count << " elements";
        }
    }
}

TEST_F(Tuned, ScansInOrderWhereOperandsCannotBeExchanged) {
    // Of a and b the later one: the last of each prefix; and functions x -> p x + q after each other.
    struct Affine {
        uint32_t p, q;
        bool operator==(const Affine&) const = default;
    };
    const Type affine = Type::structure_of<Affine>("Affine", field("p", &Affine::p), field("q", &Affine::q));
    const Scan built(ScanKind::inclusive, Iterator::pointer(affine), "Affine{a.p * b.p, a.q * b.p + b.q}", affine, {},
                     shape(small_tiles));
    for (const uint64_t count : counts()) {
        std::vector<Affine> elements(count);
        for (uint32_t i = 0; i < count; ++i)
            elements[i] = {i * 2654435761U | 1U, i * 40503U};
        std::vector<Affine> expected = elements;
        for (size_t i = 1; i < count; ++i)
            expected[i] = {expected[i - 1].p * expected[i].p, expected[i - 1].q * expected[i].p + expected[i].q};
        const core::Buffer output = memory_for<Affine>(count);
        built(stream, upload(elements), output, count);
        EXPECT_EQ(download<Affine>(output), expected) << count << " elements";
    }
}

TEST_F(Tuned, ScansWhatIsNotAlignedAndInPlace) {
    const Type type = Type::of<int32_t>();
    const Scan built(ScanKind::inclusive, Iterator::pointer(type), OpKind::plus, type, {}, shape(small_tiles));
    const uint64_t count = 5000;
    std::vector<int32_t> elements = random_elements<int32_t>(count + 1);
    const core::Buffer memory = upload(elements);
    const core::BufferRef behind = memory.slice(sizeof(int32_t), count * sizeof(int32_t));
    built(stream, behind, behind, count);
    std::vector<uint32_t> expected(elements.begin() + 1, elements.end());
    std::partial_sum(expected.begin(), expected.end(), expected.begin());
    EXPECT_EQ(download<uint32_t>(behind), expected) << "4 bytes behind what the copy engine takes";

    const core::Buffer aligned = upload(elements);
    built(stream, aligned, aligned, count + 1);
    std::vector<uint32_t> sums(elements.begin(), elements.end());
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    EXPECT_EQ(download<uint32_t>(aligned), sums) << "in place";
}

TEST_F(Tuned, TakesTheShapeFromThatManyBytesOn) {
    const Type type = Type::of<int32_t>();
    const Scan built(ScanKind::inclusive, Iterator::pointer(type), OpKind::plus, type, {},
                     shape("threads=64 vectors=3 blocks=2 from=20000"));
    for (const uint64_t count : {uint64_t{4999}, uint64_t{5000}}) {
        const core::Buffer output = memory_for<int32_t>(count);
        built(stream, upload(std::vector<int32_t>(count, 2)), output, count);
        EXPECT_EQ(download<int32_t>(output).back(), static_cast<int32_t>(2 * count));
    }
}

TEST_F(Tuned, SelectsInOrder) {
    const Select numbers(Iterator::pointer(Type::of<float>()), "a < 0", {}, shape(small_tiles));
    const Select wide(Iterator::pointer(Type::of<int64_t>()), "a % 3 == 0", {}, [] {
        BuildOptions options = shape("threads=32 vectors=5 blocks=3");
        options.always_wide = true;
        return options;
    }());
    const auto check = [&]<class T>(const Select& select, const std::vector<T>& elements, auto condition) {
        const core::Buffer output = memory_for<T>(elements.size());
        const core::Buffer selected = memory_for<uint64_t>(1);
        select(stream, upload(elements), output, selected, elements.size());
        std::vector<T> expected;
        std::copy_if(elements.begin(), elements.end(), std::back_inserter(expected), condition);
        ASSERT_EQ(download_one<uint64_t>(selected), expected.size()) << elements.size() << " elements";
        std::vector<T> result = download<T>(output);
        result.resize(expected.size());
        EXPECT_EQ(result, expected) << elements.size() << " elements";
    };
    for (const uint64_t count : counts()) {
        check(numbers, random_elements<float>(count), [](float a) { return a < 0; });
        check(wide, random_elements<int64_t>(count), [](int64_t a) { return a % 3 == 0; });
        check(numbers, std::vector<float>(count, 1.0F), [](float) { return false; });
        check(numbers, std::vector<float>(count, -1.0F), [](float) { return true; });
    }
}

TEST_F(Tuned, PartitionsWithTheRestTurnedRound) {
    const Partition numbers(Iterator::pointer(Type::of<float>()), "a < 0", {}, shape(small_tiles));
    const Partition wide(Iterator::pointer(Type::of<int64_t>()), "a % 3 == 0", {}, [] {
        BuildOptions options = shape("threads=32 vectors=5 blocks=3");
        options.always_wide = true;
        return options;
    }());
    const auto check = [&]<class T>(const Partition& partition, const std::vector<T>& elements, auto condition) {
        const core::Buffer output = memory_for<T>(elements.size());
        const core::Buffer selected = memory_for<uint64_t>(1);
        partition(stream, upload(elements), output, selected, elements.size());
        std::vector<T> expected = elements;
        const auto rest = std::ranges::stable_partition(expected, condition);
        std::ranges::reverse(rest);
        EXPECT_EQ(download_one<uint64_t>(selected), expected.size() - rest.size()) << elements.size() << " elements";
        EXPECT_EQ(download<T>(output), expected) << elements.size() << " elements";
    };
    for (const uint64_t count : counts()) {
        check(numbers, random_elements<float>(count), [](float a) { return a < 0; });
        check(wide, random_elements<int64_t>(count), [](int64_t a) { return a % 3 == 0; });
        check(numbers, std::vector<float>(count, 1.0F), [](float) { return false; });
        check(numbers, std::vector<float>(count, -1.0F), [](float) { return true; });
    }
}

TEST_F(Tuned, SortsKeysOfEachSizeUpAndDown) {
    const auto check = [&]<class T>(T, const char* numbers) {
        for (const SortOrder order : {SortOrder::ascending, SortOrder::descending}) {
            const RadixSort built(order, Type::of<T>(), std::nullopt, {}, shape(numbers));
            for (const uint64_t count : {uint64_t{20011}, uint64_t{100003}}) {
                std::vector<T> elements = random_elements<T>(count);
                const core::Buffer output = memory_for<T>(count);
                built(stream, upload(elements), output, count);
                std::ranges::sort(elements);
                if (order == SortOrder::descending) std::ranges::reverse(elements);
                EXPECT_EQ(download<T>(output), elements) << count << " elements of " << sizeof(T) << " bytes";
            }
        }
    };
    check(uint8_t{}, "threads=256 items=13 blocks=2 histogram_threads=256 histogram_items=4");
    check(int16_t{}, "threads=256 items=9 blocks=2 histogram_threads=128 histogram_items=8");
    check(float{}, "threads=384 items=7 blocks=2 histogram_threads=1024 histogram_items=16 look_back=4 ahead=3");
    check(int64_t{}, "threads=256 items=5 blocks=2 histogram_threads=512 histogram_items=4 look_back=2");
    check(uint128{}, "threads=256 items=3 blocks=1 histogram_threads=256 histogram_items=4 ahead=0");
}

TEST_F(Tuned, SortsPairsOverSomeBits) {
    const auto build = [&](const char* numbers) {
        return RadixSort(SortOrder::ascending, Type::of<uint32_t>(), Type::of<uint32_t>(), {}, shape(numbers));
    };
    const RadixSort built = build("threads=256 items=11 blocks=2 histogram_threads=512 histogram_items=4");
    const RadixSort asks_at_once =
        build("threads=256 items=11 blocks=2 histogram_threads=512 histogram_items=4 look_back=3 ahead=1");
    const uint64_t count = 100003;
    const std::vector<uint32_t> keys = random_elements<uint32_t>(count);
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::vector<uint32_t> expected = order;
    std::ranges::stable_sort(expected, std::less<>(), [&](uint32_t i) { return keys[i] >> 3 & 0x3fff; });
    for (const RadixSort* const sort : {&built, &asks_at_once}) {
        const core::Buffer sorted = memory_for<uint32_t>(count), moved = memory_for<uint32_t>(count);
        (*sort)(stream, upload(keys), sorted, upload(order), moved, count, {3, 17});
        EXPECT_EQ(download<uint32_t>(moved), expected);
    }
}

TEST_F(Tuned, RefusesShapesThatAreNone) {
    const Type type = Type::of<int32_t>();
    const auto build = [&](const char* numbers) {
        return Scan(ScanKind::inclusive, Iterator::pointer(type), OpKind::plus, type, {}, shape(numbers));
    };
    EXPECT_THROW(build("threads"), InvalidArgument);
    EXPECT_THROW(build("threads=-3"), InvalidArgument);
    if (!is_tuned()) {
        EXPECT_NO_THROW(build("threads=33 vectors=3 blocks=1")) << "CUB's own";
        return;
    }
    EXPECT_THROW(build("threads=33 vectors=3 blocks=1"), CompileError);
    EXPECT_THROW(build("threads=64"), CompileError) << "vectors and blocks are missing";
}

TEST_F(Tuned, IsSavedAndCapturedAsOthersAre) {
    const Type type = Type::of<int32_t>();
    const Scan built(ScanKind::inclusive, Iterator::pointer(type), OpKind::plus, type, {}, shape(small_tiles));
    EXPECT_FALSE(built.save().empty());
    const uint64_t count = 5000;
    const core::Buffer input = upload(std::vector<int32_t>(count, 1)), output = memory_for<int32_t>(count);
    const core::Buffer storage = device.allocate(built.temp_storage_bytes(count));
    stream.sync();
    device.sync();
    CallOptions options;
    options.temp_storage = storage;
    const core::GraphBuilder builder(device);
    builder.begin_building();
    built(builder.stream(), input, output, count, options);
    builder.end_building();
    const core::Graph graph = builder.complete();
    for (int i = 0; i < 2; ++i) {
        output.fill(0, 1, stream);
        graph.launch(stream);
        EXPECT_EQ(download<int32_t>(output).back(), static_cast<int32_t>(count));
    }
}

}  // namespace
}  // namespace cuprum::parallel
