// Decoding of instructions on matrices.
#include "engine/instructions/matrix/decode.hpp"

#include <cstring>

#include "engine/instructions/matrix/block_scale.hpp"
#include "engine/instructions/matrix/decode_parts.hpp"
#include "engine/instructions/matrix/quad_pairs.hpp"
#include "engine/instructions/matrix/sparsity.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

using matrix::Element;
using matrix::Matrix;
using matrix::Shape;
using namespace matrix_decoding;

// Takes the sizes out of the form: m16n8k16.
Shape take_sizes(FunctionDecoder& decoder) {
    struct Named {
        Modifier word;
        uint32_t m, n, k;
    };
    using enum Modifier;
    for (const auto& [word, m, n, k] :
         {Named{m8n8k4, 8, 8, 4}, Named{m8n8k16, 8, 8, 16}, Named{m8n8k32, 8, 8, 32}, Named{m16n8k4, 16, 8, 4},
          Named{m16n8k8, 16, 8, 8}, Named{m16n8k16, 16, 8, 16}, Named{m16n8k32, 16, 8, 32}, Named{m16n8k64, 16, 8, 64},
          Named{m8n8k128, 8, 8, 128}, Named{m16n8k128, 16, 8, 128}, Named{m16n8k256, 16, 8, 256},
          Named{m16n16k8, 16, 16, 8}, Named{m16n16k16, 16, 16, 16}, Named{m32n8k16, 32, 8, 16},
          Named{m8n32k16, 8, 32, 16}}) {
        if (decoder.form().has(word)) return {m, n, k, {}};
    }
    decoder.invalid("expected the sizes of the matrices");
}

// The metadata of a sparse A, and the number that says which lanes hold it: `aux` gets the latter.
std::vector<Reference> take_metadata(FunctionDecoder& decoder, const Shape& shape, uint32_t& aux) {
    using enum ptx::Operand::Kind;
    const ptx::Operand& metadata = decoder.operand(4);
    if (metadata.kind != reg && metadata.kind != vector) decoder.invalid("operand 5, the metadata, must be a register");
    const ptx::Operand& selector = decoder.operand(5);
    const uint32_t selectors = matrix::group_lanes / matrix::metadata_lanes(shape);
    if (selector.kind != immediate || selector.bits >= selectors) {
        decoder.invalid("operand 6, the sparsity selector, must be " +
                        (selectors == 1 ? "0" : "a number from 0 to " + std::to_string(selectors - 1)));
    }
    aux |= static_cast<uint32_t>(selector.bits) << matrix::selector_shift;
    return sources(decoder, 4, 1, ScalarType::b32);
}

// One of the two numbers behind a word of scales, from 0 to below `count` in steps.
Reference take_scale_selector(FunctionDecoder& decoder, size_t operand, size_t index, uint32_t step, uint32_t count) {
    const ptx::Operand& selectors = decoder.operand(operand);
    const std::string name = "operand " + std::to_string(operand + 1);
    if (selectors.kind != ptx::Operand::Kind::vector || selectors.elements.size() != 2)
        decoder.invalid(name + ", the selectors of the scales, must be {byte, thread}");
    const ptx::Operand& selector = selectors.elements[index];
    if (selector.kind == ptx::Operand::Kind::immediate && (selector.bits >= count || selector.bits % step != 0)) {
        std::string allowed = "0";
        for (uint32_t number = step; number < count; number += step)
            allowed += (number + step < count ? ", " : " or ") + std::to_string(number);
        decoder.invalid(name + ", the selectors of the scales: the " + (index == 0 ? "byte" : "thread") + " must be " +
                        allowed);
    }
    return decoder.source(selector, ScalarType::u16);
}

