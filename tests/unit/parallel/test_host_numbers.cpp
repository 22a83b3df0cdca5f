// The library with the algorithms on the host's cores goes by the numbers of TypeKind and OpKind.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <tuple>

#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/type.hpp"
#include "operators.hpp"

namespace cuprum::parallel {
namespace {

template <class T>
constexpr TypeKind kind_on_the_host = static_cast<TypeKind>(host::number_of<T>());

static_assert(kind_on_the_host<bool> == TypeKind::boolean);
static_assert(kind_on_the_host<int8_t> == TypeKind::int8);
static_assert(kind_on_the_host<int16_t> == TypeKind::int16);
static_assert(kind_on_the_host<int32_t> == TypeKind::int32);
static_assert(kind_on_the_host<int64_t> == TypeKind::int64);
static_assert(kind_on_the_host<uint8_t> == TypeKind::uint8);
static_assert(kind_on_the_host<uint16_t> == TypeKind::uint16);
static_assert(kind_on_the_host<uint32_t> == TypeKind::uint32);
static_assert(kind_on_the_host<uint64_t> == TypeKind::uint64);
static_assert(kind_on_the_host<host::Half> == TypeKind::float16);
static_assert(kind_on_the_host<host::BFloat16> == TypeKind::bfloat16);
static_assert(kind_on_the_host<float> == TypeKind::float32);
static_assert(kind_on_the_host<double> == TypeKind::float64);
static_assert(kind_on_the_host<std::complex<float>> == TypeKind::complex64);
static_assert(kind_on_the_host<std::complex<double>> == TypeKind::complex128);
static_assert(kind_on_the_host<int128> == TypeKind::int128);
static_assert(kind_on_the_host<uint128> == TypeKind::uint128);
static_assert(host::type_count == static_cast<int32_t>(TypeKind::structure));
static_assert(std::tuple_size_v<host::Types> == host::type_count);

constexpr bool is_same_number(host::Op on_the_host, OpKind kind) {
    return static_cast<OpKind>(on_the_host) == kind;
}

static_assert(is_same_number(host::plus, OpKind::plus) && is_same_number(host::minus, OpKind::minus));
static_assert(is_same_number(host::multiplies, OpKind::multiplies) && is_same_number(host::divides, OpKind::divides));
static_assert(is_same_number(host::modulus, OpKind::modulus) && is_same_number(host::minimum, OpKind::minimum));
static_assert(is_same_number(host::maximum, OpKind::maximum) && is_same_number(host::bit_and, OpKind::bit_and));
static_assert(is_same_number(host::bit_or, OpKind::bit_or) && is_same_number(host::bit_xor, OpKind::bit_xor));
static_assert(is_same_number(host::logical_and, OpKind::logical_and));
static_assert(is_same_number(host::logical_or, OpKind::logical_or));
static_assert(is_same_number(host::equal_to, OpKind::equal_to));
static_assert(is_same_number(host::not_equal_to, OpKind::not_equal_to));
static_assert(is_same_number(host::less, OpKind::less) && is_same_number(host::less_equal, OpKind::less_equal));
static_assert(is_same_number(host::greater, OpKind::greater));
static_assert(is_same_number(host::greater_equal, OpKind::greater_equal));
static_assert(is_same_number(host::identity, OpKind::identity) && is_same_number(host::negate, OpKind::negate));
static_assert(is_same_number(host::logical_not, OpKind::logical_not));
static_assert(is_same_number(host::bit_not, OpKind::bit_not));
static_assert(host::first_unary_op == static_cast<int32_t>(OpKind::identity));

TEST(HostNumbersTest, EachOperatorHasANameAndTheirCountIsTheHosts) {
    for (int32_t number = 0; number < host::op_count; ++number) {
        EXPECT_NE(to_string(static_cast<OpKind>(number)), "unknown") << number;
    }
    EXPECT_EQ(to_string(static_cast<OpKind>(host::op_count)), "unknown");
}

}  // namespace
}  // namespace cuprum::parallel
