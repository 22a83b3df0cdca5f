// cvt in all its variants, lane by lane; select() asks here when no faster handler serves. Compiled with
// -frounding-math. Source: PTX ISA 9.0, 9.7.9.21 and 9.7.9.22.
#include <cfenv>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/execution/lanes.hpp"
#include "engine/instructions/floating_point/float_aux.hpp"
#include "engine/instructions/floating_point/floating.hpp"
#include "engine/instructions/floating_point/host_rounding.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

struct Half {};
struct Bfloat {};

template <class T>
struct Cell {
    using type = Element<T>;
};
template <>
struct Cell<Half> {
    using type = uint32_t;
};
template <>
struct Cell<Bfloat> {
    using type = uint32_t;
};
template <>
struct Cell<int8_t> {
    using type = uint32_t;
};
template <>
struct Cell<uint8_t> {
    using type = uint32_t;
};

template <class S>
inline double read_float(typename Cell<S>::type held) {
    if constexpr (std::is_same_v<S, Half>)
        return half_to_float(static_cast<uint16_t>(held));
    else if constexpr (std::is_same_v<S, Bfloat>)
        return bfloat_to_float(static_cast<uint16_t>(held));
    else
        return static_cast<double>(held);
}

template <class T>
inline constexpr bool is_number = std::is_integral_v<T>;

inline double round_to_integer(double value, uint32_t aux) {
    switch (aux & float_aux::integer_mask) {
        case float_aux::to_nearest_integer:
            return std::nearbyint(value);
        case float_aux::to_integer_towards_zero:
            return std::trunc(value);
        case float_aux::to_integer_below:
            return std::floor(value);
        case float_aux::to_integer_above:
            return std::ceil(value);
        default:
            return value;
    }
}

inline Rounding rounding_of(uint32_t aux) {
    return static_cast<Rounding>(aux & float_aux::rounding_mask);
}

// An integer as a double that rounds further to 24 bits or fewer as the integer itself would: inexact values get their
// last bit set (rounding to odd).
template <class S>
inline double odd_double(S value) {
    if constexpr (sizeof(S) < 8) {
        return static_cast<double>(value);
    } else {
        const bool negative = value < 0;
        const uint64_t magnitude = negative ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
        if (magnitude >> 53 == 0) return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
        const int drop = 64 - __builtin_clzll(magnitude) - 53;
        uint64_t kept = magnitude >> drop;
        if ((magnitude & ((uint64_t{1} << drop) - 1)) != 0) kept |= 1;
        const double scaled = std::ldexp(static_cast<double>(kept), drop);
        return negative ? -scaled : scaled;
    }
}

inline float narrow_to_float(double value, uint32_t aux) {
    const int mode = host_rounding(aux);
    if (mode == FE_TONEAREST) return static_cast<float>(value);
    std::fesetround(mode);
    volatile double kept = value;
    volatile float result = static_cast<float>(kept);
    std::fesetround(FE_TONEAREST);
    return result;
}

template <class D>
inline typename Cell<D>::type write_float(double value, uint32_t aux) {
    double v = value;
    if ((aux & float_aux::saturate) != 0) {
        v = v > 0 ? v : 0;
        v = v < 1 ? v : 1;
    }
    if ((aux & float_aux::relu) != 0) v = v > 0 ? v : (v != v ? v : 0);
    const bool finite = (aux & float_aux::finite) != 0;
    if constexpr (std::is_same_v<D, Half>) {
        return double_to_half(v, rounding_of(aux), finite);
    } else if constexpr (std::is_same_v<D, Bfloat>) {
        return double_to_bfloat(v, rounding_of(aux), finite);
    } else if constexpr (std::is_same_v<D, float>) {
        float result = narrow_to_float(v, aux);
        if ((aux & float_aux::flush) != 0) result = flushed<true>(result);
        return result;
    } else {
        return v;
    }
}

// What becomes of a NaN between floating-point formats, where something other than the canonical NaN. Measured on an
// H200; the ISA leaves it open.
template <class D, class S>
inline std::optional<typename Cell<D>::type> converted_nan(typename Cell<S>::type held, uint32_t aux) {
    if constexpr (is_number<D>) {
        return std::nullopt;
    } else if (const double value = read_float<S>(held);
               value == value || (aux & (float_aux::saturate | float_aux::relu)) != 0) {
        return std::nullopt;
    } else if constexpr (std::is_same_v<S, Bfloat> && std::is_same_v<D, float>) {
        return bits_float(held << 16);  // a move of bits
    } else if constexpr (std::is_same_v<S, double> && (std::is_same_v<D, Half> || std::is_same_v<D, Bfloat>)) {
        // Sign and upper payload stay, the quiet bit is set.
        constexpr int fraction_bits = std::is_same_v<D, Half> ? 10 : 7;
        return static_cast<uint32_t>((double_bits(value) | 0x0008000000000000u) >> (52 - fraction_bits) &
                                     ((1u << fraction_bits) - 1)) |
               0x7fffu >> fraction_bits << fraction_bits | static_cast<uint32_t>(double_bits(value) >> 63) << 15;
    } else if constexpr (std::is_same_v<S, double> || std::is_same_v<D, double>) {
        const bool flushing = std::is_same_v<S, float> && (aux & float_aux::flush) != 0;
        if (flushing) return static_cast<typename Cell<D>::type>(quiet_nan<float>());
        return std::nullopt;
    } else {
        if constexpr (std::is_same_v<D, float>) return quiet_nan<float>();
        return std::nullopt;
    }
}

