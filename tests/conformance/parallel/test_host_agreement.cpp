// The host's cores and the device give the same bits, where the order of evaluation does not matter.
#include <bit>
#include <cstring>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using testing::HasSubstr;

// Every kind of floating-point number, many times: zeros, subnormal numbers, infinities and NaNs of both signs.
template <class Bits>
std::vector<Bits> odd_floats(uint64_t count) {
    std::vector<Bits> bits = test::random_elements<Bits>(count);
    const int exponent_bits = sizeof(Bits) == 2 ? 5 : sizeof(Bits) == 4 ? 8 : 11;
    const int mantissa_bits = static_cast<int>(sizeof(Bits)) * 8 - 1 - exponent_bits;
    const auto infinity = static_cast<Bits>(((Bits{1} << exponent_bits) - 1) << mantissa_bits);
    const auto sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
    for (uint64_t i = 0; i < count; ++i) {
        switch (i % 11) {
            case 0:
                bits[i] = 0;
                break;
            case 1:
                bits[i] = sign;
                break;
            case 2:
                bits[i] = infinity;
                break;
            case 3:
                bits[i] = static_cast<Bits>(infinity | sign);
                break;
            case 4:
                bits[i] = static_cast<Bits>(infinity | (bits[i] & 7U) | 1U | (bits[i] & sign));
                break;
            case 5:
                bits[i] = static_cast<Bits>(bits[i] & (sign | 3U));
                break;
            default:
                break;
        }
    }
    return bits;
}

