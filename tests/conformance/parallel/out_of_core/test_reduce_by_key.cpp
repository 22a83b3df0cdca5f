#include <bit>
#include <cmath>
#include <map>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::host_kinds;
using test::HostElements;
using test::HostKind;
using test::random_elements;
using test::refusal;
using testing::AllOf;
using testing::HasSubstr;

class OutOfCoreReduceByKey : public test::OutOfCore {
protected:
    const Type key = Type::of<uint32_t>(), value = Type::of<int32_t>(), accumulator = Type::of<int64_t>();
};

TEST_F(OutOfCoreReduceByKey, BringsEqualKeysTogether) {
    const out_of_core::ReduceByKey sum(memory(), key, value, OpKind::plus, accumulator);
    for (const uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{1500}, 2 * limit / 8, twice(8)}) {
        // One key, few, about as many as there are elements, and each once.
        for (const uint32_t different : {1U, 100U, 1U << 16U, 0U}) {
            const HostKind kind = host_kinds[(count + different) % host_kinds.size()];
            SCOPED_TRACE(testing::PrintToString(std::tuple(static_cast<int>(kind), count, different)));
            std::vector<uint32_t> keys = random_elements<uint32_t>(count);
            for (uint64_t i = 0; i < count; ++i)
                keys[i] = different == 0 ? static_cast<uint32_t>(i * 2654435761U) : keys[i] % different;
            const std::vector<int32_t> values = random_elements<int32_t>(count, 2);
            std::map<uint32_t, int64_t> expected;
            for (uint64_t i = 0; i < count; ++i)
                expected[keys[i]] += values[i];
            HostElements<uint32_t> keys_in(kind, keys), keys_out(kind, count);
            HostElements<int32_t> values_in(kind, values);
            HostElements<int64_t> values_out(kind, count);
            const uint64_t found = sum(keys_in.input(), values_in.input(), keys_out.output(), values_out.output());
            ASSERT_EQ(found, expected.size());
            uint64_t place = 0;
            for (const auto& [each, total] : expected) {
                ASSERT_EQ(keys_out.data()[place], each);
                ASSERT_EQ(values_out.data()[place++], total) << "of key " << each;
            }
        }
    }
}

TEST_F(OutOfCoreReduceByKey, CombinesValuesInTheirOrder) {
    const uint64_t count = twice(8);
    std::vector<uint32_t> keys = random_elements<uint32_t>(count);
    std::vector<int32_t> values(count);
    std::iota(values.begin(), values.end(), 0);
    std::map<uint32_t, int32_t> first, last;
    for (uint64_t i = 0; i < count; ++i) {
        keys[i] %= 50;
        first.try_emplace(keys[i], values[i]);
        last[keys[i]] = values[i];
    }
    for (const bool takes_first : {true, false}) {
        const out_of_core::ReduceByKey reduce(memory(), key, value, takes_first ? "a" : "b", value);
        std::vector<uint32_t> different(50);
        std::vector<int32_t> results(50);
        ASSERT_EQ(reduce(host_input(keys), host_input(values), host_output(different), host_output(results)), 50U);
        for (size_t i = 0; i < 50; ++i)
            EXPECT_EQ(results[i], (takes_first ? first : last)[different[i]]);
    }
}

// They are not equal, and in the order next to each other: more than a piece has room for.
TEST_F(OutOfCoreReduceByKey, KeepsEveryNaN) {
    const uint64_t count = twice(8);
    std::vector<float> keys(count);
    for (uint64_t i = 0; i < count; ++i)
        keys[i] = i % 4 == 0 ? static_cast<float>(i % 3) * (i % 8 == 0 ? -1.0F : 1.0F) : std::nanf("");
    const std::vector<int32_t> values(count, 1);
    const out_of_core::ReduceByKey sum(memory(), Type::of<float>(), value, OpKind::plus, value);
    std::vector<float> different(count);
    std::vector<int32_t> results(count);
    const uint64_t found = sum(host_input(keys), host_input(values), host_output(different), host_output(results));
    const auto nans =
        static_cast<uint64_t>(std::count_if(keys.begin(), keys.end(), [](float each) { return std::isnan(each); }));
    ASSERT_EQ(found, nans + 5);  // -2, -1, 0, 1, 2
    EXPECT_EQ(std::accumulate(results.begin(), results.end(), 0), static_cast<int>(count));
    EXPECT_TRUE(std::is_sorted(different.begin(), different.begin() + 5));
    EXPECT_TRUE(std::isnan(different[5]));
    EXPECT_EQ(results[5], 1);
}

TEST_F(OutOfCoreReduceByKey, WritesOverItsInputsAndNoFurtherThanItMust) {
    const uint64_t count = twice(8);
    std::vector<uint32_t> keys = random_elements<uint32_t>(count);
    for (uint32_t& each : keys)
        each %= 10;
    std::vector<int32_t> values(count, 1);
    const out_of_core::ReduceByKey sum(memory(), key, value, OpKind::plus, value);
    const std::vector<uint32_t> before = keys;
    ASSERT_EQ(sum(host_input(keys), host_input(values), host_output(keys), host_output(values)), 10U);
    for (uint32_t i = 0; i < 10; ++i) {
        EXPECT_EQ(keys[i], i);
        EXPECT_EQ(values[i], std::count(before.begin(), before.end(), i));
    }
    EXPECT_TRUE(std::equal(keys.begin() + 10, keys.end(), before.begin() + 10));
}

TEST_F(OutOfCoreReduceByKey, SaysHowMuchRoomIsNeeded) {
    const out_of_core::ReduceByKey sum(memory(), key, value, OpKind::plus, value);
    for (const uint64_t count : {uint64_t{1000}, twice(8)}) {
        std::vector<uint32_t> keys(count), different(99);
        for (uint64_t i = 0; i < count; ++i)
            keys[i] = static_cast<uint32_t>(i % 100);
        std::vector<int32_t> values(count, 1), results(count);
        EXPECT_THAT(
            refusal([&] { sum(host_input(keys), host_input(values), host_output(different), host_output(results)); }),
            AllOf(HasSubstr("room for 99 keys"), HasSubstr("100 different")));
    }
    std::vector<uint32_t> keys(2000);
    std::vector<int32_t> values(2000), fewer(1999);
    EXPECT_THAT(refusal([&] { sum(host_input(keys), host_input(fewer), host_output(keys), host_output(values)); }),
                AllOf(HasSubstr("values"), HasSubstr("there are 1999")));
    const HostOutput same{value, keys.data(), 2000};
    EXPECT_THAT(refusal([&] { sum(host_input(keys), host_input(values), host_output(keys), same); }),
                HasSubstr("overlap"));
    const out_of_core::ReduceByKey small({device, 4096, pool}, key, value, OpKind::plus, value);
    EXPECT_THAT(refusal([&] { small(host_input(keys), host_input(values), host_output(keys), host_output(values)); }),
                AllOf(HasSubstr("4096 bytes may be taken"), HasSubstr("need at least")));
}

}  // namespace
}  // namespace cuprum::parallel
