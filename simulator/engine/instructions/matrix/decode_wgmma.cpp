// Decoding of wgmma: products by a group of four warps.
#include "engine/instructions/matrix/decode.hpp"
#include "engine/instructions/matrix/decode_parts.hpp"
#include "engine/instructions/matrix/warpgroup.hpp"

namespace cuprum::simulator {
namespace {

using namespace matrix_decoding;
using matrix::Element;

uint32_t columns_of(const FunctionDecoder& decoder) {
    for (const std::string_view word : decoder.instruction().modifiers) {
        uint32_t columns = 0;
        Modifier modifier{};
        if (is_warpgroup_shape(word, columns, modifier)) return columns;
    }
    decoder.invalid("expected the sizes of the matrices");
}

bool is_register_list(const ptx::Operand& operand) {
    return operand.kind == ptx::Operand::Kind::vector;
}

// An operand that is one of two numbers; true if it is `yes`.
bool choice(const FunctionDecoder& decoder, size_t index, int64_t yes, int64_t no) {
    const ptx::Operand& operand = decoder.operand(index);
    const auto value = static_cast<int64_t>(operand.bits);
    if (operand.kind != ptx::Operand::Kind::immediate || (value != yes && value != no)) {
        decoder.invalid("operand " + std::to_string(index + 1) + " must be " + std::to_string(no) + " or " +
                        std::to_string(yes));
    }
    return value == yes;
}

// d, a, b, whether d is added to {, sign of a, sign of b {, is a transposed}, is b transposed}
void decode_product(FunctionDecoder& decoder) {
    namespace aux_of = matrix::warpgroup_aux;
    const Form& form = decoder.form();
    const uint32_t columns = columns_of(decoder);
    const Element d = element_of(decoder, form.type(0)), a = element_of(decoder, form.type(1)),
                  b = element_of(decoder, form.type(2));
    // Source: PTX ISA 9.0, 9.7.15.2.
    if (matrix::is_integer(a) && columns > 32 && columns % 16 != 0)
        decoder.invalid("of 8-bit integers D has 8, 16, 24, 32 or a multiple of 16 columns");
    const bool from_registers = is_register_list(decoder.operand(1));
    const bool transposable = matrix::bits_of(a) == 16;
    const size_t wanted = 4u + (matrix::is_integer(a) ? 0u : 2u) + (transposable ? (from_registers ? 1u : 2u) : 0u);
    decoder.expect_operands(wanted, wanted);
    uint32_t aux = static_cast<uint32_t>(a) << aux_of::a_shift | static_cast<uint32_t>(b) << aux_of::b_shift |
                   static_cast<uint32_t>(d) << aux_of::d_shift;
    const auto set = [&](uint32_t flag, bool wanted_so) { aux |= wanted_so ? flag : 0u; };
    set(aux_of::a_in_registers, from_registers);
    set(aux_of::saturates, form.has(Modifier::satfinite));
    if (!matrix::is_integer(a)) {
        set(aux_of::negates_a, choice(decoder, 4, -1, 1));
        set(aux_of::negates_b, choice(decoder, 5, -1, 1));
    }
    if (transposable) {
        if (!from_registers) set(aux_of::transposes_a, choice(decoder, 6, 1, 0));
        set(aux_of::transposes_b, choice(decoder, from_registers ? 6 : 7, 1, 0));
    }
    const uint32_t count = columns / (d == Element::f16 ? 4 : 2);
    const std::vector<Reference> results = targets(decoder, 0, count, register_of(d));
    const std::vector<Reference> added = sources(decoder, 0, count, register_of(d));
    const std::vector<Reference> registers =
        from_registers ? sources(decoder, 1, 4, ScalarType::b32) : std::vector<Reference>{};
    const Reference a_place = from_registers ? 0 : decoder.source(decoder.operand(1), ScalarType::b64);
    const Reference b_place = decoder.source(decoder.operand(2), ScalarType::b64);
    bool negated = false;
    const Reference adds = decoder.predicate_source(decoder.operand(3), negated);
    set(aux_of::negates_predicate, negated);
    const size_t mark = decoder.begin_branch_around();
    emit_meeting(decoder);
    emit_rows(decoder, Control::to_stage, first_row(matrix::a), registers);
    emit_rows(decoder, Control::to_stage, matrix::first_accumulator, added);
    PendingInstruction& product = decoder.emit(decoder.control(Control::warpgroup_product));
    product.code.aux = aux;
    product.code.immediate = columns;
    if (!from_registers) decoder.use(product, 0, a_place);
    decoder.use(product, 1, b_place);
    decoder.use(product, 2, adds);
    product.decisive = from_registers ? 6 : 7;
    emit_rows(decoder, Control::from_stage, matrix::first_accumulator, results);
    decoder.end_branch_around(mark);
}

}  // namespace

void decode_wgmma(FunctionDecoder& decoder) {
    const Form& form = decoder.form();
    if (form.has(Modifier::mma_async)) return decode_product(decoder);
    // Products are finished where they are asked for: nothing is left to wait for.
    const bool waits = form.has(Modifier::wait_group);
    decoder.expect_operands(waits ? 1 : 0, waits ? 1 : 0);
    if (waits && decoder.operand(0).kind != ptx::Operand::Kind::immediate) decoder.invalid("expected a number");
    const size_t mark = decoder.begin_branch_around();
    emit_meeting(decoder);
    decoder.end_branch_around(mark);
}

}  // namespace cuprum::simulator
