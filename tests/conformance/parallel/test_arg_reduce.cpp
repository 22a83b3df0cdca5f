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
}

TEST_F(Extremes, OfNothingAreNowhere) {
    const ArgReduce smallest(ArgKind::minimum, Iterator::pointer(Type::of<float>()));
    EXPECT_EQ(find(smallest, std::vector<float>()).index, -1);
    EXPECT_THROW(ArgReduce(ArgKind::minimum, Iterator::pointer(Type::of<Point>())), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