// The scales of A or B, from an operand on: a word of them, then which byte and which thread.
std::vector<Reference> take_scales(FunctionDecoder& decoder, size_t operand, Matrix which, uint32_t aux) {
    const uint32_t chunks = 1u << (aux >> matrix::scale_chunks_shift & 3);
    std::vector<Reference> scales = sources(decoder, operand, 1, ScalarType::b32);
    scales.push_back(take_scale_selector(decoder, operand + 1, 0, chunks, 4));
    scales.push_back(take_scale_selector(decoder, operand + 1, 1, 1, matrix::thread_selectors(which)));
    return scales;
}

// d, a, b, c, with a sparse A its metadata and the sparsity selector, then the scales: the operands of mma and of
// wmma.mma.
void emit_product(FunctionDecoder& decoder, const Shape& shape, uint32_t aux) {
    const bool sparse = (aux & matrix::sparse) != 0, scaled = (aux & matrix::scaled) != 0;
    const size_t first_scale = sparse ? 6 : 4, operands = first_scale + (scaled ? 4 : 0);
    decoder.expect_operands(operands, operands);
    const bool quad_pairs = (aux & matrix::quad_pairs) != 0;
    const auto sizes = [&](Matrix which) {
        if (quad_pairs) return matrix::stacked(shape, which);
        return sparse && which == matrix::a ? matrix::stored(shape) : shape;
    };
    const auto count = [&](Matrix which) {
        return (aux & matrix::opaque) != 0 ? matrix::wmma_registers(shape, which)
                                           : matrix::mma_registers(sizes(which), which);
    };
    const auto type = [&](Matrix which) { return register_of(shape.elements[which]); };
    const std::vector<Reference> results = targets(decoder, 0, count(matrix::d), type(matrix::d));
    const std::vector<Reference> a = sources(decoder, 1, count(matrix::a), type(matrix::a));
    const std::vector<Reference> b = sources(decoder, 2, count(matrix::b), type(matrix::b));
    const std::vector<Reference> c = sources(decoder, 3, count(matrix::c), type(matrix::c));
    const std::vector<Reference> metadata = sparse ? take_metadata(decoder, shape, aux) : std::vector<Reference>{};
    std::vector<Reference> scales[2];
    for (const Matrix which : {matrix::a, matrix::b}) {
        if (scaled) scales[which] = take_scales(decoder, first_scale + 2 * which, which, aux);
    }
    const size_t mark = decoder.begin_branch_around();
    emit_meeting(decoder);
    emit_rows(decoder, Control::to_stage, first_row(matrix::a), a);
    emit_rows(decoder, Control::to_stage, first_row(matrix::b), b);
    emit_rows(decoder, Control::to_stage, first_row(matrix::c), c);
    emit_rows(decoder, Control::to_stage, matrix::metadata_row, metadata);
    for (const Matrix which : {matrix::a, matrix::b})
        emit_rows(decoder, Control::to_stage, matrix::scale_row(which), scales[which]);
    PendingInstruction& product = decoder.emit(decoder.control(Control::matrix_product));
    product.code.immediate = static_cast<int64_t>(shape.pack());
    product.code.aux = aux;
    if (!quad_pairs) {
        matrix::Layouts layouts{};
        for (const Matrix which : {matrix::a, matrix::b, matrix::c})
            layouts.of[which] = matrix::layout_of(sizes(which), which, (aux & matrix::opaque) != 0);
        std::memcpy(product.code.operand.data(), &layouts, sizeof(layouts));
    }
    emit_rows(decoder, Control::from_stage, first_row(matrix::d), results);
    decoder.end_branch_around(mark);
}

// The layouts, in the order in which they are written.
std::vector<std::string_view> layouts(const FunctionDecoder& decoder) {
    std::vector<std::string_view> found;
    for (const std::string_view word : decoder.instruction().modifiers) {
        if (word == "row" || word == "col") found.push_back(word);
    }
    return found;
}

bool by_rows_by_columns(const std::vector<std::string_view>& orders) {
    return orders == std::vector<std::string_view>{"row", "col"};
}

