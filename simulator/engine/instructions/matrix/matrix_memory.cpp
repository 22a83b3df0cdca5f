// Matrices from memory and to it: wmma.load, wmma.store, ldmatrix, stmatrix. Source: PTX ISA 9.0, 9.7.14.3.2
// to 9.7.14.3.4, 9.7.14.5.15, 9.7.14.5.16.
#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/execution/runtime.hpp"
#include "engine/instructions/matrix/matrix.hpp"

namespace cuprum::simulator {
namespace {

using matrix::Element;
using matrix::Matrix;
using matrix::Shape;

uint64_t address_in(const Warp& warp, const Instruction* at, unsigned lane) {
    return generic_address(warp, at->operand[0], (at->aux & matrix::narrow_address) != 0,
                           (at->aux & matrix::shared_address) != 0, lane);
}

std::byte* bytes_at(Warp& warp, const Instruction* at, unsigned lane, uint64_t address, uint32_t bytes,
                    uint32_t alignment) {
    const bool stores = (at->aux & matrix::stores) != 0;
    std::byte* const place =
        resolve_aligned(warp, at, lane, address, bytes, alignment, stores ? Access::write : Access::read);
    if (stores) note_written(warp, lane, address, bytes);
    return place;
}

void require_whole_warp(Warp& warp, const Instruction* at) {
    if (warp.active != ~0u) fault_incomplete_warp(warp, at);
}

std::byte* register_of(const Warp& warp, Matrix which, uint32_t reg) {
    return warp.stage + (which * matrix::most_registers + reg) * matrix::row_bytes;
}

// Bits of an element in a fragment's registers.
uint64_t element_bits(const Warp& warp, Matrix which, Element element, unsigned lane, uint32_t index) {
    const uint32_t together = matrix::per_register(element), bits = matrix::bits_of(element);
    const std::byte* const reg = register_of(warp, which, index / together);
    if (bits == 64) return reinterpret_cast<const uint64_t*>(reg)[lane];
    const uint32_t word = reinterpret_cast<const uint32_t*>(reg)[lane] >> (index % together * bits);
    return bits == 32 ? word : word & ((1u << bits) - 1);
}

void set_element_bits(const Warp& warp, Matrix which, Element element, unsigned lane, uint32_t index, uint64_t value) {
    const uint32_t together = matrix::per_register(element), bits = matrix::bits_of(element);
    std::byte* const reg = register_of(warp, which, index / together);
    if (bits == 64) {
        reinterpret_cast<uint64_t*>(reg)[lane] = value;
        return;
    }
    uint32_t& word = reinterpret_cast<uint32_t*>(reg)[lane];
    const uint32_t mask = (bits == 32 ? ~0u : (1u << bits) - 1) << (index % together * bits);
    word = (word & ~mask) | (static_cast<uint32_t>(value) << (index % together * bits) & mask);
}

}  // namespace

void fault_incomplete_warp(Warp& warp, const Instruction* at) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(warp.active));
    fault_at(warp, at, lane, Fault::Kind::illegal_instruction,
             ("a matrix instruction needs all 32 threads of a warp, at the same place; here are " +
              std::to_string(std::popcount(warp.active)))
                 .c_str());
}

