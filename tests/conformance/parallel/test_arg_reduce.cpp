#include <algorithm>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using test::Parallel;
using test::Point;
using test::random_elements;
using test::sizes;

class Extremes : public Parallel {
protected:
    template <class T>
    Indexed<T> find(const ArgReduce& arg, const std::vector<T>& elements) const {
        const core::Buffer output = memory_for<Indexed<T>>(1);
        arg(stream, upload(elements), output, elements.size());
        return download_one<Indexed<T>>(output);
    }
};

TEST_F(Extremes, AreFoundWithTheirFirstPosition) {
    const ArgReduce smallest(ArgKind::minimum, Iterator::pointer(Type::of<float>()));
    const ArgReduce largest(ArgKind::maximum, Iterator::pointer(Type::of<int16_t>()));
    for (const uint64_t count : sizes()) {
        if (count == 0) continue;
        const std::vector<float> floats = random_elements<float>(count);
        const auto least = std::min_element(floats.begin(), floats.end());
        EXPECT_EQ(find(smallest, floats), (Indexed<float>{least - floats.begin(), *least})) << count;
        const std::vector<int16_t> shorts = random_elements<int16_t>(count);
        const auto most = std::max_element(shorts.begin(), shorts.end());
        EXPECT_EQ(find(largest, shorts), (Indexed<int16_t>{most - shorts.begin(), *most})) << count;
    }
}

TEST_F(Extremes, AreTheFirstNaNWhereThereIsOne) {
    const ArgReduce smallest(ArgKind::minimum, Iterator::pointer(Type::of<float>()));
    std::vector<float> elements = random_elements<float>(20011);
    elements[15000] = elements[700] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(find(smallest, elements).index, 700);
    elements[0] = -std::numeric_limits<float>::infinity();
    EXPECT_EQ(find(smallest, elements).index, 700);
}

// As bytes, so that half and bfloat16, which the host has no type for, are among them.
struct LastValue {
    TypeKind type;
    ArgKind kind;
    uint64_t bits;
};

TEST_F(Extremes, AreFoundWhereAllElementsHaveTheValueThatComesLast) {
    const LastValue cases[] = {
        {TypeKind::boolean, ArgKind::minimum, 1},
        {TypeKind::int8, ArgKind::maximum, 0x80},
        {TypeKind::int16, ArgKind::minimum, 0x7fff},
        {TypeKind::int64, ArgKind::maximum, uint64_t{1} << 63},
        {TypeKind::uint16, ArgKind::minimum, 0xffff},
        {TypeKind::float16, ArgKind::maximum, 0xfc00},
        {TypeKind::bfloat16, ArgKind::minimum, 0x7f80},
        {TypeKind::float32, ArgKind::minimum, 0x7f80'0000},
        {TypeKind::float64, ArgKind::maximum, 0xfff0'0000'0000'0000},
    };
    for (const LastValue& expected : cases) {
        const Type type(expected.type);
        const ArgReduce arg(expected.kind, Iterator::pointer(type));
        std::vector<std::byte> elements(3 * type.size());
        for (size_t i = 0; i < 3; ++i)
            std::memcpy(&elements[i * type.size()], &expected.bits, type.size());
        const core::Buffer output = memory_for<std::byte>(arg.result_type().size());
        arg(stream, upload(elements), output, 3);
        const std::vector<std::byte> result = download<std::byte>(output);
        int64_t index = -1;
        std::memcpy(&index, result.data(), sizeof(index));
        EXPECT_EQ(index, 0) << type.name() << (expected.kind == ArgKind::minimum ? ", minimum" : ", maximum");
        EXPECT_EQ(std::memcmp(&result[arg.result_type().fields().back().offset], elements.data(), type.size()), 0)
            << type.name();
    }
}

TEST_F(Extremes, OfNothingAreNowhere) {
    const ArgReduce smallest(ArgKind::minimum, Iterator::pointer(Type::of<float>()));
    EXPECT_EQ(find(smallest, std::vector<float>()), (Indexed<float>{-1, 0.0F}));
    EXPECT_THROW(ArgReduce(ArgKind::minimum, Iterator::pointer(Type::of<Point>())), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
