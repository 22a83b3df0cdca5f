// Decoding of lop3.
#include "engine/instructions/bits/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {

// With .and or .or there is a predicate more: whether the result has a bit set, combined with the last operand.
void decode_lop3(FunctionDecoder& decoder) {
    Form form = decoder.form();
    uint32_t combine = 0;
    if (form.take(Modifier::and_)) combine = 1;
    if (form.take(Modifier::or_)) combine = 2;
    const size_t count = combine != 0 ? 6 : 5;
    decoder.expect_operands(count, count);
    if (decoder.operand(4).kind != ptx::Operand::Kind::immediate || decoder.operand(4).bits > 255) {
        decoder.invalid("the look-up table must be a literal from 0 to 255");
    }
    const Handlers handlers = decoder.select(form);
    const bool two_results = decoder.operand(0).kind == ptx::Operand::Kind::pair;
    if (two_results != (combine != 0)) decoder.invalid("two results, d|p, go with .and or .or alone");
    const Reference d =
        decoder.target(two_results ? decoder.operand(0).elements[0] : decoder.operand(0), ScalarType::b32);
    std::array<Reference, 3> sources{};
    for (size_t k = 0; k < 3; ++k)
        sources[k] = decoder.source(decoder.operand(k + 1), ScalarType::b32);
    Reference flag = 0, other = 0;
    bool negated = false;
    if (combine != 0) {
        flag = decoder.target(decoder.operand(0).elements[1], ScalarType::pred);
        other = decoder.predicate_source(decoder.operand(5), negated);
    }
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    decoder.define(instruction, 0, d);
    for (unsigned k = 0; k < 3; ++k)
        decoder.use(instruction, k + 1, sources[k]);
    instruction.code.aux = static_cast<uint32_t>(decoder.operand(4).bits & 0xff);
    if (combine == 0) return;
    Form compare;
    compare.opcode = Opcode::setp;
    compare.types[compare.type_count++] = ScalarType::b32;
    compare.add(Modifier::ne);
    const Handlers compare_handlers = decoder.select(compare);
    const Reference zero = decoder.literal(0, 4);
    decoder.begin_guard();
    PendingInstruction& test = decoder.emit(compare_handlers);
    decoder.define(test, 0, flag);
    decoder.use(test, 2, d);
    decoder.use(test, 3, zero);
    decoder.use(test, 4, other);
    test.code.aux = combine | (negated ? 4 : 0);
}

}  // namespace cuprum::simulator
