// Decoding of setp and set.
#include "engine/instructions/comparison/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

// What set writes where its comparison holds: 1.0, or all ones. Of a pair of comparisons, each half gets the lower half
// of it.
int64_t value_of_true(ScalarType type) {
    switch (type) {
        case ScalarType::f32:
            return 0x3f800000;
        case ScalarType::f16:
        case ScalarType::f16x2:
            return 0x3c00;
        case ScalarType::bf16:
        case ScalarType::bf16x2:
            return 0x3f80;
        case ScalarType::u16:
        case ScalarType::s16:
            return 0xffff;
        default:
            return 0xffffffff;
    }
}

}  // namespace

void decode_setp(FunctionDecoder& decoder) {
    uint32_t aux = 0;
    Form form = decoder.form();
    // The boolean operation comes after the comparison; both .and and a comparison never share a word here.
    if (form.take(Modifier::and_)) aux |= 1;
    if (form.take(Modifier::or_)) aux |= 2;
    if (form.take(Modifier::xor_)) aux |= 3;
    const bool combined = aux != 0;
    decoder.expect_operands(combined ? 4 : 3, combined ? 4 : 3);
    const ScalarType type = form.type(0);
    const Handlers handlers = decoder.select(form);
    const ptx::Operand& result = decoder.operand(0);
    Reference first = 0, second = 0;
    const bool of_pairs = type == ScalarType::f16x2 || type == ScalarType::bf16x2;
    if (of_pairs && result.kind != ptx::Operand::Kind::pair)
        decoder.invalid("a comparison of pairs gives two predicates, p|q");
    if (result.kind == ptx::Operand::Kind::pair) {
        if (type == ScalarType::f16 || type == ScalarType::bf16)
            decoder.invalid("a comparison of halves gives one predicate");
        first = decoder.target(result.elements[0], ScalarType::pred);
        second = decoder.target(result.elements[1], ScalarType::pred);
        aux |= 8;
    } else {
        first = decoder.target(result, ScalarType::pred);
    }
    const Reference a = decoder.source(decoder.operand(1), type);
    const Reference b = decoder.source(decoder.operand(2), type);
    Reference other = 0;
    if (combined) {
        bool negated = false;
        other = decoder.predicate_source(decoder.operand(3), negated);
        if (negated) aux |= 4;
    }
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    decoder.define(instruction, 0, first);
    if ((aux & 8) != 0) decoder.define(instruction, 1, second);
    decoder.use(instruction, 2, a);
    decoder.use(instruction, 3, b);
    if (combined) decoder.use(instruction, 4, other);
    instruction.code.aux = aux;
}

void decode_set(FunctionDecoder& decoder) {
    uint32_t aux = 0;
    Form form = decoder.form();
    if (form.take(Modifier::and_)) aux |= 1;
    if (form.take(Modifier::or_)) aux |= 2;
    if (form.take(Modifier::xor_)) aux |= 3;
    decoder.expect_operands(aux != 0 ? 4 : 3, aux != 0 ? 4 : 3);
    const ScalarType result_type = form.type(0), type = form.type(1);
    const Handlers handlers = decoder.select(form);
    const Reference result = decoder.target(decoder.operand(0), result_type);
    const Reference a = decoder.source(decoder.operand(1), type);
    const Reference b = decoder.source(decoder.operand(2), type);
    Reference other = 0;
    if (aux != 0) {
        bool negated = false;
        other = decoder.predicate_source(decoder.operand(3), negated);
        if (negated) aux |= 4;
    }
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    decoder.define(instruction, 0, result);
    decoder.use(instruction, 2, a);
    decoder.use(instruction, 3, b);
    if ((aux & 3) != 0) decoder.use(instruction, 4, other);
    instruction.code.aux = aux;
    instruction.code.immediate = value_of_true(result_type);
}

}  // namespace cuprum::simulator
