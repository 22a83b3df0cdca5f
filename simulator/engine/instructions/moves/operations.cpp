// Moves, address windows, and registers that must be read when executed. Source: PTX ISA 9.0, 9.7.9, 10.
#include "engine/instructions/bits/width.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

struct Move {
    template <class T>
    static T apply(T a) {
        return a;
    }
};

const Instruction* move_predicate(Warp& warp, const Instruction* at) {
    set_predicate(warp, at->operand[0], warp.predicate(at->operand[1]));
    return at + 1;
}

// mov.b64 {a, b}, c and its like: aux parts of `immediate` bytes each; operand[0..] the parts, the whole last.
const Instruction* unpack(Warp& warp, const Instruction* at) {
    const uint32_t parts = at->aux;
    const uint32_t part_bytes = static_cast<uint32_t>(at->immediate);
    const bool whole_is_64 = parts * part_bytes == 8;
    const std::byte* const source = warp.registers + at->operand[parts];
    for_each_lane(warp.active, [&](unsigned lane) {
        uint64_t whole = 0;
        if (whole_is_64) {
            whole = reinterpret_cast<const uint64_t*>(source)[lane];
        } else {
            whole = reinterpret_cast<const uint32_t*>(source)[lane];
        }
        for (uint32_t part = 0; part < parts; ++part) {
            const uint64_t ones = (uint64_t{1} << (8 * part_bytes)) - 1;
            warp.row<uint32_t>(at->operand[part])[lane] =
                static_cast<uint32_t>((whole >> (8 * part_bytes * part)) & ones);
        }
    });
    return at + 1;
}
// mov.b64 c, {a, b}: operand[0] the whole, operand[1..] the parts.
const Instruction* assemble(Warp& warp, const Instruction* at) {
    const uint32_t parts = at->aux;
    const uint32_t part_bytes = static_cast<uint32_t>(at->immediate);
    const uint64_t ones = (uint64_t{1} << (8 * part_bytes)) - 1;
    for_each_lane(warp.active, [&](unsigned lane) {
        uint64_t whole = 0;
        for (uint32_t part = 0; part < parts; ++part) {
            whole |= (warp.row<uint32_t>(at->operand[1 + part])[lane] & ones) << (8 * part_bytes * part);
        }
        if (parts * part_bytes == 8) {
            warp.row<uint64_t>(at->operand[0])[lane] = whole;
        } else {
            warp.row<uint32_t>(at->operand[0])[lane] = static_cast<uint32_t>(whole);
        }
    });
    return at + 1;
}

// mov.b128 from or to its halves: operand[0] and [1] of 64 bits, [2] the whole.
template <bool Splits>
const Instruction* move_halves(Warp& warp, const Instruction* at) {
    uint64_t* const low = warp.row<uint64_t>(at->operand[0]);
    uint64_t* const high = warp.row<uint64_t>(at->operand[1]);
    uint64_t* const whole = warp.row<uint64_t>(at->operand[2]);
    for_each_lane(warp.active, [&](unsigned lane) {
        if constexpr (Splits) {
            low[lane] = whole[2 * lane];
            high[lane] = whole[2 * lane + 1];
        } else {
            whole[2 * lane] = low[lane];
            whole[2 * lane + 1] = high[lane];
        }
    });
    return at + 1;
}

Handlers select_move(Form& form) {
    if (form.opcode != Opcode::mov) return {};
    if (form.type(0) == ScalarType::b128) {
        form.take_type();
        if (form.take(Modifier::l)) return both(&move_halves<true>);
        return form.take(Modifier::r) ? both(&move_halves<false>) : Handlers{};
    }
    // The decoder marks a mov that splits or joins a vector with l (unpack) or r (assemble).
    if (form.take(Modifier::l)) {
        form.take_type();
        return both(&unpack);
    }
    if (form.take(Modifier::r)) {
        form.take_type();
        return both(&assemble);
    }
    switch (width_of(form.take_type())) {
        case Width::predicate:
            return both(&move_predicate);
        case Width::w16:
        case Width::w32:
            return make_lanewise<Move, uint32_t, uint32_t>();
        case Width::w64:
            return make_lanewise<Move, uint64_t, uint64_t>();
        default:
            return {};
    }
}

template <class T>
const Instruction* special(Warp& warp, const Instruction* at) {
    const uint64_t value = read_special(warp, static_cast<Special>(at->aux));
    for_each_lane(warp.active, [&](unsigned lane) { warp.row<T>(at->operand[0])[lane] = static_cast<T>(value); });
    return at + 1;
}

// isspacep: operand[0] predicate, operand[1] generic address, immediate: the window's first address; 0 means global,
// which is what lies in no window. aux 1: .const; 2: of the block's own shared memory, not the cluster's.
const Instruction* is_space(Warp& warp, const Instruction* at) {
    const uint64_t* const address = warp.row<uint64_t>(at->operand[1]);
    uint32_t inside = 0;
    const bool constant = at->aux == 1;
    const uint64_t size = at->aux == 2 ? window::block_size : window::size;
    for_each_lane(warp.active, [&](unsigned lane) {
        const auto base = static_cast<uint64_t>(at->immediate);
        const bool yes = base != 0
                             ? address[lane] - base < size
                             : address[lane] < window::first && in_constant_variable(warp, address[lane]) == constant;
        inside |= yes ? lane_bit[lane] : 0;
    });
    set_predicate(warp, at->operand[0], inside);
    return at + 1;
}

// cvta: operand[0] = operand[1] + immediate; aux 1: of 32-bit source.
template <bool Partial>
const Instruction* add_window(Warp& warp, const Instruction* at) {
    uint64_t* const target = warp.row<uint64_t>(at->operand[0]);
    const uint64_t* const source = warp.row<uint64_t>(at->operand[1]);
    const uint32_t* const mask = warp.mask;
    const auto base = static_cast<uint64_t>(at->immediate);
#pragma GCC ivdep
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        target[lane] = !Partial || mask[lane] != 0 ? source[lane] + base : target[lane];
    }
    return at + 1;
}

Handlers move_control(Control which) {
    switch (which) {
        case Control::special32:
            return both(&special<uint32_t>);
        case Control::special64:
            return both(&special<uint64_t>);
        case Control::is_space:
            return both(&is_space);
        case Control::map_address:
            return both(&common<&map_address>);
        case Control::rank_of_address:
            return both(&common<&rank_of_address>);
        case Control::add_window:
            return {{&add_window<false>, &add_window<true>}};
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::moves>() {
    return {.of_form = &select_move, .of_control = &move_control};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
