// Single and double precision arithmetic, rounded to nearest. Source: PTX ISA 9.2, 9.7.3.
// Other roundings: operations_rounded.cpp. Approximations: operations_approximate.cpp. 16 bits: the family half.
#include <cmath>

#include "engine/execution/lanes.hpp"
#include "engine/instructions/floating_point/floating.hpp"
#include "engine/instructions/floating_point/mixed.hpp"
#include "engine/instructions/floating_point/pairs.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
// In the other files of the folder.
Handlers select_rounded(Form& form);
Handlers select_approximate(Form& form);

namespace {

template <bool Ftz, bool Sat>
struct AddF {
    template <class T>
    static T apply(T a, T b) {
        return finish<Ftz, Sat>(nan_of(flushed<Ftz>(a) + flushed<Ftz>(b), b, a));
    }
};
template <bool Ftz, bool Sat>
struct SubF {
    template <class T>
    static T apply(T a, T b) {
        return finish<Ftz, Sat>(nan_of(flushed<Ftz>(a) - flushed<Ftz>(b), b, a));
    }
};
template <bool Ftz, bool Sat>
struct MulF {
    template <class T>
    static T apply(T a, T b) {
        return finish<Ftz, Sat>(nan_of(flushed<Ftz>(a) * flushed<Ftz>(b), b, a));
    }
};
template <bool Ftz, bool Sat>
struct FmaF {
    template <class T>
    static T apply(T a, T b, T c) {
        return finish<Ftz, Sat>(nan_of(std::fma(flushed<Ftz>(a), flushed<Ftz>(b), flushed<Ftz>(c)), b, c, a));
    }
};
template <bool Ftz, bool Sat>
struct DivF {
    template <class T>
    static T apply(T a, T b) {
        return finish<Ftz, false>(nan_of(flushed<Ftz>(a) / flushed<Ftz>(b), a, b));
    }
};
template <bool Ftz, bool Sat>
struct RcpF {
    template <class T>
    static T apply(T a) {
        return finish<Ftz, false>(T{1} / flushed<Ftz>(a));
    }
};
template <bool Ftz, bool Sat>
struct SqrtF {
    template <class T>
    static T apply(T a) {
        return finish<Ftz, false>(std::sqrt(flushed<Ftz>(a)));
    }
};

// min and max: -0 is less than +0; a NaN loses to a number unless .NaN is given.
template <bool Least, bool Ftz, bool Nan, bool Xorsign>
struct MinMaxF {
    template <class T>
    static T apply(T x, T y) {
        const T a = flushed<Ftz>(x), b = flushed<Ftz>(y);
        T m = a, n = b;
        if constexpr (Xorsign) {
            m = std::fabs(a);
            n = std::fabs(b);
        }
        const bool first = Least ? (m < n) | ((m == n) & std::signbit(m)) : (m > n) | ((m == n) & !std::signbit(m));
        T result = first ? m : n;
        result = n != n ? m : result;
        result = m != m ? n : result;
        if constexpr (Nan) result = ((m != m) | (n != n)) ? quiet_nan<T>() : result;
        if constexpr (Xorsign) {
            if (result == result) result = std::signbit(a) != std::signbit(b) ? -result : result;
        }
        return canonical(result != result ? nan_of(result, b, a) : result);
    }
};

template <bool Least, bool Ftz, bool Nan, bool Abs>
struct MinMax3F {
    template <class T>
    static T apply(T x, T y, T z) {
        const auto in = [](T value) { return Abs ? std::fabs(value) : value; };
        using Two = MinMaxF<Least, Ftz, Nan, false>;
        return Two::apply(Two::apply(in(x), in(y)), in(z));
    }
};

// A NaN's sign is neither cleared nor turned.
template <bool Ftz>
struct AbsF {
    template <class T>
    static T apply(T a) {
        return canonical(nan_of(std::fabs(flushed<Ftz>(a)), a));
    }
};
template <bool Ftz>
struct NegF {
    template <class T>
    static T apply(T a) {
        return canonical(nan_of(-flushed<Ftz>(a), a));
    }
};
// copysign d, a, b: the sign of a, the magnitude of b.
struct CopySign {
    template <class T>
    static T apply(T a, T b) {
        return std::copysign(b, a);
    }
};

template <class T, template <bool, bool> class Op, class... S>
Handlers with_flags(bool ftz, bool sat) {
    if constexpr (std::is_same_v<T, float>) {
        if (ftz) return sat ? make_lanewise<Op<true, true>, T, S...>() : make_lanewise<Op<true, false>, T, S...>();
        return sat ? make_lanewise<Op<false, true>, T, S...>() : make_lanewise<Op<false, false>, T, S...>();
    } else {
        return ftz || sat ? Handlers{} : make_lanewise<Op<false, false>, T, S...>();
    }
}

template <class T, bool Least>
Handlers select_min_max(bool ftz, bool nan, bool xorsign) {
    if constexpr (std::is_same_v<T, double>) {
        if (ftz || nan || xorsign) return {};
        return make_lanewise<MinMaxF<Least, false, false, false>, T, T, T>();
    } else {
        if (ftz) {
            if (nan)
                return xorsign ? make_lanewise<MinMaxF<Least, true, true, true>, T, T, T>()
                               : make_lanewise<MinMaxF<Least, true, true, false>, T, T, T>();
            return xorsign ? make_lanewise<MinMaxF<Least, true, false, true>, T, T, T>()
                           : make_lanewise<MinMaxF<Least, true, false, false>, T, T, T>();
        }
        if (nan)
            return xorsign ? make_lanewise<MinMaxF<Least, false, true, true>, T, T, T>()
                           : make_lanewise<MinMaxF<Least, false, true, false>, T, T, T>();
        return xorsign ? make_lanewise<MinMaxF<Least, false, false, true>, T, T, T>()
                       : make_lanewise<MinMaxF<Least, false, false, false>, T, T, T>();
    }
}

template <bool Least>
Handlers select_min_max_3(bool ftz, bool nan, bool abs) {
    const auto with_abs = [&]<bool Ftz, bool Nan> {
        return abs ? make_lanewise<MinMax3F<Least, Ftz, Nan, true>, float, float, float, float>()
                   : make_lanewise<MinMax3F<Least, Ftz, Nan, false>, float, float, float, float>();
    };
    if (ftz) return nan ? with_abs.template operator()<true, true>() : with_abs.template operator()<true, false>();
    return nan ? with_abs.template operator()<false, true>() : with_abs.template operator()<false, false>();
}

template <class T>
Handlers select_for(Form& form) {
    const bool ftz = form.take(Modifier::ftz);
    switch (form.opcode) {
        case Opcode::abs:
            return ftz ? make_lanewise<AbsF<true>, T, T>() : make_lanewise<AbsF<false>, T, T>();
        case Opcode::neg:
            return ftz ? make_lanewise<NegF<true>, T, T>() : make_lanewise<NegF<false>, T, T>();
        case Opcode::copysign:
            return make_lanewise<CopySign, T, T, T>();
        case Opcode::min:
        case Opcode::max: {
            const bool nan = form.take(Modifier::nan_);
            const bool xorsign = form.take(Modifier::xorsign);
            if (xorsign && !form.take(Modifier::abs_)) return {};
            return form.opcode == Opcode::min ? select_min_max<T, true>(ftz, nan, xorsign)
                                              : select_min_max<T, false>(ftz, nan, xorsign);
        }
        case Opcode::min3:
        case Opcode::max3: {
            const bool nan = form.take(Modifier::nan_), abs = form.take(Modifier::abs_);
            return form.opcode == Opcode::min3 ? select_min_max_3<true>(ftz, nan, abs)
                                               : select_min_max_3<false>(ftz, nan, abs);
        }
        default:
            break;
    }
    const bool rounded = form.take(Modifier::rn);
    const bool sat = form.take(Modifier::sat);
    switch (form.opcode) {
        case Opcode::add:
            return with_flags<T, AddF, T, T>(ftz, sat);
        case Opcode::sub:
            return with_flags<T, SubF, T, T>(ftz, sat);
        case Opcode::mul:
            return with_flags<T, MulF, T, T>(ftz, sat);
        case Opcode::fma:
        case Opcode::mad:
            return rounded ? with_flags<T, FmaF, T, T, T>(ftz, sat) : Handlers{};
        case Opcode::div:
            return rounded && !sat ? with_flags<T, DivF, T, T>(ftz, false) : Handlers{};
        case Opcode::rcp:
            return rounded && !sat ? with_flags<T, RcpF, T>(ftz, false) : Handlers{};
        case Opcode::sqrt:
            return rounded && !sat ? with_flags<T, SqrtF, T>(ftz, false) : Handlers{};
        default:
            return {};
    }
}

template <template <bool, bool> class Op, class... S>
Handlers pairs(bool ftz) {
    return ftz ? make_pairwise<Op<true, false>, S...>() : make_pairwise<Op<false, false>, S...>();
}
Handlers select_pairs(Form& form) {
    const bool ftz = form.take(Modifier::ftz), rounded = form.take(Modifier::rn);
    switch (form.opcode) {
        case Opcode::add:
            return pairs<AddF, float, float>(ftz);
        case Opcode::sub:
            return pairs<SubF, float, float>(ftz);
        case Opcode::mul:
            return pairs<MulF, float, float>(ftz);
        case Opcode::fma:
            return rounded ? pairs<FmaF, float, float, float>(ftz) : Handlers{};
        default:
            return {};
    }
}

template <template <bool, bool> class Op, class Widen, class... S>
Handlers mixed(bool sat) {
    return sat ? make_lanewise<Mixed<Op<false, true>, Widen>, float, S..., float>()
               : make_lanewise<Mixed<Op<false, false>, Widen>, float, S..., float>();
}
template <class Widen>
Handlers select_mixed(Form& form) {
    const bool sat = form.take(Modifier::sat), rounded = form.take(Modifier::rn);
    switch (form.opcode) {
        case Opcode::add:
            return mixed<AddF, Widen, uint32_t>(sat);
        case Opcode::sub:
            return mixed<SubF, Widen, uint32_t>(sat);
        case Opcode::fma:
            return rounded ? mixed<FmaF, Widen, uint32_t, uint32_t>(sat) : Handlers{};
        default:
            return {};
    }
}

Handlers select_float(Form& form) {
    if (form.type_count == 2) {
        if (form.take_type() != ScalarType::f32) return {};
        return form.take_type() == ScalarType::f16 ? select_mixed<WidenHalf>(form) : select_mixed<WidenBfloat>(form);
    }
    switch (form.take_type()) {
        case ScalarType::f32x2:
            return select_pairs(form);
        case ScalarType::f32:
            return select_for<float>(form);
        case ScalarType::f64:
            return select_for<double>(form);
        default:
            return {};
    }
}

Handlers select_floating_point(Form& form) {
    return first_of(form, {&select_float, &select_rounded, &select_approximate});
}

}  // namespace

template <>
Operations operations<Family::floating_point>() {
    return {.of_form = &select_floating_point};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
