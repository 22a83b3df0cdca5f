// Logic, shifts, bit fields and counts of bits. Source: PTX ISA 9.0, 9.7.1, 9.7.8, 9.7.9.
#include <limits>

#include "engine/instructions/bits/width.hpp"
#include "engine/instructions/operators.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

struct Not {
    template <class T>
    static T apply(T a) {
        return static_cast<T>(~a);
    }
};
struct LogicalNot {
    template <class T>
    static T apply(T a) {
        return a == 0 ? T{1} : T{0};
    }
};
template <bool Left, bool Wrap>
struct FunnelShift {
    static uint32_t apply(uint32_t low, uint32_t high, uint32_t amount) {
        const uint32_t n = Wrap ? amount & 31 : amount > 32 ? 32 : amount;
        const uint64_t both_words = static_cast<uint64_t>(high) << 32 | low;
        return static_cast<uint32_t>(Left ? (both_words << n) >> 32 : both_words >> n);
    }
};

template <class T>
struct BitField {
    static constexpr uint32_t width = 8 * sizeof(T);
};
// bfe and bfi: bits 7..0 of position and length count (ISA 9.7.1.18 and 9.7.1.19). Beyond 255 the result is undefined;
// an H200 takes those of 64-bit fields whole, as beyond the field, so this does too.
template <class T>
inline void limit_field(uint32_t& position, uint32_t& length) {
    if constexpr (sizeof(T) == 8) {
        position = position > 0xff ? 0xff : position;
        length = length > 0xff ? 0xff : length;
    } else {
        position &= 0xff;
        length &= 0xff;
    }
}
struct Bfe {
    template <class T>
    static T apply(T a, uint32_t position, uint32_t length) {
        using U = std::make_unsigned_t<T>;
        constexpr uint32_t last = 8 * sizeof(T) - 1;
        limit_field<T>(position, length);
        if (length == 0) return 0;
        // The sign bit of the result is bit min(position + length - 1, last) of `a`.
        const uint32_t sign_position = position + length - 1 > last ? last : position + length - 1;
        const bool negative = std::is_signed_v<T> && ((static_cast<U>(a) >> sign_position) & 1) != 0;
        const U field = position > last ? U{0} : static_cast<U>(static_cast<U>(a) >> position);
        const uint32_t present = position > last ? 0 : (sign_position - position + 1);
        if (present > last) return static_cast<T>(field);
        const U ones = static_cast<U>((U{1} << present) - 1);
        return static_cast<T>((field & ones) | (negative ? static_cast<U>(~ones) : U{0}));
    }
};
struct Bfi {
    template <class T>
    static T apply(T a, T b, uint32_t position, uint32_t length) {
        constexpr uint32_t width = 8 * sizeof(T);
        limit_field<T>(position, length);
        if (position >= width || length == 0) return b;
        const T ones = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
        const T field = static_cast<T>(ones << position);
        return static_cast<T>((b & ~field) | ((a << position) & field));
    }
};
struct Popc {
    template <class T>
    static uint32_t apply(T a) {
        return static_cast<uint32_t>(__builtin_popcountll(a));
    }
};
struct Clz {
    template <class T>
    static uint32_t apply(T a) {
        if (a == 0) return 8 * sizeof(T);
        if constexpr (sizeof(T) == 8)
            return static_cast<uint32_t>(__builtin_clzll(a));
        else
            return static_cast<uint32_t>(__builtin_clz(a));
    }
};
template <bool ShiftAmount>
struct Bfind {
    template <class T>
    static uint32_t apply(T a) {
        using U = std::make_unsigned_t<T>;
        const U bits = std::is_signed_v<T> && a < 0 ? static_cast<U>(~a) : static_cast<U>(a);
        if (bits == 0) return ~0u;
        const uint32_t leading = Clz::apply(bits);
        return ShiftAmount ? leading : 8 * sizeof(T) - 1 - leading;
    }
};
struct Brev {
    template <class T>
    static T apply(T a) {
        T reversed = 0;
        for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) {
            reversed = static_cast<T>((reversed << 1) | ((a >> bit) & 1));
        }
        return reversed;
    }
};
template <bool Wrap>
struct Bmsk {
    static uint32_t apply(uint32_t position, uint32_t length) {
        if (Wrap) {
            position &= 31;
            length &= 31;
        }
        if (position > 31 || length == 0) return 0;
        const uint32_t ones = length > 31 ? ~0u : (1u << length) - 1;
        return ones << position;
    }
};
template <class T, bool Wrap>
struct Szext {
    static T apply(T a, uint32_t position) {
        // Bit position - 1 is the sign bit; position 0 gives 0, position 32 or more leaves `a` (clamp).
        if (Wrap) position &= 31;
        if (position > 31) return a;
        if (position == 0) return 0;
        const uint32_t drop = 32 - position;
        return static_cast<T>(static_cast<T>(static_cast<uint32_t>(a) << drop) >> drop);
    }
};
// The position of the n-th set bit counted from `base`, upwards for n > 0, downwards for n < 0.
struct Fns {
    static uint32_t apply(uint32_t bits, uint32_t base, int32_t n) {
        if (base > 31) return ~0u;
        if (n == std::numeric_limits<int32_t>::min()) return 0;  // has no magnitude; as an H200 does
        if (n == 0) return (bits >> base & 1) != 0 ? base : ~0u;
        const int step = n > 0 ? 1 : -1;
        int32_t wanted = n > 0 ? n : -n;
        for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step) {
            if ((bits >> position & 1) != 0 && --wanted == 0) return static_cast<uint32_t>(position);
        }
        return ~0u;
    }
};