// S and D: integers, float, double, Half, Bfloat; at least one is no integer.
template <class D, class S>
const Instruction* convert(Warp& warp, const Instruction* at) {
    using To = typename Cell<D>::type;
    using From = typename Cell<S>::type;
    To* const target = warp.row<To>(at->operand[0]);
    const From* const source = warp.row<From>(at->operand[1]);
    const uint32_t aux = at->aux;
    for_each_lane(warp.active, [&](unsigned lane) {
        if constexpr (is_number<S>) {
            const S value = static_cast<S>(source[lane]);
            if constexpr (std::is_same_v<D, double>) {
                std::fesetround(host_rounding(aux));
                volatile S kept = value;
                volatile double result = static_cast<double>(kept);
                std::fesetround(FE_TONEAREST);
                target[lane] = write_float<double>(result, aux);
            } else {
                target[lane] = write_float<D>(odd_double(value), aux);
            }
        } else {
            if (const auto nan = converted_nan<D, S>(source[lane], aux)) {
                target[lane] = *nan;
                return;
            }
            double value = read_float<S>(source[lane]);
            // .ftz flushes the operand of every conversion but those to f16, where no result depends on it but the
            // directed roundings of subnormals: an H200 rounds those.
            if constexpr (std::is_same_v<S, float> && !std::is_same_v<D, Half>) {
                if ((aux & float_aux::flush) != 0) value = flushed<true>(source[lane]);
            }
            value = round_to_integer(value, aux);
            if constexpr (is_number<D>) {
                D result{};
                if (value != value) {
                    using U = std::make_unsigned_t<D>;
                    constexpr bool wide = sizeof(D) == 8 || std::is_same_v<S, double>;
                    result = wide ? static_cast<D>(static_cast<U>(U{1} << (8 * sizeof(D) - 1))) : D{0};
                } else if (value <= static_cast<double>(std::numeric_limits<D>::min())) {
                    result = std::numeric_limits<D>::min();
                } else if (value >= static_cast<double>(std::numeric_limits<D>::max())) {
                    result = std::numeric_limits<D>::max();
                } else {
                    result = static_cast<D>(value);
                }
                if constexpr (sizeof(D) < 4) {
                    target[lane] = static_cast<uint32_t>(static_cast<int32_t>(result));
                } else {
                    target[lane] = result;
                }
            } else {
                target[lane] = write_float<D>(value, aux);
            }
        }
    });
    return at + 1;
}

// cvt.f16x2.f32 d, a, b: a goes to the upper half.
template <class D>
const Instruction* convert_pair(Warp& warp, const Instruction* at) {
    uint32_t* const target = warp.row<uint32_t>(at->operand[0]);
    const float* const a = warp.row<float>(at->operand[1]);
    const float* const b = warp.row<float>(at->operand[2]);
    for_each_lane(warp.active, [&](unsigned lane) {
        const uint32_t high = write_float<D>(a[lane], at->aux);
        const uint32_t low = write_float<D>(b[lane], at->aux);
        target[lane] = high << 16 | (low & 0xffff);
    });
    return at + 1;
}

template <class D>
Handlers from(ScalarType type) {
    if constexpr (!is_number<D>) {
        switch (type) {
            case ScalarType::u8:
                return both(&convert<D, uint8_t>);
            case ScalarType::s8:
                return both(&convert<D, int8_t>);
            case ScalarType::u16:
                return both(&convert<D, uint16_t>);
            case ScalarType::s16:
                return both(&convert<D, int16_t>);
            case ScalarType::u32:
                return both(&convert<D, uint32_t>);
            case ScalarType::s32:
                return both(&convert<D, int32_t>);
            case ScalarType::u64:
                return both(&convert<D, uint64_t>);
            case ScalarType::s64:
                return both(&convert<D, int64_t>);
            default:
                break;
        }
    }
    switch (type) {
        case ScalarType::f16:
            return both(&convert<D, Half>);
        case ScalarType::bf16:
            return both(&convert<D, Bfloat>);
        case ScalarType::f32:
            return both(&convert<D, float>);
        case ScalarType::f64:
            return both(&convert<D, double>);
        default:
            return {};
    }
}

}  // namespace

Handlers select_convert_general(Form& form) {
    if (form.opcode != Opcode::cvt) return {};
    const ScalarType to = form.take_type(), source = form.take_type();
    for (const Modifier honoured :
         {Modifier::rn, Modifier::rz, Modifier::rm, Modifier::rp, Modifier::rni, Modifier::rzi, Modifier::rmi,
          Modifier::rpi, Modifier::ftz, Modifier::sat, Modifier::relu, Modifier::satfinite}) {
        form.take(honoured);
    }
    switch (to) {
        case ScalarType::u8:
            return from<uint8_t>(source);
        case ScalarType::s8:
            return from<int8_t>(source);
        case ScalarType::u16:
            return from<uint16_t>(source);
        case ScalarType::s16:
            return from<int16_t>(source);
        case ScalarType::u32:
            return from<uint32_t>(source);
        case ScalarType::s32:
            return from<int32_t>(source);
        case ScalarType::u64:
            return from<uint64_t>(source);
        case ScalarType::s64:
            return from<int64_t>(source);
        case ScalarType::f16:
            return from<Half>(source);
        case ScalarType::bf16:
            return from<Bfloat>(source);
        case ScalarType::f32:
            return from<float>(source);
        case ScalarType::f64:
            return from<double>(source);
        case ScalarType::f16x2:
            return source == ScalarType::f32 ? both(&convert_pair<Half>) : Handlers{};
        case ScalarType::bf16x2:
            return source == ScalarType::f32 ? both(&convert_pair<Bfloat>) : Handlers{};
        default:
            return {};
    }
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