class Agreement : public Parallel {
protected:
    template <class Bits>
    void expect_same_order(TypeKind kind, SortOrder order, const BitRange& bits) const {
        const std::vector<Bits> keys = odd_floats<Bits>(3001);
        std::vector<int32_t> values(keys.size());
        for (size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<int32_t>(i);
        const RadixSort built(order, Type(kind), Type::of<int32_t>());
        const core::Buffer keys_out = memory_for<Bits>(keys.size());
        const core::Buffer values_out = memory_for<int32_t>(keys.size());
        built(stream, upload(keys), keys_out, upload(values), values_out, keys.size(), bits);

        const RadixSort on_host(order, Type(kind), Type::of<int32_t>(), Execution::host());
        std::vector<Bits> host_keys(keys.size());
        std::vector<int32_t> host_values(keys.size());
        on_host({}, std::span(keys), std::span(host_keys), std::span(values), std::span(host_values), keys.size(),
                bits);
        EXPECT_EQ(host_keys, download<Bits>(keys_out)) << Type(kind).name();
        EXPECT_EQ(host_values, download<int32_t>(values_out)) << Type(kind).name() << ": not as stable";
    }

    // op of every pair, computed by both.
    template <class In, class Out>
    void expect_same_results(const Type& in, const Type& out, const Operator& op, const std::vector<In>& first,
                             const std::vector<In>& second) const {
        const Transform built(Iterator::pointer(in), Iterator::pointer(in), op, out);
        const core::Buffer output = memory_for<Out>(first.size());
        built(stream, upload(first), upload(second), output, first.size());
        const Transform on_host(Iterator::pointer(in), Iterator::pointer(in), op, out, Execution::host());
        std::vector<Out> results(first.size());
        on_host({}, std::span(first), std::span(second), std::span(results), first.size());
        const std::vector<Out> expected = download<Out>(output);
        for (size_t i = 0; i < first.size(); ++i) {
            ASSERT_EQ(results[i], expected[i]) << op.text() << " of " << in.name() << ' ' << +first[i] << " and "
                                               << +second[i] << " as " << out.name();
        }
    }
    template <class In, class Out>
    void expect_same_conversion(const Type& in, const Type& out, const std::vector<In>& data) const {
        const Transform built(Iterator::pointer(in), OpKind::identity, out);
        const core::Buffer output = memory_for<Out>(data.size());
        built(stream, upload(data), output, data.size());
        const Transform on_host(Iterator::pointer(in), OpKind::identity, out, Execution::host());
        std::vector<Out> results(data.size());
        on_host({}, std::span(data), std::span(results), data.size());
        const std::vector<Out> expected = download<Out>(output);
        for (size_t i = 0; i < data.size(); ++i)
            ASSERT_EQ(results[i], expected[i]) << in.name() << " bits " << +data[i] << " to " << out.name();
    }
};

TEST_F(Agreement, RadixSortOrdersNansAndZerosAlike) {
    for (const SortOrder order : {SortOrder::ascending, SortOrder::descending}) {
        expect_same_order<uint32_t>(TypeKind::float32, order, {});
        expect_same_order<uint16_t>(TypeKind::float16, order, {});
    }
    expect_same_order<uint16_t>(TypeKind::bfloat16, SortOrder::ascending, {});
    expect_same_order<uint64_t>(TypeKind::float64, SortOrder::descending, {});
}

TEST_F(Agreement, RadixSortComparesTheSameBits) {
    expect_same_order<uint32_t>(TypeKind::float32, SortOrder::descending, {3, 21});
    expect_same_order<uint32_t>(TypeKind::int32, SortOrder::ascending, {20, 32});
    expect_same_order<uint16_t>(TypeKind::int16, SortOrder::descending, {0, 11});
}

TEST_F(Agreement, HalvesAreComputedAndRoundedAlike) {
    // NaNs have many bit patterns: they are compared by what is not one.
    const auto numbers = [](uint32_t seed) {
        std::vector<uint16_t> bits = test::random_elements<uint16_t>(4000, seed);
        for (uint16_t& half : bits) {
            if ((half & 0x7c00U) == 0x7c00U) half = static_cast<uint16_t>(half & 0x83ffU);
        }
        return bits;
    };
    for (const char* const op : {"plus", "minus", "multiplies"}) {
        expect_same_results<uint16_t, uint16_t>(Type(TypeKind::float16), Type(TypeKind::float16), std::string(op),
                                                numbers(1), numbers(2));
    }
    expect_same_results<uint16_t, uint16_t>(Type(TypeKind::bfloat16), Type(TypeKind::bfloat16), OpKind::plus,
                                            numbers(3), numbers(4));
    expect_same_results<uint16_t, uint8_t>(Type(TypeKind::float16), Type(TypeKind::boolean), OpKind::less, numbers(1),
                                           numbers(2));
}

TEST_F(Agreement, ElementsAreConvertedAlike) {
    const std::vector<uint32_t> floats = [] {
        std::vector<uint32_t> bits = test::random_elements<uint32_t>(4000);
        for (uint32_t& number : bits)  // in the range of a half, and of subnormal halves
            number = (number & 0x807fffffU) | (100 + number % 45) << 23;
        return bits;
    }();
    expect_same_conversion<uint32_t, uint16_t>(Type(TypeKind::float32), Type(TypeKind::float16), floats);
    expect_same_conversion<uint32_t, uint16_t>(Type(TypeKind::float32), Type(TypeKind::bfloat16), floats);
    expect_same_conversion<uint32_t, int32_t>(Type(TypeKind::float32), Type(TypeKind::int32), floats);
    std::vector<uint64_t> doubles = test::random_elements<uint64_t>(4000);
    for (uint64_t& number : doubles)
        number = (number & 0x800fffffffffffffU) | (1000 + number % 40) << 52;
    // A little beside the middle between two halves, and between two bfloat16: rounded to float first, in the middle.
    for (const double beside : {1 + 0x1p-11 + 0x1p-40, -1 - 0x1p-11 - 0x1p-40, 1 + 3 * 0x1p-11 - 0x1p-40,
                                1 + 0x1p-8 + 0x1p-40, 1 + 3 * 0x1p-8 - 0x1p-40})
        doubles.push_back(std::bit_cast<uint64_t>(beside));
    expect_same_conversion<uint64_t, uint16_t>(Type(TypeKind::float64), Type(TypeKind::float16), doubles);
    expect_same_conversion<uint64_t, uint16_t>(Type(TypeKind::float64), Type(TypeKind::bfloat16), doubles);
    std::vector<uint16_t> halves(65536);
    for (size_t i = 0; i < halves.size(); ++i)
        halves[i] = static_cast<uint16_t>((i & 0x7c00U) == 0x7c00U ? i & 0xfc00U : i);  // without NaNs
    expect_same_conversion<uint16_t, uint32_t>(Type(TypeKind::float16), Type(TypeKind::float32), halves);
    expect_same_conversion<uint16_t, int8_t>(Type(TypeKind::int16), Type(TypeKind::int8), halves);
}

TEST_F(Agreement, ShufflesAreTheSame) {
    const Type number = Type::of<int64_t>();
    const Transform on_device(Iterator::shuffle(1, 0), OpKind::identity, number);
    const Transform on_host(Iterator::shuffle(1, 0), OpKind::identity, number, Execution::host());
    for (const uint64_t n :
         {uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{1000}, uint64_t{1} << 40, (uint64_t{1} << 62) - 1}) {
        const Iterator order = Iterator::shuffle(n, n * 0x123456789);
        std::vector<int64_t> expected(2000);
        on_host({}, order, expected, expected.size());
        const core::Buffer result = memory_for<int64_t>(expected.size());
        on_device(stream, order, result, expected.size());
        EXPECT_EQ(download<int64_t>(result), expected) << "of " << n;
    }
}

TEST_F(Agreement, MemoryOfTheOtherKindIsRefused) {
    const Reduce on_host(Iterator::pointer(Type::of<float>()), OpKind::plus, Type::of<float>(), Execution::host());
    const Reduce for_device(Iterator::pointer(Type::of<float>()), OpKind::plus, Type::of<float>());
    const core::Buffer buffer = memory_for<float>(10);
    float data = 0;
    const auto reason = [](auto call) -> std::string {
        try {
            call();
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "taken";
    };
    EXPECT_THAT(reason([&] { on_host({}, buffer, &data, 1, 0.0F); }), HasSubstr("input"));
    // A bare address of the device is known to the driver.
    EXPECT_THAT(reason([&] { on_host({}, &data, buffer.handle() + 4, 1, 0.0F); }),
                testing::AllOf(HasSubstr("output"), HasSubstr("device memory")));
    EXPECT_THAT(reason([&] { on_host(stream, &data, &data, 1, 0.0F); }), HasSubstr("stream"));
    EXPECT_THAT(reason([&] { for_device(stream, &data, buffer, 1, 0.0F); }),
                testing::AllOf(HasSubstr("input"), HasSubstr("host memory")));
    CallOptions options;
    options.temp_storage = buffer;
    EXPECT_THAT(reason([&] { on_host({}, &data, &data, 1, 0.0F, options); }), HasSubstr("temporary storage"));
}

}  // namespace
}  // namespace cuprum::parallel
