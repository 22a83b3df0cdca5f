// Decoding of cvt.
#include "engine/instructions/conversion/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

// cvt.pack: `immediate` says how many bits each part gets.
void decode_convert_pack(FunctionDecoder& decoder) {
    const bool has_rest = decoder.form().type_count == 3;
    decoder.expect_operands(has_rest ? 4 : 3, has_rest ? 4 : 3);
    const Handlers handlers = decoder.select(decoder.form());
    const Reference a = decoder.source(decoder.operand(1), ScalarType::s32);
    const Reference b = decoder.source(decoder.operand(2), ScalarType::s32);
    const Reference c = has_rest ? decoder.source(decoder.operand(3), ScalarType::b32) : decoder.literal(0, 4);
    const Reference result = decoder.target(decoder.operand(0), ScalarType::b32);
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    decoder.define(instruction, 0, result);
    decoder.use(instruction, 1, a);
    decoder.use(instruction, 2, b);
    decoder.use(instruction, 3, c);
}

}  // namespace

void decode_convert(FunctionDecoder& decoder) {
    const Form& form = decoder.form();
    if (form.has(Modifier::pack)) return decode_convert_pack(decoder);
    // Two floats become a pair: one operand more.
    decoder.decode_arithmetic(form.type(1) == ScalarType::f32 && is_pair(form.type(0)) ? "t22" : "t2");
}

}  // namespace cuprum::simulator
