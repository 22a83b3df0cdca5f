#include "even_bins.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* operation = "making a histogram";

template <class T>
T read(const void* data) {
    T value;
    std::memcpy(&value, data, sizeof(value));
    return value;
}

double half_to_double(uint16_t bits) {
    const int exponent = bits >> 10 & 0x1f;
    const int mantissa = bits & 0x3ff;
    double value = std::ldexp(mantissa + (exponent == 0 ? 0 : 1024), (exponent == 0 ? 1 : exponent) - 25);
    if (exponent == 0x1f) value = mantissa == 0 ? HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
    return (bits & 0x8000) != 0 ? -value : value;
}

// A bound as one of the common type.
template <class Common>
Common bound_of(const Value& value) {
    const void* const data = value.data();
    switch (value.type().kind()) {
        case TypeKind::int8:
            return static_cast<Common>(read<int8_t>(data));
        case TypeKind::int16:
            return static_cast<Common>(read<int16_t>(data));
        case TypeKind::int32:
            return static_cast<Common>(read<int32_t>(data));
        case TypeKind::int64:
            return static_cast<Common>(read<int64_t>(data));
        case TypeKind::uint8:
            return static_cast<Common>(read<uint8_t>(data));
        case TypeKind::uint16:
            return static_cast<Common>(read<uint16_t>(data));
        case TypeKind::uint32:
            return static_cast<Common>(read<uint32_t>(data));
        case TypeKind::uint64:
            return static_cast<Common>(read<uint64_t>(data));
        case TypeKind::float16:
            return static_cast<Common>(half_to_double(read<uint16_t>(data)));
        case TypeKind::bfloat16:
            return static_cast<Common>(std::bit_cast<float>(uint32_t{read<uint16_t>(data)} << 16));
        case TypeKind::float32:
            return static_cast<Common>(read<float>(data));
        default:
            return static_cast<Common>(read<double>(data));
    }
}

template <class Common>
EvenBins bins_of(uint64_t count, const Value& lower, const Value& upper) {
    const auto refuse = [](const std::string& detail) {
        throw InvalidArgument(operation, "bounds of the bins", detail,
                              "give a lower bound that is below the upper one");
    };
    const auto low = bound_of<Common>(lower);
    const auto high = bound_of<Common>(upper);
    const auto text = [](Common bound) { return std::to_string(bound); };
    if (!(low < high)) refuse("the lower one is " + text(low) + " and the upper one " + text(high));
    EvenBins bins;
    bins.count = static_cast<int32_t>(count);
    const auto store = [](std::array<std::byte, 8>& to, auto value) { std::memcpy(to.data(), &value, sizeof(value)); };
    store(bins.lower, low);
    store(bins.upper, high);
    if constexpr (std::is_floating_point_v<Common>) {
        const Common range = high - low;
        if (!std::isfinite(range)) refuse("from " + text(low) + " to " + text(high) + " there is no finite distance");
        store(bins.scale, static_cast<Common>(static_cast<Common>(count) / range));
    } else {
        using Unsigned = std::make_unsigned_t<Common>;
        const uint64_t range = static_cast<Unsigned>(static_cast<Unsigned>(high) - static_cast<Unsigned>(low));
        if (range - 1 > UINT64_MAX / count) {  // what an offset is at most
            throw InvalidArgument(
                operation, std::to_string(count) + " bins",
                "with a distance of " + std::to_string(range) + " between the bounds their product exceeds 64 bits",
                "make the histogram for floating-point bounds, or of fewer bins");
        }
        store(bins.scale, range);
    }
    return bins;
}

}  // namespace

EvenBins even_bins(TypeKind common, uint64_t count, const Value& lower, const Value& upper) {
    if (count < 1 || count > INT32_MAX) {
        throw InvalidArgument(operation, std::to_string(count) + " bins", "expected 1 to 2147483647");
    }
    switch (common) {
        case TypeKind::int32:
            return bins_of<int32_t>(count, lower, upper);
        case TypeKind::uint32:
            return bins_of<uint32_t>(count, lower, upper);
        case TypeKind::int64:
            return bins_of<int64_t>(count, lower, upper);
        case TypeKind::uint64:
            return bins_of<uint64_t>(count, lower, upper);
        case TypeKind::float32:
            return bins_of<float>(count, lower, upper);
        default:
            return bins_of<double>(count, lower, upper);
    }
}

}  // namespace cuprum::parallel
