#include "launch_arguments.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "cuprum/core/error.hpp"
#include "float16.hpp"

namespace cuprum::capi {

namespace {

static_assert(std::endian::native == std::endian::little, "a value's low bytes are taken from its start");

// One argument on its way: what is needed to check it, and to name it in an error.
struct Target {
    const core::ArgumentCheck& check;
    size_t position;
    const core::KernelArgumentInfo& parameter;
    uint64_t width() const { return parameter.size; }  // bytes
};

std::string text_of(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

[[noreturn]] void mismatch(const Target& target, const std::string& given, std::string advice = {}) {
    target.check.refuse(target.position, given, std::move(advice));
}

// Refuses an argument whose kind is not the parameter's. `given` makes the text of the argument.
template <class Describe>
void require_kind(const Target& target, core::ArgumentKind kind, const Describe& given) {
    if (!core::takes(target.parameter.kind, kind)) [[unlikely]] {
        mismatch(target, given(), core::advice_for_argument(target.parameter.kind, kind));
    }
}

bool is_integer_width(uint64_t width) {
    return width == 1 || width == 2 || width == 4 || width == 8;
}

template <class Integer>
void require_integer_width(const Target& target, Integer value) {
    if (!is_integer_width(target.width())) {
        mismatch(target, "the integer " + std::to_string(value),
                 "an integer takes 1, 2, 4 or 8 bytes; give a struct as CUPRUM_ARGUMENT_BYTES");
    }
}

[[noreturn]] void out_of_range(const Target& target, const std::string& value, const std::string& low,
                               const std::string& high) {
    mismatch(target, "the integer " + value + ", which is not in the range " + low + " to " + high);
}

// The bits of a real number in the parameter's format.
uint64_t from_float(const Target& target, double value) {
    const auto given = [value] { return "the real number " + text_of(value); };
    if (target.parameter.kind == core::ArgumentKind::bfloat16) {
        const uint16_t bits = to_bfloat16(value);
        if (std::isfinite(value) && (bits & 0x7F80) == 0x7F80) {
            mismatch(target, given() + ", which is not in the range of bfloat16 (3.4e38)");
        }
        return bits;
    }
    require_kind(target, core::ArgumentKind::floating_point, given);
    switch (target.width()) {
        case 2: {
            const uint16_t half = to_float16(value);
            if (std::isfinite(value) && (half & 0x7C00) == 0x7C00) {
                mismatch(target, given() + ", which is not in the range of float16 (65504)");
            }
            return half;
        }
        case 4: {
            const auto single = static_cast<float>(value);
            if (std::isfinite(value) && std::isinf(single)) {
                mismatch(target, given() + ", which is not in the range of float32 (3.4e38)");
            }
            return std::bit_cast<uint32_t>(single);
        }
        case 8:
            return std::bit_cast<uint64_t>(value);
        default:
            mismatch(target, given(), "a real number takes 2, 4 or 8 bytes; give a struct as CUPRUM_ARGUMENT_BYTES");
    }
}

// Whether a number given as an integer is converted, as C does for a parameter of such a type.
bool is_real(core::ArgumentKind parameter) {
    return parameter == core::ArgumentKind::floating_point || parameter == core::ArgumentKind::bfloat16;
}

// An integer for a real parameter of `width` bytes, so that rounding it to the parameter's format rounds but once.
template <class Integer>
double to_real(Integer value, uint64_t width) {
    if (width == 8) return static_cast<double>(value);
    const bool is_negative = value < 0;
    auto magnitude = is_negative ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    // The 11 bits that a double may have no room for become one that says whether there was any: narrower formats end
    // far above it, and only ask on which side of a tie the number lies.
    if ((magnitude >> 53) != 0) magnitude = (magnitude >> 11 << 11) | ((magnitude & 0x7FF) != 0 ? 0x800U : 0U);
    const auto real = static_cast<double>(magnitude);
    return is_negative ? -real : real;
}

// The signedness of a parameter is not asked for: what fits either reading is taken.
uint64_t from_signed(const Target& target, int64_t value) {
    if (is_real(target.parameter.kind)) return from_float(target, to_real(value, target.width()));
    if (target.parameter.kind == core::ArgumentKind::boolean) return value != 0 ? 1 : 0;
    require_integer_width(target, value);
    if (target.width() < 8) {
        const auto bits = static_cast<int32_t>(target.width() * 8);
        const int64_t low = -(int64_t{1} << (bits - 1));
        const int64_t high = (int64_t{1} << bits) - 1;
        if (value < low || value > high) {
            out_of_range(target, std::to_string(value), std::to_string(low), std::to_string(high));
        }
    }
    return static_cast<uint64_t>(value);
}

uint64_t from_unsigned(const Target& target, uint64_t value) {
    if (is_real(target.parameter.kind)) return from_float(target, to_real(value, target.width()));
    if (target.parameter.kind == core::ArgumentKind::boolean) return value != 0 ? 1 : 0;
    require_integer_width(target, value);
    if (target.width() < 8) {
        const uint64_t high = (uint64_t{1} << (target.width() * 8)) - 1;
        if (value > high) {
            out_of_range(target, std::to_string(value), "0", std::to_string(high));
        }
    }
    return value;
}

core::ArgumentKind kind_of_bytes(int32_t kind) {
    if (kind == CUPRUM_ARGUMENT_INT_BYTES) return core::ArgumentKind::integer;
    if (kind == CUPRUM_ARGUMENT_FLOAT_BYTES) return core::ArgumentKind::floating_point;
    return core::ArgumentKind::unknown;
}

void require_address(const Target& target, const char* given) {
    if (target.width() != sizeof(core::DevicePointer)) {
        mismatch(target, std::string(given) + ", an address of 8 bytes");
    }
    require_kind(target, core::ArgumentKind::pointer, [given] { return std::string(given); });
}

}  // namespace

LaunchArguments::LaunchArguments(const Call& call, const core::ArgumentCheck& check,
                                 std::span<const cuprum_argument> given)
    : count_(given.size()) {
    check.require_count(given.size());
    // Not above: g++ 12 takes data() for a use of the array's uninitialised content.
    addresses_ = inline_addresses_.data();  // NOLINT(cppcoreguidelines-prefer-member-initializer)
    uint64_t* values = inline_values_.data();
    if (given.size() > inline_capacity) {
        more_addresses_.resize(given.size());
        more_values_.resize(given.size());
        addresses_ = more_addresses_.data();
        values = more_values_.data();
    }

    for (size_t position = 0; position < given.size(); ++position) {
        const cuprum_argument& argument = given[position];
        const Target target{check, position, check.parameters[position]};
        uint64_t& value = values[position];
        addresses_[position] = &value;
        switch (argument.kind) {
            case CUPRUM_ARGUMENT_BYTES:
            case CUPRUM_ARGUMENT_INT_BYTES:
            case CUPRUM_ARGUMENT_FLOAT_BYTES:
                check.require_type(position, {argument.size, kind_of_bytes(argument.kind)});
                if (argument.value.bytes == nullptr) {
                    call.refuse("arguments", "argument " + std::to_string(position) + ": value.bytes is NULL");
                }
                addresses_[position] = argument.value.bytes;
                break;
            case CUPRUM_ARGUMENT_INT:
                value = from_signed(target, argument.value.i64);
                break;
            case CUPRUM_ARGUMENT_UINT:
                value = from_unsigned(target, argument.value.u64);
                break;
            case CUPRUM_ARGUMENT_FLOAT:
                value = from_float(target, argument.value.f64);
                break;
            case CUPRUM_ARGUMENT_BUFFER:
                require_address(target, "a buffer");
                value = call.number_of(argument.value.buffer, "arguments", static_cast<int32_t>(position));
                break;
            case CUPRUM_ARGUMENT_POINTER:
                require_address(target, "a device address");
                value = argument.value.u64;
                break;
            default:
                call.refuse("arguments", "argument " + std::to_string(position) + " is of kind " +
                                             std::to_string(argument.kind) +
                                             "; expected one of CUPRUM_ARGUMENT_* (1 to 8)");
        }
    }
}

}  // namespace cuprum::capi
