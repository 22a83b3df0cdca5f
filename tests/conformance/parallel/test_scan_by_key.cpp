// Scans by key and differences of neighbours against plain loops.
#include "cuprum/pathfinder/error.hpp"
#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using testing::ElementsAre;

class ScansByKey : public test::Parallel {
protected:
    template <class Key>
    static std::vector<Key> keys_in_runs(uint64_t count) {
        std::vector<Key> keys;
        for (uint64_t i = 0; i < count; ++i)
            keys.push_back(static_cast<Key>(i % 9000 < 7000 ? i / 9000 : i * i / 5));  // long runs and short ones
        return keys;
    }
};

TEST_F(ScansByKey, AddTheValuesOfEachRun) {
    const auto expect_sums = [&]<class Key, class V, class Sum>(const std::vector<Key>& keys,
                                                                const std::vector<V>& values, Sum init,
                                                                const BuildOptions& options) {
        SCOPED_TRACE(keys.size());
        const Iterator of_keys = Iterator::pointer(Type::of<Key>());
        const Iterator of_values = Iterator::pointer(Type::of<V>());
        const InclusiveScanByKey inclusive(of_keys, of_values, OpKind::plus, Type::of<Sum>(), OpKind::equal_to, {},
                                           options);
        const ExclusiveScanByKey exclusive(of_keys, of_values, "b + a", Type::of<Sum>(), OpKind::equal_to, {}, options);
        std::vector<Sum> expected(keys.size());
        std::vector<Sum> expected_exclusive(keys.size());
        for (size_t i = 0; i < keys.size(); ++i) {
            const bool is_first = i == 0 || keys[i] != keys[i - 1];
            expected[i] = static_cast<Sum>((is_first ? Sum{0} : expected[i - 1]) + static_cast<Sum>(values[i]));
            expected_exclusive[i] =
                is_first ? init : static_cast<Sum>(expected_exclusive[i - 1] + static_cast<Sum>(values[i - 1]));
        }
        const core::Buffer keys_in = upload(keys);
        const core::Buffer values_in = upload(values);
        const core::Buffer out = memory_for<Sum>(keys.size());
        inclusive(stream, keys_in, values_in, out, keys.size());
        EXPECT_EQ(download<Sum>(out), expected);
        exclusive(stream, keys_in, values_in, out, keys.size(), init);
        EXPECT_EQ(download<Sum>(out), expected_exclusive);
    };
    for (const uint64_t count : test::sizes())
        expect_sums(keys_in_runs<int32_t>(count), test::random_elements<int16_t>(count), int64_t{5}, {});
    expect_sums(keys_in_runs<uint8_t>(20011), test::random_elements<uint32_t>(20011), uint32_t{7},
                {.always_wide = true});
}

TEST_F(ScansByKey, WorkInPlaceWithOperatorsThatHaveAStateOfTheCall) {
    const Operator op("Point{a.x, a.weight + offset > b.weight + offset ? a.weight : b.weight, a.tag}",
                      Value(test::Scale{0, 1}));
    const Operator equal("a / offset == b / offset", Value(test::Scale{0, 100}));
    const Iterator counting = Iterator::counting(int32_t{0});
    const InclusiveScanByKey largest(counting, Iterator::pointer(Type::of<test::Point>()), op, Type::of<test::Point>(),
                                     equal);
    const std::vector<test::Point> points = test::random_elements<test::Point>(4097);
    const core::Buffer data = upload(points);
    const core::Buffer storage = device.allocate(largest.temp_storage_bytes(points.size()));
    const Operator same_thousand = equal.with_state(test::Scale{0, 1000});
    largest(stream, counting, data, data, points.size(), {.temp_storage = storage, .second_op = &same_thousand});
    const std::vector<test::Point> found = download<test::Point>(data);
    int32_t expected = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        expected = i % 1000 == 0 ? points[i].weight : std::max(expected, points[i].weight);
        ASSERT_EQ(found[i].weight, expected) << i;
    }
}

TEST_F(ScansByKey, RefuseMemoryAndInitialValuesThatDoNotFit) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    const ExclusiveScanByKey scan(numbers, numbers, OpKind::plus, Type::of<int32_t>());
    const core::Buffer keys = upload(std::vector<int32_t>(100, 1));
    const core::Buffer values = upload(std::vector<int32_t>(100, 1));
    EXPECT_THROW(scan(stream, keys, values, keys, 100, int32_t{0}), InvalidArgument);
    EXPECT_THROW(scan(stream, keys, values, values.slice(4, 396), 99, int32_t{0}), InvalidArgument);
    EXPECT_THROW(scan(stream, keys, values, values.slice(0, 396), 100, int32_t{0}), InvalidArgument);
    EXPECT_THROW(scan(stream, keys, values, values, 100, 0.5), InvalidArgument);
    EXPECT_NO_THROW(scan(stream, keys, values, values, 100, int32_t{0}));
    stream.sync();
    const Type large = Type::parse(
        "Half{a:complex128,b:complex128,c:complex128,d:complex128,e:complex128,f:complex128,"
        "g:complex128,h:complex128,i:int8}");
    EXPECT_THROW(InclusiveScanByKey(Iterator::pointer(large), numbers, OpKind::plus, Type::of<int32_t>(), "true"),
                 Unsupported);
}

