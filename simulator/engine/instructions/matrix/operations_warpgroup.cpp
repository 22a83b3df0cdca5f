// wgmma.mma_async: each warp of the four makes 16 rows of the product, at once. So a program that does not wait for the
// group is not found out, and operands that are written too early are. Source: PTX ISA 9.0, 9.7.15.
#include "engine/instructions/matrix/elements.hpp"
#include "engine/instructions/matrix/warpgroup.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

namespace aux_of = matrix::warpgroup_aux;
using elements::value_of;
using matrix::Descriptor;
using matrix::Element;

constexpr uint32_t most_depth = 32;

// What one instruction multiplies, as numbers: of a warp's part of A by rows, of B by rows too, so that columns lie
// side by side.
template <class Value>
struct Operands {
    alignas(64) Value a[matrix::warp_rows * most_depth];
    alignas(64) Value b[most_depth * matrix::most_columns];
};

const std::byte* chunk_at(Warp& warp, const Instruction* at, uint32_t address) {
    if (address + 16 > warp.shared_bytes) {
        leave_wide_vectors();
        fault_shared(warp, at, 0, address, 16);
    }
    return warp.shared + address;
}

Descriptor descriptor_in(Warp& warp, const Instruction* at, unsigned operand) {
    const uint64_t* const bits = warp.row<uint64_t>(at->operand[operand]);
    const Descriptor descriptor = Descriptor::unpack(bits[0]);
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        if (bits[lane] == bits[0] && descriptor.base_offset == 0) continue;
        leave_wide_vectors();
        fault_at(
            warp, at, lane, Fault::Kind::illegal_instruction,
            descriptor.base_offset != 0
                ? "multiplied a matrix whose descriptor has a base offset, which is not simulated: align it to the "
                  "swizzle's pattern"
                : "named another matrix than the first thread of its warp");
    }
    return descriptor;
}

template <Element E>
auto element_at(const std::byte* chunk, uint32_t index) {
    constexpr uint32_t bytes = matrix::bits_of(E) / 8;
    uint32_t bits = 0;
    std::memcpy(&bits, chunk + index * bytes, bytes);
    return value_of<E>(bits);
}

// Lines [first, first + count) of an operand in shared memory. The element k of a line goes to
// values[line * line_step + k * depth_step].
template <Element E, class Value>
void read_lines(Warp& warp, const Instruction* at, const Descriptor& descriptor, bool transposed, uint32_t first,
                uint32_t count, Value* values, uint32_t line_step, uint32_t depth_step) {
    constexpr uint32_t in_chunk = 128 / matrix::bits_of(E), depth = 2 * in_chunk;
    if (!transposed) {
        for (uint32_t line = 0; line < count; ++line) {
            for (uint32_t chunk = 0; chunk < 2; ++chunk) {
                const std::byte* const bytes = chunk_at(warp, at, descriptor.along_depth(first + line, chunk));
                for (uint32_t k = 0; k < in_chunk; ++k)
                    values[line * line_step + (chunk * in_chunk + k) * depth_step] = element_at<E>(bytes, k);
            }
        }
        return;
    }
    for (uint32_t k = 0; k < depth; ++k) {
        for (uint32_t line = 0; line < count; line += in_chunk) {
            const std::byte* const bytes = chunk_at(warp, at, descriptor.along_lines((first + line) / in_chunk, k));
            for (uint32_t j = 0; j < in_chunk; ++j)
                values[(line + j) * line_step + k * depth_step] = element_at<E>(bytes, j);
        }
    }
}

// A's registers, as the ISA draws them for mma: each holds neighbours along k.
template <Element E, class Value>
void read_registers(const Warp& warp, uint32_t depth, Value* values) {
    constexpr uint32_t bits = matrix::bits_of(E), together = 32 / bits;
    const matrix::Shape shape = matrix::warp_shape(E);
    for (uint32_t index = 0; index < 4 * together; ++index) {
        const auto* const row = reinterpret_cast<const uint32_t*>(warp.stage + index / together * matrix::row_bytes);
        for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
            const matrix::Place place = matrix::mma_place(shape, matrix::a, lane, index);
            constexpr uint32_t mask = bits == 32 ? ~0u : (1u << bits % 32) - 1;
            values[place.row * depth + place.column] = value_of<E>(row[lane] >> index % together * bits & mask);
        }
    }
}

template <Element E, class Value>
void read_a_as(Warp& warp, const Instruction* at, Value* values) {
    constexpr uint32_t depth = matrix::warp_shape(E).k;
    if ((at->aux & aux_of::a_in_registers) != 0) return read_registers<E>(warp, depth, values);
    read_lines<E>(warp, at, descriptor_in(warp, at, 0), (at->aux & aux_of::transposes_a) != 0,
                  warp.index % matrix::warpgroup_warps * matrix::warp_rows, matrix::warp_rows, values, depth, 1);
}
template <Element E, class Value>
void read_b_as(Warp& warp, const Instruction* at, Value* values, uint32_t columns) {
    read_lines<E>(warp, at, descriptor_in(warp, at, 1), (at->aux & aux_of::transposes_b) != 0, 0, columns, values, 1,
                  columns);
}

template <class Visit>
void with_element(Element element, Visit&& visit) {
    using enum Element;
    switch (element) {
        case f16:
            return visit.template operator()<f16>();
        case bf16:
            return visit.template operator()<bf16>();
        case tf32:
            return visit.template operator()<tf32>();
        case e4m3:
            return visit.template operator()<e4m3>();
        case e5m2:
            return visit.template operator()<e5m2>();
        default:
            return;
    }
}
template <class Visit>
void with_integer(Element element, Visit&& visit) {
    if (element == Element::s8) return visit.template operator()<Element::s8>();
    return visit.template operator()<Element::u8>();
}

