// What the decoder tells the operations on matrices.
//
// A matrix instruction has up to 32 registers as operands, more than an Instruction holds. So the warp has a stage,
// rows of registers side by side: instructions before the operation put its operands there, instructions behind it take
// the results from there.
#pragma once

#include <cstdint>

#include "engine/execution/execution.hpp"

namespace cuprum::simulator::matrix {

inline constexpr uint32_t row_bytes = 8 * lanes_per_warp;  // of the stage: for registers of 32 and of 64 bits
inline constexpr uint32_t most_registers = 8;              // of one matrix, in one thread
enum Matrix : uint32_t { a, b, c, d };                     // each has most_registers rows of the stage, in this order
inline constexpr uint32_t metadata_row = 4 * most_registers;  // mma.sp
// wgmma: A's registers have the rows that they have anyway, the accumulators, up to 128, all behind them.
inline constexpr uint32_t first_accumulator = most_registers, most_accumulators = 128;
inline constexpr uint32_t stage_bytes = (first_accumulator + most_accumulators) * row_bytes;

// e2m3 and e3m2 are the lower six bits of a byte, e2m1 its four middle bits; only of packed_e2m1 a byte has two.
enum class Element : uint8_t {
    f16,
    bf16,
    tf32,
    f32,
    f64,
    e4m3,
    e5m2,
    e2m3,
    e3m2,
    e2m1,
    packed_e2m1,
    s8,
    u8,
    s4,
    u4,
    s32,
    b1
};

constexpr uint32_t bits_of(Element element) {
    switch (element) {
        case Element::f64:
            return 64;
        case Element::tf32:
        case Element::f32:
        case Element::s32:
            return 32;
        case Element::f16:
        case Element::bf16:
            return 16;
        case Element::packed_e2m1:
        case Element::s4:
        case Element::u4:
            return 4;
        case Element::b1:
            return 1;
        default:
            return 8;
    }
}
constexpr bool is_integer(Element element) {
    return element >= Element::s8;
}

// Instruction::immediate: the sizes m, n, k, 8 bits each (a k of 256 is 0), then the elements of the four matrices, 5
// bits each. Instruction::aux of an operation:
inline constexpr uint32_t opaque = 1;        // wmma: where a fragment's elements are is the simulator's own choice
inline constexpr uint32_t saturates = 2;     // .satfinite
inline constexpr uint32_t transposes = 4;    // ldmatrix, stmatrix: .trans; wmma.load, wmma.store: column-major
inline constexpr uint32_t stores = 8;        // stmatrix, wmma.store
inline constexpr unsigned matrix_shift = 4;  // 2 bits: which matrix wmma.load and wmma.store move
inline constexpr unsigned count_shift = 8;   // 4 bits: ldmatrix, stmatrix: matrices; to and from the stage: rows
inline constexpr uint32_t narrow_stride = 1 << 12;
inline constexpr uint32_t narrow_address = 1 << 13;
inline constexpr uint32_t shared_address = 1 << 14;  // an offset in shared memory, else generic
inline constexpr uint32_t conjoins = 1 << 15;        // of bits: .and, else .xor
inline constexpr uint32_t sparse = 1 << 16;          // mma.sp
inline constexpr unsigned selector_shift = 17;       // 2 bits: mma.sp: which lanes hold the metadata
inline constexpr uint32_t quad_pairs = 1 << 19;      // mma.m8n8k4 of f16 (quad_pairs.hpp)
inline constexpr uint32_t a_by_columns = 1 << 20;    // of those
inline constexpr uint32_t b_by_columns = 1 << 21;
inline constexpr uint32_t scaled = 1 << 22;         // .block_scale (block_scale.hpp)
inline constexpr uint32_t scales_e4m3 = 1 << 23;    // of type .ue4m3, else .ue8m0
inline constexpr unsigned scale_chunks_shift = 24;  // 2 bits: log2 of the scales of a row of A

struct Shape {
    uint32_t m = 0, n = 0, k = 0;
    Element elements[4] = {};

