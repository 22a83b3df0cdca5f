// Products of matrices, and the stage that their operands lie on. Source: PTX ISA 9.0, 9.7.14.
#include "engine/execution/lanes.hpp"
#include "engine/instructions/matrix/block_scale.hpp"
#include "engine/instructions/matrix/elements.hpp"
#include "engine/instructions/matrix/quad_pairs.hpp"
#include "engine/instructions/matrix/sparsity.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

using elements::value_of;
using matrix::Element;
using matrix::Matrix;
using matrix::Shape;

constexpr uint32_t most_elements = 32 * 32;  // of a matrix of any shape

const std::byte* stage_of(const Warp& warp, Matrix which) {
    return warp.stage + which * matrix::most_registers * matrix::row_bytes;
}

// displacement: bytes of a lane's register.
template <bool To>
const Instruction* stage_rows(Warp& warp, const Instruction* at) {
    const uint32_t count = at->aux >> matrix::count_shift & 15;
    const size_t bytes = static_cast<size_t>(at->displacement) * lanes_per_warp;
    std::byte* place = warp.stage + at->immediate;
    for (uint32_t k = 0; k < count; ++k, place += matrix::row_bytes) {
        std::byte* const row = warp.row<std::byte>(at->operand[k]);
        std::memcpy(To ? place : row, To ? row : place, bytes);
    }
    return at + 1;
}

// A fragment's elements into a matrix, dense by rows.
template <Element E, class Value>
void gather_as(const Warp& warp, const Shape& shape, Matrix which, matrix::Layout layout, Value* values) {
    constexpr uint32_t together = matrix::per_register(E), bits = matrix::bits_of(E);
    const uint32_t count = shape.rows(which) * shape.columns(which) / lanes_per_warp;
    for (uint32_t index = 0; index < count; ++index, layout += lanes_per_warp) {
        const std::byte* const row = stage_of(warp, which) + index / together * matrix::row_bytes;
        const uint32_t shift = index % together * bits;
        Value found[lanes_per_warp];
        for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
            if constexpr (E == Element::f64) {
                found[lane] = static_cast<Value>(value_of<E>(reinterpret_cast<const uint64_t*>(row)[lane]));
            } else {
                constexpr uint32_t mask = bits == 32 ? ~0u : (1u << bits % 32) - 1;
                const uint32_t word = reinterpret_cast<const uint32_t*>(row)[lane] >> shift & mask;
                found[lane] = static_cast<Value>(value_of<E>(word));
            }
        }
        for (uint32_t lane = 0; lane < lanes_per_warp; ++lane)
            values[layout[lane]] = found[lane];
    }
}

template <class Value>
void gather(const Warp& warp, const Shape& shape, Matrix which, matrix::Layout layout, Value* values) {
    using enum Element;
    const auto as = [&]<Element E> { gather_as<E>(warp, shape, which, layout, values); };
    if constexpr (std::is_same_v<Value, int32_t>) {
        switch (shape.elements[which]) {
            case s8:
                return as.template operator()<s8>();
            case u8:
                return as.template operator()<u8>();
            case s4:
                return as.template operator()<s4>();
            case u4:
                return as.template operator()<u4>();
            default:
                return as.template operator()<s32>();
        }
    } else {
        switch (shape.elements[which]) {
            case f16:
                return as.template operator()<f16>();
            case bf16:
                return as.template operator()<bf16>();
            case tf32:
                return as.template operator()<tf32>();
            case e4m3:
                return as.template operator()<e4m3>();
            case e5m2:
                return as.template operator()<e5m2>();
            case e2m3:
                return as.template operator()<e2m3>();
            case e3m2:
                return as.template operator()<e3m2>();
            case e2m1:
                return as.template operator()<e2m1>();
            case packed_e2m1:
                return as.template operator()<packed_e2m1>();
            case f64:
                return as.template operator()<f64>();
            default:
                return as.template operator()<f32>();
        }
    }
}

// The results into the fragment of D.
template <Element E, class Value>
void scatter(Warp& warp, const Shape& shape, matrix::Layout layout, const Value* values) {
    constexpr uint32_t together = matrix::per_register(E);
    std::byte* const stage = warp.stage + matrix::d * matrix::most_registers * matrix::row_bytes;
    const uint32_t count = shape.m * shape.n / lanes_per_warp;
    for (uint32_t index = 0; index < count; ++index, layout += lanes_per_warp) {
        std::byte* const row = stage + index / together * matrix::row_bytes;
        for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
            const Value value = values[layout[lane]];
            if constexpr (E == Element::f64) {
                reinterpret_cast<uint64_t*>(row)[lane] = double_bits(value);
            } else if constexpr (E == Element::f32) {
                reinterpret_cast<uint32_t*>(row)[lane] = float_bits(canonical(static_cast<float>(value)));
            } else if constexpr (E == Element::f16) {
                // The lower half first: it clears the register.
                uint32_t& word = reinterpret_cast<uint32_t*>(row)[lane];
                const uint32_t half = double_to_half(static_cast<double>(value));
                word = index % 2 == 0 ? half : word | half << 16;
            } else {
                reinterpret_cast<uint32_t*>(row)[lane] = static_cast<uint32_t>(value);
            }
        }
    }
}