Element element_of(const Instruction* at, unsigned shift) {
    return static_cast<Element>(at->aux >> shift & 15);
}

// The bits of lane's accumulator i lie in the lanes' row i on the stage, or two halves of them in one.
uint32_t* accumulators(const Warp& warp, uint32_t index) {
    return reinterpret_cast<uint32_t*>(warp.stage + (matrix::first_accumulator + index) * matrix::row_bytes);
}
// Where a lane's accumulator lies in the warp's rows of D: as mma's, side by side.
uint32_t place_of(uint32_t lane, uint32_t index, uint32_t columns) {
    return (lane / 4 + 8 * (index / 2 % 2)) * columns + 8 * (index / 4) + 2 * (lane % 4) + index % 2;
}

template <class Value, class Read>
void read_accumulators(uint32_t columns, Value* sums, Read&& read) {
    for (uint32_t index = 0; index < columns / 2; ++index) {
        for (uint32_t lane = 0; lane < lanes_per_warp; ++lane)
            sums[place_of(lane, index, columns)] = read(lane, index);
    }
}

// As product_of_floats: exact products, sums in double precision, one rounding.
void product_of_floats(Warp& warp, const Instruction* at, bool adds) {
    const auto columns = static_cast<uint32_t>(at->immediate);
    const Element element = element_of(at, aux_of::a_shift);
    const uint32_t depth = matrix::warp_shape(element).k;
    const bool halves = element_of(at, aux_of::d_shift) == Element::f16;
    Operands<float> operands;
    with_element(element, [&]<Element E> { read_a_as<E>(warp, at, operands.a); });
    with_element(element_of(at, aux_of::b_shift), [&]<Element E> { read_b_as<E>(warp, at, operands.b, columns); });
    alignas(64) double sums[matrix::warp_rows * matrix::most_columns];
    if (!adds) {
        std::memset(sums, 0, sizeof(double) * matrix::warp_rows * columns);
    } else if (halves) {
        read_accumulators(columns, sums, [&](uint32_t lane, uint32_t index) {
            return half_to_float(static_cast<uint16_t>(accumulators(warp, index / 2)[lane] >> index % 2 * 16));
        });
    } else {
        read_accumulators(columns, sums,
                          [&](uint32_t lane, uint32_t index) { return bits_float(accumulators(warp, index)[lane]); });
    }
    const bool negates = ((at->aux & aux_of::negates_a) != 0) != ((at->aux & aux_of::negates_b) != 0);
    for (uint32_t i = 0; i < matrix::warp_rows; ++i) {
        double* const row = sums + i * columns;
        for (uint32_t k = 0; k < depth; ++k) {
            const double value = operands.a[i * depth + k], factor = negates ? -value : value;
            const float* const other = operands.b + k * columns;
            for (uint32_t j = 0; j < columns; ++j)
                row[j] += factor * other[j];
        }
    }
    for (uint32_t index = 0; index < columns / 2; ++index) {
        for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
            const double sum = sums[place_of(lane, index, columns)];
            if (!halves) {
                accumulators(warp, index)[lane] = float_bits(canonical(static_cast<float>(sum)));
                continue;
            }
            // The lower half first: it clears the register.
            uint32_t& word = accumulators(warp, index / 2)[lane];
            const uint32_t half = double_to_half(sum);
            word = index % 2 == 0 ? half : word | half << 16;
        }
    }
}

void product_of_integers(Warp& warp, const Instruction* at, bool adds) {
    const auto columns = static_cast<uint32_t>(at->immediate);
    constexpr uint32_t depth = matrix::warp_shape(Element::s8).k;
    Operands<int32_t> operands;
    with_integer(element_of(at, aux_of::a_shift), [&]<Element E> { read_a_as<E>(warp, at, operands.a); });
    with_integer(element_of(at, aux_of::b_shift), [&]<Element E> { read_b_as<E>(warp, at, operands.b, columns); });
    // Products of one instruction: less than 2^21.
    alignas(64) int32_t sums[matrix::warp_rows * matrix::most_columns];
    std::memset(sums, 0, sizeof(int32_t) * matrix::warp_rows * columns);
    for (uint32_t i = 0; i < matrix::warp_rows; ++i) {
        int32_t* const row = sums + i * columns;
        for (uint32_t k = 0; k < depth; ++k) {
            const int32_t factor = operands.a[i * depth + k];
            const int32_t* const other = operands.b + k * columns;
            for (uint32_t j = 0; j < columns; ++j)
                row[j] += factor * other[j];
        }
    }
    const bool saturates = (at->aux & aux_of::saturates) != 0;
    for (uint32_t index = 0; index < columns / 2; ++index) {
        uint32_t* const row = accumulators(warp, index);
        for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
            int64_t sum = sums[place_of(lane, index, columns)];
            if (adds) sum += static_cast<int32_t>(row[lane]);
            if (saturates) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            row[lane] = static_cast<uint32_t>(sum);
        }
    }
}

}  // namespace

const Instruction* warpgroup_product(Warp& warp, const Instruction* at) {
    leave_wide_vectors();
    require_warpgroup(warp, at);
    uint32_t predicate = warp.predicate(at->operand[2]);
    if ((at->aux & aux_of::negates_predicate) != 0) predicate = ~predicate;
    if (predicate != 0 && predicate != ~0u) {
        fault_at(warp, at, static_cast<unsigned>(__builtin_ctz(~predicate)), Fault::Kind::illegal_instruction,
                 "scales D otherwise than other threads of its warp");
    }
    if (matrix::is_integer(element_of(at, aux_of::a_shift)))
        product_of_integers(warp, at, predicate != 0);
    else
        product_of_floats(warp, at, predicate != 0);
    return at + 1;
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
