#include "launch_arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "count_allocations.hpp"
#include "cuprum/core/error.hpp"
#include "fake_driver.hpp"

namespace cuprum::capi {
namespace {

using testing::AllOf;
using testing::HasSubstr;

cuprum_argument of_bytes(const void* bytes, uint32_t size) {
    cuprum_argument argument{CUPRUM_ARGUMENT_BYTES, size, {}};
    argument.value.bytes = bytes;
    return argument;
}
cuprum_argument of_int(int64_t value) {
    cuprum_argument argument{CUPRUM_ARGUMENT_INT, 0, {}};
    argument.value.i64 = value;
    return argument;
}
cuprum_argument of_uint(uint64_t value) {
    cuprum_argument argument{CUPRUM_ARGUMENT_UINT, 0, {}};
    argument.value.u64 = value;
    return argument;
}
cuprum_argument of_float(double value) {
    cuprum_argument argument{CUPRUM_ARGUMENT_FLOAT, 0, {}};
    argument.value.f64 = value;
    return argument;
}
cuprum_argument of_buffer(cuprum_buffer value) {
    cuprum_argument argument{CUPRUM_ARGUMENT_BUFFER, 0, {}};
    argument.value.buffer = value;
    return argument;
}
cuprum_argument of_pointer(uint64_t value) {
    cuprum_argument argument{CUPRUM_ARGUMENT_POINTER, 0, {}};
    argument.value.u64 = value;
    return argument;
}

const Call call("cuprum_launch");

core::ArgumentCheck check_of(std::span<const core::KernelArgumentInfo> parameters) {
    return {"saxpy", 0, parameters};
}

std::vector<core::KernelArgumentInfo> parameters_of(const std::vector<uint64_t>& sizes) {
    std::vector<core::KernelArgumentInfo> result;
    uint64_t offset = 0;
    for (const uint64_t size : sizes) {
        result.push_back({offset, size});
        offset += size;
    }
    return result;
}

// The bytes that a parameter of that width receives, as a number.
uint64_t received(uint64_t width, const cuprum_argument& argument) {
    const auto parameters = parameters_of({width});
    const LaunchArguments converted(call, check_of(parameters), {&argument, 1});
    EXPECT_EQ(converted.addresses().size(), 1u);
    uint64_t value = 0;
    std::memcpy(&value, converted.addresses()[0], width);
    return value;
}

// A lone argument that the parameter cannot take; the error's text must match.
void expect_mismatch(uint64_t width, const cuprum_argument& argument, const testing::Matcher<std::string>& matcher) {
    const auto parameters = parameters_of({width});
    try {
        const LaunchArguments converted(call, check_of(parameters), {&argument, 1});
        ADD_FAILURE() << "a parameter of " << width << " bytes took it";
    } catch (const ArgumentMismatch& error) {
        EXPECT_THAT(std::string(error.what()), matcher);
        EXPECT_EQ(error.status(), Status::argument_mismatch);
        EXPECT_EQ(error.position(), 0);
    }
}

TEST(LaunchArgumentsTest, AnIntegerTakesTheParametersWidth) {
    EXPECT_EQ(received(1, of_int(-2)), 0xFEu);
    EXPECT_EQ(received(2, of_int(-2)), 0xFFFEu);
    EXPECT_EQ(received(4, of_int(-2)), 0xFFFFFFFEu);
    EXPECT_EQ(received(8, of_int(-2)), 0xFFFFFFFFFFFFFFFEu);
    EXPECT_EQ(received(8, of_uint(0xFFFFFFFF00000001)), 0xFFFFFFFF00000001u);
    EXPECT_EQ(received(8, of_int(static_cast<int64_t>(0xFFFFFFFF00000001))), 0xFFFFFFFF00000001u);
    EXPECT_EQ(received(8, of_pointer(0xFFFFFFFF00000001)), 0xFFFFFFFF00000001u);
}

TEST(LaunchArgumentsTest, TheBoundsOfEveryWidthAreTakenAndWhatLiesBeyondIsNot) {
    for (const uint64_t width : {1, 2, 4}) {
        const auto bits = static_cast<int>(8 * width);
        const int64_t lowest = -(int64_t{1} << (bits - 1));
        const int64_t highest = (int64_t{1} << bits) - 1;
        EXPECT_EQ(received(width, of_int(lowest)), uint64_t{1} << (bits - 1));
        EXPECT_EQ(received(width, of_int(highest)), static_cast<uint64_t>(highest));
        EXPECT_EQ(received(width, of_uint(static_cast<uint64_t>(highest))), static_cast<uint64_t>(highest));
        expect_mismatch(width, of_int(lowest - 1), HasSubstr(std::to_string(lowest - 1)));
        expect_mismatch(width, of_int(highest + 1), HasSubstr(std::to_string(highest + 1)));
        expect_mismatch(width, of_uint(static_cast<uint64_t>(highest) + 1),
                        HasSubstr("0 to " + std::to_string(highest)));
    }
}

TEST(LaunchArgumentsTest, AnIntegerOutOfRangeIsNamedWithPositionValueAndRange) {
    const auto parameters = parameters_of({4, 2});
    const std::vector<cuprum_argument> given = {of_int(1), of_int(70000)};
    try {
        const LaunchArguments converted(call, check_of(parameters), given);
        FAIL() << "it was taken";
    } catch (const ArgumentMismatch& error) {
        EXPECT_EQ(error.position(), 1);
        EXPECT_THAT(std::string(error.what()), AllOf(HasSubstr("saxpy"), HasSubstr("argument 1"), HasSubstr("70000"),
                                                     HasSubstr("-32768 to 65535"), HasSubstr("2 bytes")));
    }
}

TEST(LaunchArgumentsTest, ARealNumberTakesTheParametersWidth) {
    EXPECT_EQ(received(2, of_float(1.5)), 0x3E00u);
    EXPECT_EQ(received(4, of_float(1.5)), 0x3FC00000u);
    EXPECT_EQ(received(8, of_float(1.5)), 0x3FF8000000000000u);
    EXPECT_EQ(received(4, of_float(0.1)), 0x3DCCCCCDu) << "rounded to the nearest";
    EXPECT_EQ(received(4, of_float(-0.0)), 0x80000000u);
    EXPECT_EQ(received(4, of_float(1e-60)), 0u) << "too small is zero";
}

TEST(LaunchArgumentsTest, InfinitiesAndNaNArePassedOn) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(received(2, of_float(infinity)), 0x7C00u);
    EXPECT_EQ(received(2, of_float(-infinity)), 0xFC00u);
    EXPECT_EQ(received(4, of_float(-infinity)), 0xFF800000u);
    EXPECT_EQ(received(8, of_float(infinity)), 0x7FF0000000000000u);
    EXPECT_EQ(received(2, of_float(std::nan(""))) & 0x7E00, 0x7E00u);
    EXPECT_EQ(received(4, of_float(std::nan(""))) & 0x7FC00000, 0x7FC00000u);
}

TEST(LaunchArgumentsTest, AFiniteNumberNeverBecomesAnInfinity) {
    const double highest_float = std::numeric_limits<float>::max();
    EXPECT_EQ(received(4, of_float(highest_float)), 0x7F7FFFFFu);
    expect_mismatch(4, of_float(highest_float * 1.01), AllOf(HasSubstr("argument 0"), HasSubstr("float32")));
    expect_mismatch(4, of_float(-1e300), HasSubstr("-1.0000000000000001e+300"));
    EXPECT_EQ(received(2, of_float(65504)), 0x7BFFu);
    EXPECT_EQ(received(2, of_float(65519)), 0x7BFFu) << "rounds down";
    expect_mismatch(2, of_float(65520), AllOf(HasSubstr("65520"), HasSubstr("float16")));
}

TEST(LaunchArgumentsTest, NumbersNeedAWidthThatNumbersHave) {
    expect_mismatch(3, of_int(1), AllOf(HasSubstr("takes 3 bytes"), HasSubstr("CUPRUM_ARGUMENT_BYTES")));
    expect_mismatch(16, of_uint(1), HasSubstr("takes 16 bytes"));
    expect_mismatch(1, of_float(1), HasSubstr("takes 1 byte,"));
    expect_mismatch(12, of_float(1), HasSubstr("takes 12 bytes"));
}

// What a parameter of that kind and type receives.
uint64_t received(const core::KernelArgumentInfo& parameter, const cuprum_argument& argument) {
    const LaunchArguments converted(call, check_of({&parameter, 1}), {&argument, 1});
    uint64_t value = 0;
    std::memcpy(&value, converted.addresses()[0], parameter.size);
    return value;
}

void expect_mismatch(const core::KernelArgumentInfo& parameter, const cuprum_argument& argument,
                     const testing::Matcher<std::string>& matcher) {
    try {
        const LaunchArguments converted(call, check_of({&parameter, 1}), {&argument, 1});
        ADD_FAILURE() << "it was taken";
    } catch (const ArgumentMismatch& error) {
        EXPECT_THAT(std::string(error.what()), matcher);
        EXPECT_EQ(error.position(), 0);
    }
}

using core::ArgumentKind;
const core::KernelArgumentInfo half_parameter{0, 2, ArgumentKind::floating_point, "__half"};
const core::KernelArgumentInfo bfloat16_parameter{0, 2, ArgumentKind::bfloat16, "__nv_bfloat16"};
const core::KernelArgumentInfo float_parameter{0, 4, ArgumentKind::floating_point, "float"};
const core::KernelArgumentInfo double_parameter{0, 8, ArgumentKind::floating_point, "double"};
const core::KernelArgumentInfo int_parameter{0, 4, ArgumentKind::integer, "int"};
const core::KernelArgumentInfo long_parameter{0, 8, ArgumentKind::integer, "long"};
const core::KernelArgumentInfo bool_parameter{0, 1, ArgumentKind::boolean, "bool"};
const core::KernelArgumentInfo pointer_parameter{0, 8, ArgumentKind::pointer, "float*"};
const core::KernelArgumentInfo ptx_u64_parameter{0, 8, ArgumentKind::integer_or_pointer, ""};

TEST(LaunchArgumentsTest, AnIntegerForARealParameterIsConvertedAsInC) {
    EXPECT_EQ(received(half_parameter, of_int(2)), 0x4000u);
    EXPECT_EQ(received(bfloat16_parameter, of_int(2)), 0x4000u);
    EXPECT_EQ(received(float_parameter, of_int(2)), 0x40000000u);
    EXPECT_EQ(received(float_parameter, of_int(-3)), 0xC0400000u);
    EXPECT_EQ(received(double_parameter, of_uint(3)), 0x4008000000000000u);
    EXPECT_EQ(received(float_parameter, of_int(16777217)), std::bit_cast<uint32_t>(16777216.0F)) << "to the nearest";
    EXPECT_EQ(received(float_parameter, of_uint(~uint64_t{0})), std::bit_cast<uint32_t>(18446744073709551616.0F));
    EXPECT_EQ(received(float_parameter, of_int(INT64_MIN)), std::bit_cast<uint32_t>(-9223372036854775808.0F));
    expect_mismatch(half_parameter, of_int(70000), AllOf(HasSubstr("70000"), HasSubstr("float16")));
}

TEST(LaunchArgumentsTest, AnIntegerForARealParameterIsRoundedOnce) {
    // Just above half way between two floats: rounded to a double first, it would be the half way, and then even.
    const int64_t above_half_way = (int64_t{1} << 62) + (int64_t{1} << 38) + 1;
    EXPECT_EQ(received(float_parameter, of_int(above_half_way)),
              std::bit_cast<uint32_t>(static_cast<float>(above_half_way)));
    for (int64_t n = 1; n < (int64_t{1} << 62); n = n * 3 + 1) {
        EXPECT_EQ(received(float_parameter, of_int(n)), std::bit_cast<uint32_t>(static_cast<float>(n)));
        EXPECT_EQ(received(double_parameter, of_int(-n)), std::bit_cast<uint64_t>(static_cast<double>(-n)));
    }
}

TEST(LaunchArgumentsTest, ARealNumberBecomesABfloat16WhereThatIsKnown) {
    EXPECT_EQ(received(bfloat16_parameter, of_float(1.5)), 0x3FC0u);
    EXPECT_EQ(received(bfloat16_parameter, of_float(1.00390625)), 0x3F80u) << "ties to even";
    EXPECT_EQ(received(bfloat16_parameter, of_float(1e38)), 0x7E96u);
    EXPECT_EQ(received(bfloat16_parameter, of_float(-1e-40)), 0x8001u) << "subnormal";
    EXPECT_EQ(received(bfloat16_parameter, of_float(std::nan(""))), 0x7FC0u);
    expect_mismatch(bfloat16_parameter, of_float(3.4e38), HasSubstr("bfloat16"));
}

TEST(LaunchArgumentsTest, AnyIntegerButZeroIsTrueForABool) {
    EXPECT_EQ(received(bool_parameter, of_int(0)), 0u);
    EXPECT_EQ(received(bool_parameter, of_int(-2)), 1u);
    EXPECT_EQ(received(bool_parameter, of_uint(256)), 1u);
}

TEST(LaunchArgumentsTest, ARealNumberIsNoIntegerAndNoAddress) {
    expect_mismatch(int_parameter, of_float(32),
                    AllOf(HasSubstr("argument 0 (counted from 0) takes int (4 bytes), given: the real number 32"),
                          HasSubstr("give an integer")));
    expect_mismatch(long_parameter, of_float(32), HasSubstr("give an integer"));
    expect_mismatch(pointer_parameter, of_float(1), AllOf(HasSubstr("takes float* (8 bytes)"), HasSubstr("Buffer")));
    expect_mismatch(ptx_u64_parameter, of_float(1), HasSubstr("a pointer or an integer of 8 bytes"));
    expect_mismatch(bool_parameter, of_float(1), HasSubstr("takes bool (1 byte)"));
}

TEST(LaunchArgumentsTest, AnAddressIsForPointersAloneAndAnIntegerIsOne) {
    expect_mismatch(long_parameter, of_pointer(16), AllOf(HasSubstr("a device address"), HasSubstr("order")));
    expect_mismatch(double_parameter, of_pointer(16), HasSubstr("takes double (8 bytes)"));
    EXPECT_EQ(received(pointer_parameter, of_int(4096)), 4096u);
    EXPECT_EQ(received(pointer_parameter, of_pointer(4096)), 4096u);
    EXPECT_EQ(received(ptx_u64_parameter, of_pointer(4096)), 4096u);
}

TEST(LaunchArgumentsTest, BytesOfAKindSayWhatTheyAre) {
    const uint32_t value = 7;
    cuprum_argument argument = of_bytes(&value, 4);
    for (const auto kind : {CUPRUM_ARGUMENT_BYTES, CUPRUM_ARGUMENT_FLOAT_BYTES}) {
        argument.kind = kind;
        const LaunchArguments converted(call, check_of({&float_parameter, 1}), {&argument, 1});
        EXPECT_EQ(converted.addresses()[0], &value);
    }
    argument.kind = CUPRUM_ARGUMENT_INT_BYTES;
    expect_mismatch(float_parameter, argument, HasSubstr("takes float (4 bytes), given: an integer of 4 bytes"));
    EXPECT_TRUE(core::takes(ArgumentKind::unknown, ArgumentKind::pointer));
    EXPECT_FALSE(core::takes(ArgumentKind::floating_point, ArgumentKind::integer));
    EXPECT_TRUE(core::takes(ArgumentKind::boolean, ArgumentKind::integer));
}

TEST(LaunchArgumentsTest, BytesMustBeExactlyTheParametersSize) {
    const unsigned char plain[12] = {1, 2, 3};
    const auto parameters = parameters_of({12});
    const cuprum_argument argument = of_bytes(plain, 12);
    const LaunchArguments converted(call, check_of(parameters), {&argument, 1});
    EXPECT_EQ(converted.addresses()[0], plain) << "read in place";
    expect_mismatch(12, of_bytes(plain, 8), AllOf(HasSubstr("takes 12 bytes"), HasSubstr("given: 8 bytes")));
    expect_mismatch(4, of_bytes(plain, 12), AllOf(HasSubstr("takes 4 bytes"), HasSubstr("given: 12 bytes")));
    EXPECT_THROW(received(8, of_bytes(nullptr, 8)), InvalidArgument);
}

TEST(LaunchArgumentsTest, AddressesNeedEightBytes) {
    expect_mismatch(4, of_pointer(16), HasSubstr("takes 4 bytes"));
    expect_mismatch(4, of_buffer(nullptr), HasSubstr("a buffer"));
}

TEST(LaunchArgumentsTest, ABufferIsItsAddress) {
    const test::FakeDriver driver;
    const auto buffer = call.give<cuprum_buffer>(BufferObject(core::BufferRef::from_handle(0xFFFFFFFF00000001, 4, 0)));
    EXPECT_EQ(received(8, of_buffer(buffer)), 0xFFFFFFFF00000001u);
    call.destroy(buffer, "buffer");
    try {
        received(8, of_buffer(buffer));
        FAIL() << "a destroyed buffer was taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::invalid_handle);
        EXPECT_THAT(std::string(error.what()), AllOf(HasSubstr("a destroyed buffer"), HasSubstr("element 0")));
    }
}

TEST(LaunchArgumentsTest, AWrongCountIsNamed) {
    const auto parameters = parameters_of({4, 8, 8, 4});
    const std::vector<cuprum_argument> given = {of_int(1), of_pointer(0)};
    try {
        const LaunchArguments converted(call, check_of(parameters), given);
        FAIL() << "it was taken";
    } catch (const ArgumentMismatch& error) {
        EXPECT_EQ(error.position(), -1);
        EXPECT_THAT(std::string(error.what()), AllOf(HasSubstr("saxpy"), HasSubstr("takes 4"),
                                                     HasSubstr("of 4, 8, 8, 4 bytes"), HasSubstr("2 given")));
    }
}

TEST(LaunchArgumentsTest, AnUnknownKindIsAnInvalidArgument) {
    cuprum_argument argument = of_int(1);
    argument.kind = 99;
    EXPECT_THROW(received(4, argument), InvalidArgument);
    argument.kind = 0;
    EXPECT_THROW(received(4, argument), InvalidArgument);
}

TEST(LaunchArgumentsTest, ManyArgumentsKeepTheirOrder) {
    for (const size_t count :
         {size_t{0}, size_t{1}, LaunchArguments::inline_capacity, LaunchArguments::inline_capacity + 1, size_t{500}}) {
        const auto parameters = parameters_of(std::vector<uint64_t>(count, 8));
        std::vector<cuprum_argument> given;
        for (size_t index = 0; index < count; ++index) {
            given.push_back(of_uint(index * 0x100000001));
        }
        const LaunchArguments converted(call, check_of(parameters), given);
        ASSERT_EQ(converted.addresses().size(), count);
        for (size_t index = 0; index < count; ++index) {
            uint64_t value = 0;
            std::memcpy(&value, converted.addresses()[index], 8);
            ASSERT_EQ(value, index * 0x100000001);
        }
    }
}

TEST(LaunchArgumentsTest, UpToTheInlineCapacityNothingIsAllocated) {
    const test::FakeDriver driver;
    const auto buffer = call.give<cuprum_buffer>(BufferObject(core::BufferRef::from_handle(4096, 4, 0)));
    const std::vector<uint64_t> sizes(LaunchArguments::inline_capacity, 8);
    const auto parameters = parameters_of(sizes);
    std::vector<cuprum_argument> given(sizes.size(), of_buffer(buffer));
    given[1] = of_int(-1);
    given[2] = of_float(0.5);
    {
        const test::AllocationCount count;
        const LaunchArguments converted(call, check_of(parameters), given);
        EXPECT_EQ(count.so_far(), 0u);
    }
    {
        const test::AllocationCount count;
        const auto more = std::make_unique<int>(1);
        EXPECT_EQ(count.so_far(), 1u) << "the counter counts";
    }
    call.destroy(buffer, "buffer");
}

}  // namespace
}  // namespace cuprum::capi
