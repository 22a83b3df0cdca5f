// Runs of equal elements: reduced, counted and found, against plain loops.
#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::HasSubstr;

struct RunOfElements {
    uint64_t offset, length;
};

// Of elements in runs of all lengths, also across tiles.
template <class T>
std::vector<T> elements_in_runs(uint64_t count) {
    std::mt19937_64 generator(count);
    std::vector<T> elements;
    while (elements.size() < count) {
        const uint64_t bits = generator();
        const uint64_t length = bits % 100 == 0 ? 5000 : 1 + bits % 3;
        elements.insert(elements.end(), std::min<uint64_t>(length, count - elements.size()),
                        static_cast<T>(bits >> 32));
    }
    return elements;
}

class Runs : public test::Parallel {
protected:
    template <class T, class Equal = std::equal_to<>>
    static std::vector<RunOfElements> runs_of(const std::vector<T>& elements, const Equal& equal = {}) {
        std::vector<RunOfElements> runs;
        for (size_t i = 0; i < elements.size(); ++i) {
            if (i == 0 || !equal(elements[i - 1], elements[i])) runs.push_back({i, 0});
            ++runs.back().length;
        }
        return runs;
    }
    const core::Buffer count_out = memory_for<uint64_t>(1);
    template <class T>
    std::vector<T> first_of(const core::Buffer& memory, uint64_t count) const {
        return download<T>(memory.slice(0, count * sizeof(T)));
    }
};

TEST_F(Runs, AreReducedByKey) {
    const auto expect_sums = [&]<class Key, class V, class Sum>(const std::vector<Key>& keys,
                                                                const std::vector<V>& values, const ReduceByKey& reduce,
                                                                Sum) {
        SCOPED_TRACE(keys.size());
        std::vector<Key> expected_keys;
        std::vector<Sum> expected;
        for (const RunOfElements& run : runs_of(keys)) {
            expected_keys.push_back(keys[run.offset]);
            expected.push_back(0);
            for (uint64_t i = run.offset; i < run.offset + run.length; ++i)
                expected.back() = static_cast<Sum>(expected.back() + static_cast<Sum>(values[i]));
        }
        const core::Buffer keys_in = upload(keys);
        const core::Buffer values_in = upload(values);
        const core::Buffer keys_out = memory_for<Key>(keys.size());
        const core::Buffer sums = memory_for<Sum>(keys.size());
        reduce(stream, keys_in, values_in, keys_out, sums, count_out, keys.size());
        ASSERT_EQ(download_one<uint64_t>(count_out), expected.size());
        EXPECT_EQ(first_of<Key>(keys_out, expected.size()), expected_keys);
        EXPECT_EQ(first_of<Sum>(sums, expected.size()), expected);
    };
    const ReduceByKey sums(Iterator::pointer(Type::of<int32_t>()), Iterator::pointer(Type::of<int16_t>()), OpKind::plus,
                           Type::of<int64_t>());
    for (const uint64_t count : test::sizes())
        expect_sums(elements_in_runs<int32_t>(count), test::random_elements<int16_t>(count), sums, int64_t{});
    const ReduceByKey wide(Iterator::pointer(Type::of<uint8_t>()), Iterator::pointer(Type::of<uint32_t>()), "b + a",
                           Type::of<uint32_t>(), OpKind::equal_to, {}, {.always_wide = true});
    expect_sums(elements_in_runs<uint8_t>(20011), test::random_elements<uint32_t>(20011), wide, uint32_t{});
}