// What is multiplied.
struct Factors {
    Shape shape;    // B's and the accumulators' sizes
    Shape a_sizes;  // A's, as it is held
    matrix::Layout of_a = nullptr, of_b = nullptr, of_c = nullptr, of_d = nullptr;
    bool picks = false;           // the rows of B, with which A's elements are multiplied; else it is by their columns
    uint8_t rows[most_elements];  // those

    uint32_t row_of_b(uint32_t i, uint32_t column) const { return picks ? rows[i * a_sizes.k + column] : column; }
};

void read_metadata(const Warp& warp, uint32_t selector, Factors& factors) {
    const Shape& shape = factors.shape;
    const Element element = shape.elements[matrix::a];
    factors.picks = true;
    factors.a_sizes = matrix::stored(shape);
    const auto* const words = reinterpret_cast<const uint32_t*>(warp.stage + matrix::metadata_row * matrix::row_bytes);
    for (uint32_t i = 0; i < shape.m; ++i) {
        for (uint32_t index = 0; index < factors.a_sizes.k; ++index) {
            const auto [lane, shift] =
                matrix::metadata_place(shape, selector, i, index / matrix::stored_in_chunk(element));
            factors.rows[i * factors.a_sizes.k + index] =
                static_cast<uint8_t>(matrix::column_of(element, index, words[lane] >> shift));
        }
    }
}

template <Matrix Which, Element E>
matrix::Layout stacked_layout(bool by_columns) {
    return by_columns ? matrix::stacked_layout<Which, E, true>.data() : matrix::stacked_layout<Which, E, false>.data();
}
matrix::Layout stacked_accumulator(Element element) {
    return element == Element::f16 ? stacked_layout<matrix::c, Element::f16>(false)
                                   : stacked_layout<matrix::c, Element::f32>(false);
}

void stack_quad_pairs(uint32_t aux, Factors& factors) {
    const Shape shape = factors.shape;
    factors.shape = matrix::stacked(shape, matrix::b);
    factors.a_sizes = matrix::stacked(shape, matrix::a);
    factors.of_a = stacked_layout<matrix::a, Element::f16>((aux & matrix::a_by_columns) != 0);
    factors.of_b = stacked_layout<matrix::b, Element::f16>((aux & matrix::b_by_columns) != 0);
    factors.of_c = stacked_accumulator(shape.elements[matrix::c]);
    factors.of_d = stacked_accumulator(shape.elements[matrix::d]);
    factors.picks = true;
    for (uint32_t i = 0; i < factors.a_sizes.m; ++i) {
        for (uint32_t column = 0; column < factors.a_sizes.k; ++column)
            factors.rows[i * factors.a_sizes.k + column] = static_cast<uint8_t>(matrix::stacked_row_of_b(i, column));
    }
}

template <class Factor>
void add_products(const Factors& factors, const Factor* a, const Factor* b, double* sums) {
    const Shape& shape = factors.shape;
    for (uint32_t i = 0; i < shape.m; ++i) {
        double* const row = sums + i * shape.n;
        for (uint32_t k = 0; k < factors.a_sizes.k; ++k) {
            const double factor = a[i * factors.a_sizes.k + k];
            const Factor* const other = b + factors.row_of_b(i, k) * shape.n;
            for (uint32_t j = 0; j < shape.n; ++j)
                row[j] += factor * other[j];
        }
    }
}

void scatter_floats(Warp& warp, const Factors& factors, const double* sums) {
    if (factors.shape.elements[matrix::d] == Element::f16)
        scatter<Element::f16>(warp, factors.shape, factors.of_d, sums);
    else
        scatter<Element::f32>(warp, factors.shape, factors.of_d, sums);
}

