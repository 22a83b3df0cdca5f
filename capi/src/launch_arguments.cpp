#include "launch_arguments.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "cuprum/pathfinder/error.hpp"
#include "float16.hpp"

namespace cuprum::capi {

namespace {

static_assert(std::endian::native == std::endian::little, "a value's low bytes are taken from its start");

// One argument on its way: what is needed to name it in an error.
struct Target {
    const std::string& kernel_name;
    size_t position;
    uint64_t width;  // bytes
};

std::string bytes(uint64_t count) {
    return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

std::string text_of(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

[[noreturn]] void mismatch(const std::string& kernel_name, int32_t position, std::string detail, std::string advice) {
    ErrorInfo info;
    info.status = Status::argument_mismatch;
    info.operation = "launching";
    info.object = "kernel '" + kernel_name + "'";
    info.detail = std::move(detail);
    info.advice = std::move(advice);
    throw ArgumentMismatch(std::move(info), position);
}

[[noreturn]] void mismatch(const Target& target, const std::string& given, std::string advice = {}) {
    mismatch(target.kernel_name, static_cast<int32_t>(target.position),
             "argument " + std::to_string(target.position) + " (counted from 0) takes " + bytes(target.width) +
                 ", given: " + given,
             std::move(advice));
}

[[noreturn]] void wrong_count(const std::string& kernel_name, std::span<const core::KernelArgumentInfo> parameters,
                              size_t given) {
    std::string text =
        "the kernel takes " + std::to_string(parameters.size()) + (parameters.size() == 1 ? " argument" : " arguments");
    for (size_t position = 0; position < parameters.size(); ++position) {
        text += (position == 0 ? " (of " : ", ") + std::to_string(parameters[position].size);
    }
    text += parameters.empty() ? ", " : " bytes), ";
    mismatch(kernel_name, -1, text + std::to_string(given) + " given", "");
}

bool is_integer_width(uint64_t width) {
    return width == 1 || width == 2 || width == 4 || width == 8;
}

void require_integer_width(const Target& target, const std::string& value) {
    if (!is_integer_width(target.width)) {
        mismatch(target, "the integer " + value,
                 "an integer takes 1, 2, 4 or 8 bytes; give a struct as CUPRUM_ARGUMENT_BYTES");
    }
}

[[noreturn]] void out_of_range(const Target& target, const std::string& value, const std::string& low,
                               const std::string& high) {
    mismatch(target, "the integer " + value + ", which is not in the range " + low + " to " + high);
}

// A parameter has no signedness that the driver would tell: what fits either reading is taken.
uint64_t from_signed(const Target& target, int64_t value) {
    require_integer_width(target, std::to_string(value));
    if (target.width < 8) {
        const auto bits = static_cast<int32_t>(target.width * 8);
        const int64_t low = -(int64_t{1} << (bits - 1));
        const int64_t high = (int64_t{1} << bits) - 1;
        if (value < low || value > high) {
            out_of_range(target, std::to_string(value), std::to_string(low), std::to_string(high));
        }
    }
    return static_cast<uint64_t>(value);
}

uint64_t from_unsigned(const Target& target, uint64_t value) {
    require_integer_width(target, std::to_string(value));
    if (target.width < 8) {
        const uint64_t high = (uint64_t{1} << (target.width * 8)) - 1;
        if (value > high) {
            out_of_range(target, std::to_string(value), "0", std::to_string(high));
        }
    }
    return value;
}

uint64_t from_float(const Target& target, double value) {
    switch (target.width) {
        case 2: {
            const uint16_t half = to_float16(value);
            if (std::isfinite(value) && (half & 0x7C00) == 0x7C00) {
                mismatch(target,
                         "the real number " + text_of(value) + ", which is not in the range of float16 (65504)");
            }
            return half;
        }
        case 4: {
            const auto single = static_cast<float>(value);
            if (std::isfinite(value) && std::isinf(single)) {
                mismatch(target,
                         "the real number " + text_of(value) + ", which is not in the range of float32 (3.4e38)");
            }
            return std::bit_cast<uint32_t>(single);
        }
        case 8:
            return std::bit_cast<uint64_t>(value);
        default:
            mismatch(target, "the real number " + text_of(value),
                     "a real number takes 2, 4 or 8 bytes; give a struct as CUPRUM_ARGUMENT_BYTES");
    }
}

void require_address_width(const Target& target, const char* given) {
    if (target.width != sizeof(core::DevicePointer)) {
        mismatch(target, std::string(given) + ", an address of 8 bytes");
    }
}

}  // namespace

LaunchArguments::LaunchArguments(const Call& call, const std::string& kernel_name,
                                 std::span<const core::KernelArgumentInfo> parameters,
                                 std::span<const cuprum_argument> given) {
    if (given.size() != parameters.size()) {
        wrong_count(kernel_name, parameters, given.size());
    }
    std::span<uint64_t> values(inline_values_);
    arguments_ = inline_arguments_;
    if (given.size() > inline_capacity) {
        more_arguments_.resize(given.size());
        more_values_.resize(given.size());
        arguments_ = more_arguments_;
        values = more_values_;
    }
    arguments_ = arguments_.first(given.size());

    for (size_t position = 0; position < given.size(); ++position) {
        const cuprum_argument& argument = given[position];
        const Target target{kernel_name, position, parameters[position].size};
        uint64_t& value = values[position];
        arguments_[position] = {&value, static_cast<uint32_t>(target.width)};
        switch (argument.kind) {
            case CUPRUM_ARGUMENT_BYTES:
                if (argument.size != target.width) {
                    mismatch(target, bytes(argument.size));
                }
                if (argument.size != 0 && argument.value.bytes == nullptr) {
                    call.refuse("arguments", "argument " + std::to_string(position) + ": value.bytes is NULL");
                }
                arguments_[position].data = argument.value.bytes;
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
                require_address_width(target, "a buffer");
                value = call.number_of(argument.value.buffer, "arguments", static_cast<int32_t>(position));
                break;
            case CUPRUM_ARGUMENT_POINTER:
                require_address_width(target, "a device address");
                value = argument.value.u64;
                break;
            default:
                call.refuse("arguments", "argument " + std::to_string(position) + " is of kind " +
                                             std::to_string(argument.kind) +
                                             "; expected one of CUPRUM_ARGUMENT_* (1 to 6)");
        }
    }
}

}  // namespace cuprum::capi