TEST_F(ScansByKey, AreNotNeededForDifferencesOfNeighbours) {
    const Iterator numbers = Iterator::pointer(Type::of<int32_t>());
    for (const Neighbour neighbour : {Neighbour::left, Neighbour::right}) {
        const AdjacentDifference difference(neighbour, numbers, OpKind::minus, Type::of<int64_t>());
        for (const uint64_t count : test::sizes()) {
            SCOPED_TRACE(count);
            std::vector<int32_t> data = test::random_elements<int32_t>(count);
            for (int32_t& element : data)
                element /= 4;  // no overflow
            std::vector<int64_t> expected;
            for (size_t i = 0; i < count; ++i) {
                const bool is_alone = i == (neighbour == Neighbour::left ? 0 : count - 1);
                const size_t other = neighbour == Neighbour::left ? i - 1 : i + 1;
                expected.push_back(is_alone ? data[i] : data[i] - data[other]);
            }
            const core::Buffer in = upload(data);
            const core::Buffer out = memory_for<int64_t>(count);
            difference(stream, in, out, count);
            EXPECT_EQ(download<int64_t>(out), expected);
        }
    }
    const Operator scaled("(a - b) * offset", Value(test::Scale{0, 1}));
    const Iterator counting = Iterator::counting(int64_t{10});
    const AdjacentDifference difference(Neighbour::left, counting, scaled, Type::of<int64_t>(), {},
                                        {.always_wide = true});
    const core::Buffer out = memory_for<int64_t>(4);
    const Operator by_seven = scaled.with_state(test::Scale{0, 7});
    difference(stream, counting, out, 4, {.op = &by_seven});
    EXPECT_THAT(download<int64_t>(out), ElementsAre(10, 7, 7, 7));

    const AdjacentDifference of_memory(Neighbour::left, numbers, OpKind::minus, Type::of<int32_t>());
    const core::Buffer in = upload(std::vector<int32_t>(100, 1));
    EXPECT_THROW(of_memory(stream, in, in, 100), InvalidArgument);
    EXPECT_THROW(of_memory(stream, in, out, 100), InvalidArgument);
    EXPECT_THROW(
        AdjacentDifference(Neighbour::left, Iterator::pointer(Type::of<test::Point>()), "1.0f", Type::of<float>()),
        InvalidArgument);
}

// Threads read and write 16 bytes at a time where memory begins at a multiple of as many.
TEST_F(ScansByKey, AreNotNeededForDifferencesInMemoryThatBeginsAnywhere) {
    const auto expect_differences = [&]<class T>(T) {
        constexpr uint64_t count = 20011;
        const std::vector<T> data = test::random_elements<T>(count + 8);
        const core::Buffer in = upload(data);
        for (const Neighbour neighbour : {Neighbour::left, Neighbour::right}) {
            const AdjacentDifference largest(neighbour, Iterator::pointer(Type::of<T>()), OpKind::maximum,
                                             Type::of<T>());
            for (const uint64_t in_begin : {0, 1, 4}) {
                for (const uint64_t out_begin : {0, 3}) {
                    std::vector<T> expected(out_begin + count);
                    for (uint64_t i = 0; i < count; ++i) {
                        const bool is_alone = i == (neighbour == Neighbour::left ? 0 : count - 1);
                        const uint64_t other = is_alone ? i : neighbour == Neighbour::left ? i - 1 : i + 1;
                        expected[out_begin + i] = std::max(data[in_begin + i], data[in_begin + other]);
                    }
                    const core::Buffer out = upload(std::vector<T>(out_begin + count));
                    largest(stream, in.slice(in_begin * sizeof(T), count * sizeof(T)),
                            out.slice(out_begin * sizeof(T), count * sizeof(T)), count);
                    EXPECT_EQ(download<T>(out), expected) << sizeof(T) << " bytes, from " << in_begin;
                }
            }
        }
    };
    expect_differences(uint8_t{});
    expect_differences(int16_t{});
    expect_differences(float{});
    expect_differences(int64_t{});
}

}  // namespace
}  // namespace cuprum::parallel
