// Matrices from memory and to it: wmma.load, wmma.store, ldmatrix, stmatrix. Source: PTX ISA 9.0, 9.7.14.3.2
// to 9.7.14.3.4, 9.7.14.5.15, 9.7.14.5.16.
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

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

// Between a fragment and its matrix, dense by rows or by columns, of elements as large as Bits.
template <class Bits>
void move_fragment(const Warp& warp, Matrix which, const Shape& shape, matrix::Layout layout, bool by_columns,
                   bool stores, Bits* dense) {
    constexpr uint32_t together = sizeof(Bits) == 8 ? 1 : 4 / sizeof(Bits);  // also from one lane's element to the next
    const uint32_t rows = shape.rows(which), columns = shape.columns(which);
    const uint32_t own = rows * columns / lanes_per_warp;
    // Sizes are powers of two.
    const auto shift = static_cast<uint32_t>(std::countr_zero(columns));
    const auto move = [&](auto&& place_of) {
        for (uint32_t index = 0; index < own; ++index) {
            Bits* const elements =
                reinterpret_cast<Bits*>(register_of(warp, which, index / together)) + index % together;
            const matrix::Layout places = layout + index * lanes_per_warp;
            if (stores) {
                for (uint32_t lane = 0; lane < lanes_per_warp; ++lane)
                    dense[place_of(places[lane])] = elements[lane * together];
            } else {
                for (uint32_t lane = 0; lane < lanes_per_warp; ++lane)
                    elements[lane * together] = dense[place_of(places[lane])];
            }
        }
    };
    if (by_columns)
        move([&](uint32_t place) { return (place & (columns - 1)) * rows + (place >> shift); });
    else
        move([](uint32_t place) { return place; });
    // Of f16 operands a fragment has its elements twice or more.
    const uint32_t own_registers = own / together, held = stores ? 0 : matrix::wmma_registers(shape, which);
    for (uint32_t reg = own_registers; reg < held; ++reg)
        std::memcpy(register_of(warp, which, reg), register_of(warp, which, reg % own_registers), matrix::row_bytes);
}

}  // namespace

matrix::Layout matrix::layout_of(const Shape& shape, Matrix which, bool is_opaque) {
    static std::mutex mutex;
    static auto& known = *new std::map<std::tuple<uint64_t, Matrix, bool>, std::unique_ptr<uint16_t[]>>;
    Shape sizes = shape;
    std::ranges::fill(sizes.elements, which < c ? shape.elements[which] : Element::f32);
    const std::lock_guard lock(mutex);
    std::unique_ptr<uint16_t[]>& layout = known[{sizes.pack(), which, is_opaque}];
    if (layout) return layout.get();
    const uint32_t count = shape.rows(which) * shape.columns(which);
    layout = std::make_unique<uint16_t[]>(count);
    for (uint32_t element = 0; element < count; ++element) {
        const uint32_t lane = element % lanes_per_warp, index = element / lanes_per_warp;
        const Place place = is_opaque ? wmma_place(shape, which, lane, index) : mma_place(shape, which, lane, index);
        layout[element] = static_cast<uint16_t>(place.row * shape.columns(which) + place.column);
    }
    return layout.get();
}

void fault_incomplete_warp(Warp& warp, const Instruction* at) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(warp.active));
    fault_at(warp, at, lane, Fault::Kind::illegal_instruction,
             ("a matrix instruction needs all 32 threads of a warp, at the same place; here are " +
              std::to_string(std::popcount(warp.active)))
                 .c_str());
}

void require_warpgroup(Warp& warp, const Instruction* at) {
    require_whole_warp(warp, at);
    constexpr size_t warps = 4;
    if (warp.index / warps * warps + warps <= warp.block->warps.size()) return;
    fault_at(warp, at, 0, Fault::Kind::illegal_instruction,
             ("a product by a group of four warps needs all of them; the block has " +
              std::to_string(warp.block->warps.size()) + " warps")
                 .c_str());
}

const Instruction* matrix_access(Warp& warp, const Instruction* at) {
    require_whole_warp(warp, at);
    const Shape shape = Shape::unpack(static_cast<uint64_t>(at->immediate));
    const auto which = static_cast<Matrix>(at->aux >> matrix::matrix_shift & 3);
    const bool stores = (at->aux & matrix::stores) != 0, by_columns = (at->aux & matrix::transposes) != 0;
    const Element element = shape.elements[which];
    const uint32_t bits = matrix::bits_of(element);
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
    const uint32_t line_bytes = in_line * bits / 8;
    const uint32_t alignment = element == Element::f64 ? 8 : std::min(16u, std::bit_floor(line_bytes));
    alignas(64) std::byte dense[32 * 32 * sizeof(double)];
    std::byte* places[32];
    for (uint32_t line = 0; line < lines; ++line) {
        places[line] = bytes_at(warp, at, 0, base + line * stride * bits / 8, line_bytes, alignment);
        if (!stores) std::memcpy(dense + line * line_bytes, places[line], line_bytes);
    }
    matrix::Layout layout = nullptr;
    std::memcpy(&layout, &at->operand[matrix::layout_operand], sizeof(layout));
    const auto move = [&]<class Bits>(Bits* elements) {
        move_fragment(warp, which, shape, layout, by_columns, stores, elements);
    };
    switch (bits) {
        case 1:
        case 4:
            // A line is four words, one of each lane of a group; only A and B are of such elements, and are only
            // loaded.
            std::memcpy(register_of(warp, which, 0), dense, lanes_per_warp * sizeof(uint32_t));
            break;
        case 8:
            move(reinterpret_cast<uint8_t*>(dense));
            break;
        case 16:
            move(reinterpret_cast<uint16_t*>(dense));
            break;
        case 32:
            move(reinterpret_cast<uint32_t*>(dense));
            break;
        default:
            move(reinterpret_cast<uint64_t*>(dense));
            break;
    }
    for (uint32_t line = 0; stores && line < lines; ++line)
        std::memcpy(places[line], dense + line * line_bytes, line_bytes);
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