struct Address {
    Reference reference = 0;
    uint32_t aux = 0;
};
Address address_of(FunctionDecoder& decoder, size_t operand) {
    const Form& form = decoder.form();
    bool shared = form.has(Modifier::shared) || form.has(Modifier::shared_cta);
    Address address;
    bool narrow = false;
    address.reference = decoder.address_value(decoder.operand(operand),
                                              shared ? ptx::StateSpace::shared : ptx::StateSpace::global, narrow);
    // ptxas takes 32 bits of a generic address as one in shared memory here, and as the lower half of one in wmma.
    if (narrow && (form.opcode == Opcode::ldmatrix || form.opcode == Opcode::stmatrix)) shared = true;
    address.aux = (shared ? matrix::shared_address : 0u) | (narrow ? matrix::narrow_address : 0u);
    return address;
}

void emit_matrix_access(FunctionDecoder& decoder, const Shape& shape, Matrix which, bool stores) {
    const size_t operands = decoder.instruction().operands.size();
    decoder.expect_operands(2, 3);
    const bool has_stride = operands == 3;
    const uint32_t count = matrix::wmma_registers(shape, which);
    const ScalarType type = register_of(shape.elements[which]);
    const std::vector<Reference> registers =
        stores ? sources(decoder, 1, count, type) : targets(decoder, 0, count, type);
    const bool column_major = layouts(decoder).front() == "col";
    // Without a stride the matrix lies dense.
    const uint32_t dense = column_major ? shape.rows(which) : shape.columns(which);
    const Reference stride =
        has_stride ? decoder.source(decoder.operand(2), ScalarType::u32) : decoder.literal(dense, 4);
    const size_t mark = decoder.begin_branch_around();
    const Address address = address_of(decoder, stores ? 0 : 1);
    emit_meeting(decoder);
    if (stores) emit_rows(decoder, Control::to_stage, first_row(which), registers);
    PendingInstruction& access = decoder.emit(decoder.control(Control::matrix_access));
    access.code.immediate = static_cast<int64_t>(shape.pack());
    access.code.aux = address.aux | which << matrix::matrix_shift | (stores ? matrix::stores : 0u) |
                      (column_major ? matrix::transposes : 0u);
    access.code.cache = decoder.next_cache();
    decoder.use(access, 0, address.reference);
    decoder.use(access, 1, stride);
    access.decisive = 3;
    const matrix::Layout layout = matrix::layout_of(shape, which, true);
    std::memcpy(&access.code.operand[matrix::layout_operand], &layout, sizeof(layout));
    if (!stores) emit_rows(decoder, Control::from_stage, first_row(which), registers);
    decoder.end_branch_around(mark);
}

}  // namespace

void decode_mma(FunctionDecoder& decoder) {
    const Form& form = decoder.form();
    const std::vector<std::string_view> orders = layouts(decoder);
    const bool quad_pairs = form.has(Modifier::m8n8k4) && form.type(1) == ScalarType::f16;
    if (quad_pairs ? orders.size() != 2 : !by_rows_by_columns(orders))
        decoder.invalid(quad_pairs ? "expected the layouts of A and B" : "expected .row.col: A by rows, B by columns");
    Shape shape = take_sizes(decoder);
    shape.elements[matrix::d] = element_of(decoder, form.type(0));
    shape.elements[matrix::a] = element_of(decoder, form.type(1));
    shape.elements[matrix::b] = element_of(decoder, form.type(2));
    shape.elements[matrix::c] = element_of(decoder, form.type(3));
    if (form.has(Modifier::kind_mxf4) || form.has(Modifier::kind_mxf4nvf4))
        shape.elements[matrix::a] = shape.elements[matrix::b] = Element::packed_e2m1;
    uint32_t aux = 0;
    const auto set = [&](uint32_t flag, bool wanted) { aux |= wanted ? flag : 0u; };
    set(matrix::saturates, form.has(Modifier::satfinite));
    set(matrix::conjoins, form.has(Modifier::and_));
    set(matrix::sparse, form.has(Modifier::sparse) || form.has(Modifier::sparse_ordered));
    set(matrix::quad_pairs, quad_pairs);
    set(matrix::a_by_columns, quad_pairs && orders[0] == "col");
    set(matrix::b_by_columns, quad_pairs && orders[1] == "col");
    set(matrix::scaled, form.has(Modifier::block_scale));
    set(matrix::scales_e4m3, form.has(Modifier::scale_ue4m3));
    // Without a word of its own .kind::mxf4 has two chunks, .kind::mxf8f6f4 one.
    const bool four = form.has(Modifier::scale_vec_4);
    set(2u << matrix::scale_chunks_shift, four);
    set(1u << matrix::scale_chunks_shift, !four && (form.has(Modifier::scale_vec_2) || form.has(Modifier::kind_mxf4)));
    emit_product(decoder, shape, aux);
}