// Products of 8-, 16- and 19-bit floats are exact in double precision, and so, but for the last bits of it, are their
// sums; they are rounded once, to the nearest result. The ISA leaves order and precision of the sum open.
void product_of_floats(Warp& warp, const Factors& factors) {
    const Shape& shape = factors.shape;
    alignas(64) float a[most_elements], b[most_elements];
    alignas(64) double sums[most_elements];
    gather(warp, factors.a_sizes, matrix::a, factors.of_a, a);
    gather(warp, shape, matrix::b, factors.of_b, b);
    gather(warp, shape, matrix::c, factors.of_c, sums);
    add_products(factors, a, b, sums);
    scatter_floats(warp, factors, sums);
}

double scale_of(uint32_t byte, bool is_e4m3) {
    // ue4m3 has no sign: its bit is not looked at.
    if (is_e4m3) return value_of<Element::e4m3>(byte & 0x7f);
    return byte == 0xff ? static_cast<double>(NAN) : bits_double(uint64_t{byte + 1023 - 127} << 52);
}

// The scales of all rows of A or columns of B, those of a row or column side by side. Selectors in registers are the
// same in all lanes, and of a number that is none the lower bits count.
void read_scales(const Warp& warp, Matrix which, uint32_t aux, uint32_t lines, double* scales) {
    const uint32_t chunks = 1u << (aux >> matrix::scale_chunks_shift & 3);
    const auto row = [&](uint32_t operand) {
        return reinterpret_cast<const uint32_t*>(warp.stage + (matrix::scale_row(which) + operand) * matrix::row_bytes);
    };
    const uint32_t first_byte = row(1)[0] & (4 - chunks), thread = row(2)[0] & (matrix::thread_selectors(which) - 1);
    for (uint32_t line = 0; line < lines; ++line) {
        const uint32_t word = row(0)[matrix::scale_lane(which, line, thread)] >> 8 * first_byte;
        for (uint32_t chunk = 0; chunk < chunks; ++chunk)
            *scales++ = scale_of(word >> 8 * chunk & 0xff, (aux & matrix::scales_e4m3) != 0);
    }
}

// Scaled elements are exact in double precision, and so are their products.
void product_of_scaled(Warp& warp, const Factors& factors, uint32_t aux) {
    const Shape& shape = factors.shape;
    alignas(64) double a[most_elements], b[most_elements], sums[most_elements];
    gather(warp, factors.a_sizes, matrix::a, factors.of_a, a);
    gather(warp, shape, matrix::b, factors.of_b, b);
    gather(warp, shape, matrix::c, factors.of_c, sums);
    constexpr uint32_t most_lines = 16, most_chunks = 4;
    double scales[most_lines * most_chunks];
    const uint32_t chunks = 1u << (aux >> matrix::scale_chunks_shift & 3);
    read_scales(warp, matrix::a, aux, shape.m, scales);
    for (uint32_t i = 0; i < shape.m; ++i) {
        for (uint32_t k = 0; k < factors.a_sizes.k; ++k)
            a[i * factors.a_sizes.k + k] *= scales[i * chunks + factors.row_of_b(i, k) * chunks / shape.k];
    }
    read_scales(warp, matrix::b, aux, shape.n, scales);
    for (uint32_t k = 0; k < shape.k; ++k) {
        for (uint32_t j = 0; j < shape.n; ++j)
            b[k * shape.n + j] *= scales[j * chunks + k * chunks / shape.k];
    }
    add_products(factors, a, b, sums);
    scatter_floats(warp, factors, sums);
}

// One fused multiplication and addition after the other, along k.
void product_of_doubles(Warp& warp, const Factors& factors) {
    const Shape& shape = factors.shape;
    alignas(64) double a[most_elements], b[most_elements], sums[most_elements];
    gather(warp, shape, matrix::a, factors.of_a, a);
    gather(warp, shape, matrix::b, factors.of_b, b);
    gather(warp, shape, matrix::c, factors.of_c, sums);
    for (uint32_t i = 0; i < shape.m; ++i) {
        for (uint32_t k = 0; k < shape.k; ++k) {
            for (uint32_t j = 0; j < shape.n; ++j)
                sums[i * shape.n + j] = __builtin_fma(a[i * shape.k + k], b[k * shape.n + j], sums[i * shape.n + j]);
        }
    }
    scatter<Element::f64>(warp, shape, factors.of_d, sums);
}

