// The reductions of bulk copies. Source: PTX ISA 9.0, 9.7.9.25.4.2; results as those of red.
#include <cstring>
#include <type_traits>

#include "engine/instructions/asynchronous/bulk.hpp"
#include "engine/instructions/half/half.hpp"

namespace cuprum::simulator {
namespace {

template <class T>
T reduced_number(T old, T value, BulkReduction reduction) {
    using U = std::make_unsigned_t<T>;
    switch (reduction) {
        case BulkReduction::add:
            return static_cast<T>(static_cast<U>(old) + static_cast<U>(value));
        case BulkReduction::minimum:
            return value < old ? value : old;
        case BulkReduction::maximum:
            return old < value ? value : old;
        case BulkReduction::increment:
            return old >= value ? T{0} : static_cast<T>(old + 1);
        case BulkReduction::decrement:
            return old == 0 || old > value ? value : static_cast<T>(old - 1);
        case BulkReduction::bit_and:
            return static_cast<T>(old & value);
        case BulkReduction::bit_or:
            return static_cast<T>(old | value);
        default:
            return static_cast<T>(old ^ value);
    }
}

// A number comes before a NaN, -0 before +0.
template <float (*ToFloat)(uint16_t), uint16_t (*ToHalf)(double, Rounding, bool)>
uint16_t reduced_half(uint16_t old, uint16_t value, BulkReduction reduction) {
    const float x = ToFloat(old), y = ToFloat(value);
    if (reduction == BulkReduction::add)
        return ToHalf(static_cast<double>(x) + static_cast<double>(y), Rounding::nearest, false);
    if (x != x) return y != y ? uint16_t{0x7fff} : value;
    if (y != y) return old;
    const bool value_is_smaller = x == y ? (value & 0x8000) != 0 : y < x;
    return value_is_smaller == (reduction == BulkReduction::minimum) ? value : old;
}

// Subnormal numbers stay, as on an H200, where red.add.f32 flushes them.
uint32_t added_floats(uint32_t old, uint32_t value) {
    const float sum = bits_float(old) + bits_float(value);
    return sum != sum ? 0x7fffffffu : float_bits(sum);
}
uint64_t added_doubles(uint64_t old, uint64_t value) {
    const double x = bits_double(old), y = bits_double(value);
    return y != y ? value : x != x ? old : double_bits(x + y);
}

template <class U, class Reduced>
void each(std::byte* to, const std::byte* from, uint32_t bytes, Reduced&& reduced) {
    for (uint32_t done = 0; done < bytes; done += sizeof(U)) {
        auto* const place = reinterpret_cast<U*>(to + done);
        U value = 0;
        std::memcpy(&value, from + done, sizeof(U));
        U old = __atomic_load_n(place, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(place, &old, static_cast<U>(reduced(old, value)), false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST)) {}
    }
}

template <class T>
void each_number(std::byte* to, const std::byte* from, uint32_t bytes, BulkReduction reduction) {
    using U = std::make_unsigned_t<T>;
    each<U>(to, from, bytes, [&](U old, U value) {
        return static_cast<U>(reduced_number<T>(static_cast<T>(old), static_cast<T>(value), reduction));
    });
}

}  // namespace

void reduce(std::byte* to, const std::byte* from, uint32_t bytes, BulkReduction reduction, ReducedType type) {
    switch (type) {
        case ReducedType::u32:
            return each_number<uint32_t>(to, from, bytes, reduction);
        case ReducedType::s32:
            return each_number<int32_t>(to, from, bytes, reduction);
        case ReducedType::u64:
            return each_number<uint64_t>(to, from, bytes, reduction);
        case ReducedType::s64:
            return each_number<int64_t>(to, from, bytes, reduction);
        case ReducedType::f16:
            return each<uint16_t>(to, from, bytes, [&](uint16_t old, uint16_t value) {
                return reduced_half<&half_to_float, &double_to_half>(old, value, reduction);
            });
        case ReducedType::bf16:
            return each<uint16_t>(to, from, bytes, [&](uint16_t old, uint16_t value) {
                return reduced_half<&bfloat_to_float, &double_to_bfloat>(old, value, reduction);
            });
        case ReducedType::f32:
            return each<uint32_t>(to, from, bytes, &added_floats);
        case ReducedType::f64:
            return each<uint64_t>(to, from, bytes, &added_doubles);
    }
}

}  // namespace cuprum::simulator