void decode_wmma(FunctionDecoder& decoder) {
    const Form& form = decoder.form();
    Shape shape = take_sizes(decoder);
    if (form.has(Modifier::mma)) {
        const std::vector<std::string_view> orders = layouts(decoder);
        if (orders.size() != 2) decoder.invalid("expected the layouts of A and B");
        const bool short_form = form.type_count == 2;  // of f16: only the types of D and C are said
        shape.elements[matrix::d] = element_of(decoder, form.type(0));
        shape.elements[matrix::a] = short_form ? Element::f16 : element_of(decoder, form.type(1));
        shape.elements[matrix::b] = short_form ? Element::f16 : element_of(decoder, form.type(2));
        shape.elements[matrix::c] = element_of(decoder, form.type(short_form ? 1 : 3));
        if (matrix::bits_of(shape.elements[matrix::a]) < 8 && !by_rows_by_columns(orders))
            decoder.invalid("expected .row.col: A by rows, B by columns");
        return emit_product(decoder, shape,
                            matrix::opaque | (form.has(Modifier::satfinite) ? matrix::saturates : 0u) |
                                (form.has(Modifier::and_) ? matrix::conjoins : 0u));
    }
    if (layouts(decoder).size() != 1) decoder.invalid("expected one layout");
    const Matrix which = form.has(Modifier::matrix_a)   ? matrix::a
                         : form.has(Modifier::matrix_b) ? matrix::b
                         : form.has(Modifier::matrix_c) ? matrix::c
                                                        : matrix::d;
    shape.elements[which] = element_of(decoder, form.type(0));
    emit_matrix_access(decoder, shape, which, form.has(Modifier::store));
}

void decode_matrix_move(FunctionDecoder& decoder) {
    const Form& form = decoder.form();
    decoder.expect_operands(2, 2);
    const bool stores = form.opcode == Opcode::stmatrix, moves = form.opcode == Opcode::movmatrix;
    const uint32_t count = form.has(Modifier::x4) ? 4 : form.has(Modifier::x2) ? 2 : 1;
    const uint32_t transposes = form.has(Modifier::trans) ? matrix::transposes : 0u;
    const std::vector<Reference> registers =
        stores || moves ? sources(decoder, 1, count, ScalarType::b32) : targets(decoder, 0, count, ScalarType::b32);
    const std::vector<Reference> moved = moves ? targets(decoder, 0, 1, ScalarType::b32) : std::vector<Reference>{};
    const size_t mark = decoder.begin_branch_around();
    const Address address = moves ? Address{} : address_of(decoder, stores ? 0 : 1);
    emit_meeting(decoder);
    if (stores || moves) emit_rows(decoder, Control::to_stage, first_row(matrix::a), registers);
    PendingInstruction& access =
        decoder.emit(decoder.control(moves ? Control::matrix_transpose : Control::matrix_rows));
    access.code.aux = address.aux | transposes | count << matrix::count_shift | (stores ? matrix::stores : 0u);
    access.code.cache = decoder.next_cache();
    if (!moves) {
        decoder.use(access, 0, address.reference);
        access.decisive = 1;
    }
    if (!stores) emit_rows(decoder, Control::from_stage, first_row(matrix::a), moves ? moved : registers);
    decoder.end_branch_around(mark);
}

}  // namespace cuprum::simulator