const Instruction* matrix_access(Warp& warp, const Instruction* at) {
    require_whole_warp(warp, at);
    const Shape shape = Shape::unpack(static_cast<uint64_t>(at->immediate));
    const auto which = static_cast<Matrix>(at->aux >> matrix::matrix_shift & 3);
    const bool stores = (at->aux & matrix::stores) != 0, by_columns = (at->aux & matrix::transposes) != 0;
    const Element element = shape.elements[which];
    const uint32_t element_bytes = matrix::bits_of(element) / 8;
    const uint64_t base = address_in(warp, at, 0);
    const uint64_t stride = warp.row<uint32_t>(at->operand[1])[0];
    for (unsigned lane = 1; lane < lanes_per_warp; ++lane) {
        if (address_in(warp, at, lane) != base || warp.row<uint32_t>(at->operand[1])[lane] != stride) {
            fault_at(warp, at, lane, Fault::Kind::illegal_instruction,
                     "named another matrix, or stride, than the first thread of its warp");
        }
    }
    const uint32_t lines = by_columns ? shape.columns(which) : shape.rows(which);
    const uint32_t in_line = by_columns ? shape.rows(which) : shape.columns(which);
    // They begin at multiples of 16 bytes, or of their size, f64 at multiples of 8.
    const uint32_t alignment = element == Element::f64 ? 8 : std::min(16u, std::bit_floor(in_line * element_bytes));
    std::byte* places[32];
    for (uint32_t line = 0; line < lines; ++line) {
        const uint64_t address = base + line * stride * element_bytes;
        places[line] = bytes_at(warp, at, 0, address, in_line * element_bytes, alignment);
    }
    const uint32_t registers = matrix::wmma_registers(shape, which);
    const uint32_t held = registers * matrix::per_register(element);
    const uint32_t own = shape.rows(which) * shape.columns(which) / lanes_per_warp;
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        for (uint32_t index = 0; index < (stores ? own : held); ++index) {
            const matrix::Place place = matrix::wmma_place(shape, which, lane, index % own);
            std::byte* const at_element = by_columns ? places[place.column] + place.row * element_bytes
                                                     : places[place.row] + place.column * element_bytes;
            uint64_t bits = 0;
            if (stores) {
                bits = element_bits(warp, which, element, lane, index);
                std::memcpy(at_element, &bits, element_bytes);
            } else {
                std::memcpy(&bits, at_element, element_bytes);
                set_element_bits(warp, which, element, lane, index, bits);
            }
        }
    }
    return at + 1;
}

// ldmatrix and stmatrix: matrices of 8 rows of 8 halves. Lane 8 m + r names row r of matrix m. A lane holds two
// neighbours of a row, or with .trans of a column.
const Instruction* matrix_rows(Warp& warp, const Instruction* at) {
    require_whole_warp(warp, at);
    const uint32_t count = at->aux >> matrix::count_shift & 15;
    const bool stores = (at->aux & matrix::stores) != 0, transposes = (at->aux & matrix::transposes) != 0;
    for (uint32_t number = 0; number < count; ++number) {
        uint16_t* rows[8];
        for (unsigned row = 0; row < 8; ++row) {
            const unsigned lane = 8 * number + row;
            rows[row] = reinterpret_cast<uint16_t*>(bytes_at(warp, at, lane, address_in(warp, at, lane), 16, 16));
        }
        auto* const registers = reinterpret_cast<uint32_t*>(register_of(warp, matrix::a, number));
        for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
            const unsigned one = lane / 4, two = 2 * (lane % 4);
            uint16_t& low = transposes ? rows[two][one] : rows[one][two];
            uint16_t& high = transposes ? rows[two + 1][one] : rows[one][two + 1];
            if (stores) {
                low = static_cast<uint16_t>(registers[lane]);
                high = static_cast<uint16_t>(registers[lane] >> 16);
            } else {
                registers[lane] = low | static_cast<uint32_t>(high) << 16;
            }
        }
    }
    return at + 1;
}

const Instruction* matrix_transpose(Warp& warp, const Instruction* at) {
    require_whole_warp(warp, at);
    auto* const registers = reinterpret_cast<uint32_t*>(register_of(warp, matrix::a, 0));
    uint16_t values[8][8];
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        values[lane / 4][2 * (lane % 4)] = static_cast<uint16_t>(registers[lane]);
        values[lane / 4][2 * (lane % 4) + 1] = static_cast<uint16_t>(registers[lane] >> 16);
    }
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        registers[lane] = values[2 * (lane % 4)][lane / 4] | static_cast<uint32_t>(values[2 * (lane % 4) + 1][lane / 4])
                                                                 << 16;
    }
    return at + 1;
}

}  // namespace cuprum::simulator