enum class PermuteMode : uint8_t { general, f4e, b4e, rc8, ecl, ecr, rc16 };
template <PermuteMode Mode>
struct Prmt {
    static uint32_t apply(uint32_t a, uint32_t b, uint32_t selector) {
        const uint64_t bytes = static_cast<uint64_t>(b) << 32 | a;
        uint32_t result = 0;
        for (uint32_t place = 0; place < 4; ++place) {
            uint32_t source = 0;
            const uint32_t c = selector & 3;
            switch (Mode) {
                case PermuteMode::general:
                    source = selector >> (4 * place) & 7;
                    break;
                case PermuteMode::f4e:
                    source = c + place;
                    break;
                case PermuteMode::b4e:
                    source = (c - place) & 7;
                    break;
                case PermuteMode::rc8:
                    source = c;
                    break;
                case PermuteMode::ecl:
                    source = place > c ? place : c;
                    break;
                case PermuteMode::ecr:
                    source = place < c ? place : c;
                    break;
                case PermuteMode::rc16:
                    source = 2 * (c & 1) + (place & 1);
                    break;
            }
            uint32_t byte = static_cast<uint32_t>(bytes >> (8 * source)) & 0xff;
            if (Mode == PermuteMode::general && (selector >> (4 * place) & 8) != 0)
                byte = (byte & 0x80) != 0 ? 0xff : 0;
            result |= byte << (8 * place);
        }
        return result;
    }
};

// Any of the 256 functions of three bits; aux is the look-up table.
struct Lop3 {
    static constexpr bool uses_aux = true;
    static uint32_t apply(uint32_t table, uint32_t a, uint32_t b, uint32_t c) {
        uint32_t result = 0;
        for (uint32_t row = 0; row < 8; ++row) {
            const uint32_t term = ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
            result |= (table >> row & 1) != 0 ? term : 0;
        }
        return result;
    }
};

// --- predicates: one word holds all lanes ---

enum class PredicateOp : uint8_t { and_, or_, xor_, not_ };
template <PredicateOp Op>
const Instruction* predicate_logic(Warp& warp, const Instruction* at) {
    const uint32_t a = warp.predicate(at->operand[1]);
    uint32_t result = 0;
    if constexpr (Op == PredicateOp::not_) {
        result = ~a;
    } else {
        const uint32_t b = warp.predicate(at->operand[2]);
        result = Op == PredicateOp::and_ ? (a & b) : Op == PredicateOp::or_ ? (a | b) : (a ^ b);
    }
    set_predicate(warp, at->operand[0], result);
    return at + 1;
}

