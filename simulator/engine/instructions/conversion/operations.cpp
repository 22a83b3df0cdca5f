// cvt: between integers, and the common conversions with floats, as vector code. The rest: operations_general.cpp.
// Source: PTX ISA 9.0, 9.7.9.21.
#include <cmath>
#include <limits>

#include "engine/execution/lanes.hpp"
#include "engine/instructions/floating_point/floating.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
// In the other files of the folder.
Handlers select_convert_packed(Form& form);
Handlers select_convert_narrow(Form& form);
Handlers select_convert_stochastic(Form& form);
Handlers select_convert_general(Form& form);

namespace {

// A result narrower than its register is extended by its own sign: kept as 32 bits, of which a 16-bit register has the
// lower half.
template <class D>
using Widened = std::conditional_t<sizeof(D) == 8, D, std::conditional_t<std::is_signed_v<D>, int32_t, uint32_t>>;
// Values narrower than a register are read from 32 bits.
template <class S>
using Held = std::conditional_t<sizeof(S) == 8, S, uint32_t>;

template <class D, class S>
struct Narrow {
    static Widened<D> apply(Held<S> held) { return static_cast<Widened<D>>(static_cast<D>(static_cast<S>(held))); }
};
template <class D, class S>
struct Clamp {
    static Widened<D> apply(Held<S> held) {
        const S value = static_cast<S>(held);
        if (std::cmp_less(value, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
        if (std::cmp_greater(value, std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
        return static_cast<Widened<D>>(static_cast<D>(value));
    }
};

template <class D, class S>
Handlers integers(bool saturate) {
    using W = Widened<D>;
    using H = Held<S>;
    return saturate ? make_lanewise<Clamp<D, S>, W, H>() : make_lanewise<Narrow<D, S>, W, H>();
}
template <class D>
Handlers from_integer(ScalarType type, bool saturate) {
    switch (type) {
        case ScalarType::u8:
        case ScalarType::b8:
            return integers<D, uint8_t>(saturate);
        case ScalarType::s8:
            return integers<D, int8_t>(saturate);
        case ScalarType::u16:
        case ScalarType::b16:
            return integers<D, uint16_t>(saturate);
        case ScalarType::s16:
            return integers<D, int16_t>(saturate);
        case ScalarType::u32:
        case ScalarType::b32:
            return integers<D, uint32_t>(saturate);
        case ScalarType::s32:
            return integers<D, int32_t>(saturate);
        case ScalarType::u64:
        case ScalarType::b64:
            return integers<D, uint64_t>(saturate);
        case ScalarType::s64:
            return integers<D, int64_t>(saturate);
        default:
            return {};
    }
}
Handlers select_integers(Form& form) {
    const ScalarType to = form.take_type(), from = form.take_type();
    const bool saturate = form.take(Modifier::sat);
    switch (to) {
        case ScalarType::u8:
            return from_integer<uint8_t>(from, saturate);
        case ScalarType::s8:
            return from_integer<int8_t>(from, saturate);
        case ScalarType::u16:
            return from_integer<uint16_t>(from, saturate);
        case ScalarType::s16:
            return from_integer<int16_t>(from, saturate);
        case ScalarType::u32:
            return from_integer<uint32_t>(from, saturate);
        case ScalarType::s32:
            return from_integer<int32_t>(from, saturate);
        case ScalarType::u64:
            return from_integer<uint64_t>(from, saturate);
        case ScalarType::s64:
            return from_integer<int64_t>(from, saturate);
        default:
            return {};
    }
}

// From f64 to f32, a NaN keeps its sign and upper payload and is quieted, as the processor does it.
template <class D>
struct Nearest {
    template <class S>
    static D apply(S value) {
        return static_cast<D>(value);
    }
};

// A NaN becomes quiet, whatever the compiler makes of rounding: without SSE 4.1 GCC 13 leaves a signalling one as it
// is.
template <class T>
T rounded_from(T a, T rounded) {
    if constexpr (sizeof(T) == 8) return a != a ? a + a : rounded;
    return canonical(rounded);
}

struct RoundEven {
    template <class T>
    static T apply(T a) {
        return rounded_from(a, std::nearbyint(a));
    }
};
struct RoundZero {
    template <class T>
    static T apply(T a) {
        return rounded_from(a, std::trunc(a));
    }
};
struct RoundDown {
    template <class T>
    static T apply(T a) {
        return rounded_from(a, std::floor(a));
    }
};
struct RoundUp {
    template <class T>
    static T apply(T a) {
        return rounded_from(a, std::ceil(a));
    }
};

// To an integer: out of range gives the nearest value that is in it. NaN gives 0, but the highest bit alone where the
// source is f64 or the result 64 bits wide.
template <class D, class Round>
struct ToInteger {
    template <class S>
    static D apply(S value) {
        const double rounded = Round::apply(static_cast<double>(value));
        constexpr double low = static_cast<double>(std::numeric_limits<D>::min());
        constexpr double past =
            sizeof(D) == 8 ? (std::is_signed_v<D> ? 0x1p63 : 0x1p64) : (std::is_signed_v<D> ? 0x1p31 : 0x1p32);
        constexpr D from_nan = sizeof(D) == 8 || sizeof(S) == 8 ? static_cast<D>(D{1} << (8 * sizeof(D) - 1)) : D{0};
        if (!(rounded >= low)) return rounded != rounded ? from_nan : std::numeric_limits<D>::min();
        if (rounded >= past) return std::numeric_limits<D>::max();
        return static_cast<D>(rounded);
    }
};

template <class D, class S>
Handlers to_integer(Form& form) {
    if (form.take(Modifier::rzi)) return make_lanewise<ToInteger<D, RoundZero>, D, S>();
    if (form.take(Modifier::rni)) return make_lanewise<ToInteger<D, RoundEven>, D, S>();
    if (form.take(Modifier::rmi)) return make_lanewise<ToInteger<D, RoundDown>, D, S>();
    if (form.take(Modifier::rpi)) return make_lanewise<ToInteger<D, RoundUp>, D, S>();
    return {};
}
template <class S>
Handlers select_to_integer(Form& form, ScalarType to) {
    switch (to) {
        case ScalarType::u32:
            return to_integer<uint32_t, S>(form);
        case ScalarType::s32:
            return to_integer<int32_t, S>(form);
        case ScalarType::u64:
            return to_integer<uint64_t, S>(form);
        case ScalarType::s64:
            return to_integer<int64_t, S>(form);
        default:
            return {};
    }
}
template <class D>
Handlers select_from_integer(ScalarType from) {
    switch (from) {
        case ScalarType::u32:
            return make_lanewise<Nearest<D>, D, uint32_t>();
        case ScalarType::s32:
            return make_lanewise<Nearest<D>, D, int32_t>();
        case ScalarType::u64:
            return make_lanewise<Nearest<D>, D, uint64_t>();
        case ScalarType::s64:
            return make_lanewise<Nearest<D>, D, int64_t>();
        default:
            return {};
    }
}
template <class T>
Handlers select_rounding(Form& form) {
    if (form.take(Modifier::rni)) return make_lanewise<RoundEven, T, T>();
    if (form.take(Modifier::rzi)) return make_lanewise<RoundZero, T, T>();
    if (form.take(Modifier::rmi)) return make_lanewise<RoundDown, T, T>();
    if (form.take(Modifier::rpi)) return make_lanewise<RoundUp, T, T>();
    return {};
}

Handlers select_convert(Form& form) {
    if (form.opcode != Opcode::cvt) return {};
    const ScalarType to = form.type(0), from = form.type(1);
    if (!is_float(to) && !is_float(from)) return select_integers(form);
    form.take_type();
    form.take_type();
    const bool from_single = from == ScalarType::f32, from_double = from == ScalarType::f64;
    if (!is_float(to)) {
        return from_single   ? select_to_integer<float>(form, to)
               : from_double ? select_to_integer<double>(form, to)
                             : Handlers{};
    }
    if (to == ScalarType::f64 && from_single) return make_lanewise<Nearest<double>, double, float>();
    if (to == from && from_single) return select_rounding<float>(form);
    if (to == from && from_double) return select_rounding<double>(form);
    if (!form.take(Modifier::rn)) return {};
    if (to == ScalarType::f32) {
        return from_double ? make_lanewise<Nearest<float>, float, double>() : select_from_integer<float>(from);
    }
    return to == ScalarType::f64 ? select_from_integer<double>(from) : Handlers{};
}

Handlers select_conversion(Form& form) {
    return first_of(form, {&select_convert, &select_convert_packed, &select_convert_stochastic, &select_convert_narrow,
                           &select_convert_general});
}

}  // namespace

template <>
Operations operations<Family::conversion>() {
    return {.of_form = &select_conversion};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