TEST_F(Runs, AreOfWhatAnOperatorHoldsForEqual) {
    // The heaviest of each run, whose keys are structs; both operators have a state.
    const Operator op("Point{a.x, a.weight + offset > b.weight + offset ? a.weight : b.weight, a.tag}",
                      Value(test::Scale{0, 1}));
    const Operator equal("a.weight / offset == b.weight / offset", Value(test::Scale{0, 100}));
    const Iterator points = Iterator::pointer(Type::of<test::Point>());
    const ReduceByKey reduce(points, points, op, Type::of<test::Point>(), equal);
    std::vector<test::Point> data = test::random_elements<test::Point>(10007);
    std::sort(data.begin(), data.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
    const core::Buffer in = upload(data);
    const core::Buffer keys_out = memory_for<test::Point>(data.size());
    const core::Buffer heaviest = memory_for<test::Point>(data.size());
    const core::Buffer storage = device.allocate(reduce.temp_storage_bytes(data.size()));
    const Operator same_half = equal.with_state(test::Scale{0, 500});
    for (const int32_t step : {100, 500}) {
        const std::vector<RunOfElements> runs =
            runs_of(data, [&](const auto& a, const auto& b) { return a.weight / step == b.weight / step; });
        CallOptions options{.temp_storage = storage};
        if (step == 500) options.second_op = &same_half;
        reduce(stream, in, in, keys_out, heaviest, count_out, data.size(), options);
        ASSERT_EQ(download_one<uint64_t>(count_out), runs.size());
        const std::vector<test::Point> found = first_of<test::Point>(heaviest, runs.size());
        for (size_t i = 0; i < runs.size(); ++i)
            EXPECT_EQ(found[i].weight, data[runs[i].offset + runs[i].length - 1].weight);
        const std::vector<test::Point> kept = first_of<test::Point>(keys_out, runs.size());
        for (size_t i = 0; i < runs.size(); ++i)
            ASSERT_EQ(kept[i].weight, data[runs[i].offset].weight) << i;
    }
}

TEST_F(Runs, AreEncodedAndFound) {
    const auto expect_runs = [&]<class T, class Position>(const std::vector<T>& elements, Position,
                                                          const BuildOptions& options) {
        SCOPED_TRACE(elements.size());
        const Iterator input = Iterator::pointer(Type::of<T>());
        const RunLengthEncode encode(input, Type::of<Position>(), OpKind::equal_to, {}, options);
        const NonTrivialRuns find(input, Type::of<Position>(), OpKind::equal_to, {}, options);
        std::vector<T> expected;
        std::vector<Position> expected_lengths;
        std::vector<Position> offsets;
        std::vector<Position> lengths;
        for (const RunOfElements& run : runs_of(elements)) {
            expected.push_back(elements[run.offset]);
            expected_lengths.push_back(static_cast<Position>(run.length));
            if (run.length == 1) continue;
            offsets.push_back(static_cast<Position>(run.offset));
            lengths.push_back(static_cast<Position>(run.length));
        }
        const core::Buffer in = upload(elements);
        const core::Buffer out = memory_for<T>(elements.size());
        const core::Buffer offsets_out = memory_for<Position>(elements.size());
        const core::Buffer lengths_out = memory_for<Position>(elements.size());
        encode(stream, in, out, lengths_out, count_out, elements.size());
        ASSERT_EQ(download_one<uint64_t>(count_out), expected.size());
        EXPECT_EQ(first_of<T>(out, expected.size()), expected);
        EXPECT_EQ(first_of<Position>(lengths_out, expected.size()), expected_lengths);
        find(stream, in, offsets_out, lengths_out, count_out, elements.size());
        ASSERT_EQ(download_one<uint64_t>(count_out), offsets.size());
        EXPECT_EQ(first_of<Position>(offsets_out, offsets.size()), offsets);
        EXPECT_EQ(first_of<Position>(lengths_out, offsets.size()), lengths);
    };
    for (const uint64_t count : test::sizes())
        expect_runs(elements_in_runs<int32_t>(count), int32_t{}, {});
    expect_runs(std::vector<int32_t>(10007, 5), int32_t{}, {});
    expect_runs(elements_in_runs<uint8_t>(20011), uint64_t{}, {.always_wide = true});
}

TEST_F(Runs, RefuseTypesAndMemoryThatDoNotFit) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const auto message = [](const auto& build) -> std::string {
        try {
            build();
        } catch (const Error& error) {
            return error.what();
        }
        return "taken";
    };
    EXPECT_THAT(message([&] { RunLengthEncode(numbers, Type::of<float>()); }), HasSubstr("lengths of type float32"));
    EXPECT_THAT(message([&] { NonTrivialRuns(numbers, Type::of<int8_t>()); }), HasSubstr("positions of type int8"));
    const Type large = Type::parse(
        "Large{a:complex128,b:complex128,c:complex128,d:complex128,e:complex128,f:complex128,"
        "g:complex128,h:complex128,i:complex128,j:complex128,k:complex128,l:complex128,"
        "m:complex128,n:complex128,o:complex128,p:complex128}");
    EXPECT_THAT(
        message([&] { ReduceByKey(Iterator::pointer(large), numbers, OpKind::plus, Type::of<int32_t>(), "true"); }),
        HasSubstr("a key has 256 bytes and a result 4, expected at most 256 together"));

    const ReduceByKey reduce(numbers, numbers, OpKind::plus, Type::of<int64_t>());
    const core::Buffer in = upload(std::vector<int32_t>(100, 1));
    const core::Buffer keys = memory_for<int32_t>(100);
    const core::Buffer sums = memory_for<int64_t>(100);
    EXPECT_THROW(reduce(stream, in, in, in, sums, count_out, 100), InvalidArgument);
    EXPECT_THROW(reduce(stream, in, in, keys, keys, count_out, 50), InvalidArgument);
    EXPECT_THROW(reduce(stream, in, in, keys, sums.slice(0, 792), count_out, 100), InvalidArgument);
    EXPECT_THROW(reduce(stream, in, in, keys, sums, count_out.slice(0, 4), 100), InvalidArgument);
    EXPECT_NO_THROW(reduce(stream, in, in, keys, sums, count_out, 100));
    stream.sync();
}

}  // namespace
}  // namespace cuprum::parallel