template <class Op, PredicateOp OnPredicates>
Handlers select_logic(Width width) {
    switch (width) {
        case Width::predicate:
            return both(&predicate_logic<OnPredicates>);
        case Width::w16:
            return make_lanewise<Op, uint32_t, uint32_t, uint32_t>();
        case Width::w32:
            return make_lanewise<Op, uint32_t, uint32_t, uint32_t>();
        case Width::w64:
            return make_lanewise<Op, uint64_t, uint64_t, uint64_t>();
        default:
            return {};
    }
}

Handlers select_shift(Form& form) {
    const ScalarType type = form.take_type();
    if (form.opcode == Opcode::shl) {
        switch (width_of(type)) {
            case Width::w16:
                return make_lanewise<Shl, uint16_t, uint16_t, uint32_t>();
            case Width::w32:
                return make_lanewise<Shl, uint32_t, uint32_t, uint32_t>();
            case Width::w64:
                return make_lanewise<Shl, uint64_t, uint64_t, uint32_t>();
            default:
                return {};
        }
    }
    switch (type) {
        case ScalarType::s16:
            return make_lanewise<Shr, int16_t, int16_t, uint32_t>();
        case ScalarType::s32:
            return make_lanewise<Shr, int32_t, int32_t, uint32_t>();
        case ScalarType::s64:
            return make_lanewise<Shr, int64_t, int64_t, uint32_t>();
        default:
            break;
    }
    switch (width_of(type)) {
        case Width::w16:
            return make_lanewise<Shr, uint16_t, uint16_t, uint32_t>();
        case Width::w32:
            return make_lanewise<Shr, uint32_t, uint32_t, uint32_t>();
        case Width::w64:
            return make_lanewise<Shr, uint64_t, uint64_t, uint32_t>();
        default:
            return {};
    }
}

template <template <bool> class Op>
Handlers select_bfind(Form& form) {
    const ScalarType type = form.take_type();
    const bool shift = form.take(Modifier::shiftamt);
    switch (type) {
        case ScalarType::u32:
            return shift ? make_lanewise<Op<true>, uint32_t, uint32_t>()
                         : make_lanewise<Op<false>, uint32_t, uint32_t>();
        case ScalarType::s32:
            return shift ? make_lanewise<Op<true>, uint32_t, int32_t>() : make_lanewise<Op<false>, uint32_t, int32_t>();
        case ScalarType::u64:
            return shift ? make_lanewise<Op<true>, uint32_t, uint64_t>()
                         : make_lanewise<Op<false>, uint32_t, uint64_t>();
        case ScalarType::s64:
            return shift ? make_lanewise<Op<true>, uint32_t, int64_t>() : make_lanewise<Op<false>, uint32_t, int64_t>();
        default:
            return {};
    }
}

Handlers select_prmt(Form& form) {
    form.take_type();
    using U = uint32_t;
    if (form.take(Modifier::f4e)) return make_lanewise<Prmt<PermuteMode::f4e>, U, U, U, U>();
    if (form.take(Modifier::b4e)) return make_lanewise<Prmt<PermuteMode::b4e>, U, U, U, U>();
    if (form.take(Modifier::rc8)) return make_lanewise<Prmt<PermuteMode::rc8>, U, U, U, U>();
    if (form.take(Modifier::ecl)) return make_lanewise<Prmt<PermuteMode::ecl>, U, U, U, U>();
    if (form.take(Modifier::ecr)) return make_lanewise<Prmt<PermuteMode::ecr>, U, U, U, U>();
    if (form.take(Modifier::rc16)) return make_lanewise<Prmt<PermuteMode::rc16>, U, U, U, U>();
    return make_lanewise<Prmt<PermuteMode::general>, U, U, U, U>();
}

