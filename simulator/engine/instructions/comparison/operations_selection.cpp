// selp and slct. Source: PTX ISA 9.0, 9.7.6.
#include "engine/instructions/bits/width.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

// In comparison/operations.cpp.
Handlers select_selection(Form& form);

namespace {

// operand[0] = predicate operand[3] ? operand[1] : operand[2]
template <bool Partial, class T>
const Instruction* select_by_predicate(Warp& warp, const Instruction* at) {
    T* const target = warp.row<T>(at->operand[0]);
    const T* const a = warp.row<T>(at->operand[1]);
    const T* const b = warp.row<T>(at->operand[2]);
    const uint32_t predicate = warp.predicate(at->operand[3]);
    const uint32_t* const mask = warp.mask;
#pragma GCC ivdep
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        const T value = (predicate & lane_bit[lane]) != 0 ? a[lane] : b[lane];
        target[lane] = !Partial || mask[lane] != 0 ? value : target[lane];
    }
    return at + 1;
}
const Instruction* select_predicate(Warp& warp, const Instruction* at) {
    const uint32_t chosen = warp.predicate(at->operand[3]);
    set_predicate(warp, at->operand[0],
                  (warp.predicate(at->operand[1]) & chosen) | (warp.predicate(at->operand[2]) & ~chosen));
    return at + 1;
}

// slct: operand[3] >= 0 ? operand[1] : operand[2]. With .ftz a subnormal counts as zero, which is not negative.
struct FlushedSlct {
    template <class T>
    static T apply(T a, T b, float c) {
        return c > -0x1p-126f ? a : b;
    }
};
template <class C>
struct Slct {
    template <class T>
    static T apply(T a, T b, C c) {
        return c >= 0 ? a : b;
    }
};

template <class Op, class C>
Handlers select_slct(Width width) {
    switch (width) {
        case Width::w16:
        case Width::w32:
            return make_lanewise<Op, uint32_t, uint32_t, uint32_t, C>();
        case Width::w64:
            return make_lanewise<Op, uint64_t, uint64_t, uint64_t, C>();
        default:
            return {};
    }
}

}  // namespace

Handlers select_selection(Form& form) {
    using U = uint32_t;
    using L = uint64_t;
    const Width width = width_of(form.type(0));
    switch (form.opcode) {
        case Opcode::selp:
            form.take_type();
            if (width == Width::predicate) return both(&select_predicate);
            if (width == Width::w64) return {{&select_by_predicate<false, L>, &select_by_predicate<true, L>}};
            return {{&select_by_predicate<false, U>, &select_by_predicate<true, U>}};
        case Opcode::slct: {
            form.take_type();
            const ScalarType test = form.take_type();
            if (form.take(Modifier::ftz)) return select_slct<FlushedSlct, float>(width);
            return test == ScalarType::f32 ? select_slct<Slct<float>, float>(width)
                                           : select_slct<Slct<int32_t>, int32_t>(width);
        }
        default:
            return {};
    }
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