// The sum of a row's products fits in 32 bits, as long as bytes are multiplied; with what is added to it need not.
void product_of_integers(Warp& warp, const Factors& factors, bool saturates) {
    const Shape& shape = factors.shape;
    constexpr uint32_t most_columns = 32;
    alignas(64) int32_t a[most_elements], b[most_elements], c[most_elements];
    gather(warp, factors.a_sizes, matrix::a, factors.of_a, a);
    gather(warp, shape, matrix::b, factors.of_b, b);
    gather(warp, shape, matrix::c, factors.of_c, c);
    for (uint32_t i = 0; i < shape.m; ++i) {
        alignas(64) int32_t products[most_columns] = {};
        for (uint32_t k = 0; k < factors.a_sizes.k; ++k) {
            const int32_t factor = a[i * factors.a_sizes.k + k];
            const int32_t* const other = b + factors.row_of_b(i, k) * shape.n;
            for (uint32_t j = 0; j < shape.n; ++j)
                products[j] += factor * other[j];
        }
        for (uint32_t j = 0; j < shape.n; ++j) {
            int64_t sum = int64_t{c[i * shape.n + j]} + products[j];
            if (saturates) {
                sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            }
            c[i * shape.n + j] = static_cast<int32_t>(sum);
        }
    }
    scatter<Element::s32>(warp, shape, factors.of_d, c);
}

// A register holds 32 bits that are neighbours along k.
void product_of_bits(Warp& warp, const Factors& factors, bool conjoins) {
    const Shape& shape = factors.shape;
    constexpr uint32_t word_bits = 32, most_words = 16 * 256 / word_bits;
    uint32_t a[most_words], b[most_words];  // a row of A and a column of B after the other
    int32_t c[most_elements];
    const uint32_t words = shape.k / word_bits;
    const auto collect = [&](Matrix which, uint32_t* lines) {
        for (uint32_t reg = 0; reg < matrix::mma_registers(shape, which); ++reg) {
            const auto* const row = reinterpret_cast<const uint32_t*>(stage_of(warp, which) + reg * matrix::row_bytes);
            for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
                const matrix::Place place = matrix::mma_place(shape, which, lane, reg * word_bits);
                const auto [line, along] = which == matrix::a ? place : matrix::Place{place.column, place.row};
                lines[line * words + along / word_bits] = row[lane];
            }
        }
    };
    collect(matrix::a, a);
    collect(matrix::b, b);
    gather(warp, shape, matrix::c, factors.of_c, c);
    for (uint32_t i = 0; i < shape.m; ++i) {
        for (uint32_t j = 0; j < shape.n; ++j) {
            int32_t count = 0;
            for (uint32_t k = 0; k < words; ++k) {
                const uint32_t left = a[i * words + k], right = b[j * words + k];
                count += __builtin_popcount(conjoins ? left & right : left ^ right);
            }
            // Sums that leave 32 bits wrap around.
            c[i * shape.n + j] =
                static_cast<int32_t>(static_cast<uint32_t>(c[i * shape.n + j]) + static_cast<uint32_t>(count));
        }
    }
    scatter<Element::s32>(warp, shape, factors.of_d, c);
}

const Instruction* product(Warp& warp, const Instruction* at) {
    if (warp.active != ~0u) {
        leave_wide_vectors();
        fault_incomplete_warp(warp, at);
    }
    Factors factors;
    factors.shape = factors.a_sizes = Shape::unpack(static_cast<uint64_t>(at->immediate));
    if ((at->aux & matrix::quad_pairs) != 0) {
        stack_quad_pairs(at->aux, factors);
    } else {
        matrix::Layouts layouts;
        std::memcpy(&layouts, at->operand.data(), sizeof(layouts));
        factors.of_a = layouts.of[matrix::a];
        factors.of_b = layouts.of[matrix::b];
        factors.of_c = factors.of_d = layouts.of[matrix::c];
        if ((at->aux & matrix::sparse) != 0) read_metadata(warp, at->aux >> matrix::selector_shift & 3, factors);
    }
    const Element element = factors.shape.elements[matrix::a];
    if ((at->aux & matrix::scaled) != 0)
        product_of_scaled(warp, factors, at->aux);
    else if (element == Element::b1)
        product_of_bits(warp, factors, (at->aux & matrix::conjoins) != 0);
    else if (matrix::is_integer(element))
        product_of_integers(warp, factors, (at->aux & matrix::saturates) != 0);
    else if (element == Element::f64)
        product_of_doubles(warp, factors);
    else
        product_of_floats(warp, factors);
    return at + 1;
}

Handlers matrix_control(Control which) {
    switch (which) {
        case Control::to_stage:
            return both(&stage_rows<true>);
        case Control::from_stage:
            return both(&stage_rows<false>);
        case Control::matrix_product:
            return both(&product);
        case Control::warpgroup_product:
            return both(&warpgroup_product);
        case Control::matrix_access:
            return both(&common<&matrix_access>);
        case Control::matrix_rows:
            return both(&common<&matrix_rows>);
        case Control::matrix_transpose:
            return both(&common<&matrix_transpose>);
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::matrix>() {
    return {.of_control = &matrix_control};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