Handlers select_bits(Form& form) {
    using U = uint32_t;
    using L = uint64_t;
    const Width width = width_of(form.type(0));
    switch (form.opcode) {
        case Opcode::and_:
            form.take_type();
            return select_logic<And, PredicateOp::and_>(width);
        case Opcode::or_:
            form.take_type();
            return select_logic<Or, PredicateOp::or_>(width);
        case Opcode::xor_:
            form.take_type();
            return select_logic<Xor, PredicateOp::xor_>(width);
        case Opcode::not_:
            form.take_type();
            if (width == Width::predicate) return both(&predicate_logic<PredicateOp::not_>);
            if (width == Width::w16) return make_lanewise<Not, uint16_t, uint16_t>();
            return width == Width::w64 ? make_lanewise<Not, L, L>() : make_lanewise<Not, U, U>();
        case Opcode::cnot:
            form.take_type();
            if (width == Width::w16) return make_lanewise<LogicalNot, uint16_t, uint16_t>();
            return width == Width::w64 ? make_lanewise<LogicalNot, L, L>() : make_lanewise<LogicalNot, U, U>();
        case Opcode::shl:
        case Opcode::shr:
            return select_shift(form);
        case Opcode::shf: {
            form.take_type();
            const bool wrap = form.take(Modifier::wrap);
            if (!wrap && !form.take(Modifier::clamp)) return {};
            if (form.take(Modifier::l)) {
                return wrap ? make_lanewise<FunnelShift<true, true>, U, U, U, U>()
                            : make_lanewise<FunnelShift<true, false>, U, U, U, U>();
            }
            if (form.take(Modifier::r)) {
                return wrap ? make_lanewise<FunnelShift<false, true>, U, U, U, U>()
                            : make_lanewise<FunnelShift<false, false>, U, U, U, U>();
            }
            return {};
        }
        case Opcode::bfe:
            switch (form.take_type()) {
                case ScalarType::u32:
                    return make_lanewise<Bfe, U, U, U, U>();
                case ScalarType::s32:
                    return make_lanewise<Bfe, int32_t, int32_t, U, U>();
                case ScalarType::u64:
                    return make_lanewise<Bfe, L, L, U, U>();
                case ScalarType::s64:
                    return make_lanewise<Bfe, int64_t, int64_t, U, U>();
                default:
                    return {};
            }
        case Opcode::bfi:
            form.take_type();
            return width == Width::w64 ? make_lanewise<Bfi, L, L, L, U, U>() : make_lanewise<Bfi, U, U, U, U, U>();
        case Opcode::popc:
            form.take_type();
            return width == Width::w64 ? make_lanewise<Popc, U, L>() : make_lanewise<Popc, U, U>();
        case Opcode::clz:
            form.take_type();
            return width == Width::w64 ? make_lanewise<Clz, U, L>() : make_lanewise<Clz, U, U>();
        case Opcode::brev:
            form.take_type();
            return width == Width::w64 ? make_lanewise<Brev, L, L>() : make_lanewise<Brev, U, U>();
        case Opcode::bfind:
            return select_bfind<Bfind>(form);
        case Opcode::bmsk:
            form.take_type();
            if (form.take(Modifier::wrap)) return make_lanewise<Bmsk<true>, U, U, U>();
            return form.take(Modifier::clamp) ? make_lanewise<Bmsk<false>, U, U, U>() : Handlers{};
        case Opcode::szext: {
            const bool is_signed = form.take_type() == ScalarType::s32;
            const bool wrap = form.take(Modifier::wrap);
            if (!wrap && !form.take(Modifier::clamp)) return {};
            using S = int32_t;
            if (is_signed)
                return wrap ? make_lanewise<Szext<S, true>, S, S, U>() : make_lanewise<Szext<S, false>, S, S, U>();
            return wrap ? make_lanewise<Szext<U, true>, U, U, U>() : make_lanewise<Szext<U, false>, U, U, U>();
        }
        case Opcode::fns:
            form.take_type();
            return make_lanewise<Fns, U, U, U, int32_t>();
        case Opcode::prmt:
            return select_prmt(form);
        case Opcode::lop3:
            form.take_type();
            return make_lanewise<Lop3, U, U, U, U>();
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::bits>() {
    return {.of_form = &select_bits};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