    constexpr uint64_t pack() const {
        uint64_t bits = m | uint64_t{n} << 8 | uint64_t{k & 0xff} << 16;
        for (unsigned which = 0; which < 4; ++which)
            bits |= uint64_t{static_cast<uint8_t>(elements[which])} << (24 + 5 * which);
        return bits;
    }
    static constexpr Shape unpack(uint64_t bits) {
        Shape shape;
        shape.m = bits & 0xff;
        shape.n = bits >> 8 & 0xff;
        shape.k = (bits >> 16 & 0xff) != 0 ? bits >> 16 & 0xff : 256;
        for (unsigned which = 0; which < 4; ++which)
            shape.elements[which] = static_cast<Element>(bits >> (24 + 5 * which) & 31);
        return shape;
    }
    constexpr uint32_t rows(Matrix which) const { return which == b ? k : m; }
    constexpr uint32_t columns(Matrix which) const { return which == a ? k : n; }
};

// How many elements a register holds.
constexpr uint32_t per_register(Element element) {
    return element == Element::f64 ? 1 : 32 / bits_of(element);
}

// Registers that a thread has of a matrix of wmma (PTX ISA 9.0, 9.7.14.3.1): of f16 operands every element twice or
// more.
constexpr uint32_t wmma_registers(const Shape& shape, Matrix which) {
    const Element element = shape.elements[which];
    if (element == Element::f16 && which < c) return 8;
    return shape.rows(which) * shape.columns(which) / lanes_per_warp / per_register(element);
}
// And of mma (9.7.14.5): every element once.
constexpr uint32_t mma_registers(const Shape& shape, Matrix which) {
    return shape.rows(which) * shape.columns(which) / lanes_per_warp / per_register(shape.elements[which]);
}

struct Place {
    uint32_t row, column;
};

// Where the element `index` of a lane's fragment lies in its matrix. mma: as the ISA draws it for every shape: of A and
// B each register holds neighbours along k, of C and D along n.
constexpr Place mma_place(const Shape& shape, Matrix which, uint32_t lane, uint32_t index) {
    const uint32_t group = lane / 4, thread = lane % 4;
    if (which == a || which == b) {
        const uint32_t together = per_register(shape.elements[which]);
        const uint32_t reg = index / together, within = index % together;
        const uint32_t tall = which == a && shape.m == 16 ? 1 : 0;  // the registers alternate between the halves of m
        const uint32_t along = thread * together + within + 4 * together * (reg >> tall);
        return which == a ? Place{group + 8 * (reg & tall), along} : Place{along, group};
    }
    return {group + 8 * (index / 2), 2 * thread + index % 2};
}

// wmma, where the ISA leaves it open. Accumulators of 16 by 16 are two of mma's, side by side, as GPUs have them;
// elements that share a byte are as in mma.
constexpr Place wmma_place(const Shape& shape, Matrix which, uint32_t lane, uint32_t index) {
    if (bits_of(shape.elements[which]) < 8) return mma_place(shape, which, lane, index);
    if (which >= c && shape.m == 16 && shape.n == 16) {
        return {lane / 4 + 8 * (index / 2 % 2), 2 * (lane % 4) + index % 2 + 8 * (index / 4)};
    }
    const uint32_t own = shape.rows(which) * shape.columns(which) / lanes_per_warp;
    const uint32_t position = lane * own + index % own;
    return {position / shape.columns(which), position % shape.columns(which)};
}

// The places of a matrix's elements, dense by rows: of element `index` of a lane's fragment at [index * lanes_per_warp
// + lane]. Made once for each kind of fragment, and kept for as long as the process lives.
using Layout = const uint16_t*;
Layout layout_of(const Shape& shape, Matrix which, bool is_opaque);  // matrix_memory.cpp

// The layouts that an operation uses lie in Instruction::operand, which it needs for nothing else: of A, of B, of C and
// D.
struct Layouts {
    Layout of[3];
};
static_assert(sizeof(Layouts) == sizeof(Instruction::operand));
// Of wmma.load and wmma.store: from this operand on.
inline constexpr size_t layout_operand = 2;

}  // namespace cuprum::simulator::matrix
