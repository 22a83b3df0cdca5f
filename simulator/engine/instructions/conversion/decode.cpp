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

bool is_vector_of_four(ScalarType type) {
    using enum ScalarType;
    return type == e4m3x4 || type == e5m2x4 || type == e2m3x4 || type == e3m2x4 || type == e2m1x4;
}

// To or from narrow formats: a result, two or four floats or one packed operand, then random bits (.rs) or the factors
// (.scaled).
void decode_convert_narrow(FunctionDecoder& decoder) {
    const Form& form = decoder.form();
    const ScalarType to = form.type(0), from = form.type(1);
    const bool random = form.has(Modifier::rs), scaled = form.has(Modifier::scaled);
    const Handlers handlers = [&] {
        Form taken = form;
        return decoder.select(taken);
    }();
    const bool pair_of_floats = from == ScalarType::f32 && !is_vector_of_four(to);
    const size_t count = 2 + (pair_of_floats ? 1 : 0) + (random || scaled ? 1 : 0);
    decoder.expect_operands(count, count);
    std::vector<Reference> sources;
    if (is_vector_of_four(to)) {
        const ptx::Operand& four = decoder.operand(1);
        if (four.kind != ptx::Operand::Kind::vector || four.elements.size() != 4)
            decoder.invalid("expected a vector of four floats");
        for (const ptx::Operand& one : four.elements)
            sources.push_back(decoder.source(one, from));
    } else {
        sources.push_back(decoder.source(decoder.operand(1), from));
        if (pair_of_floats) sources.push_back(decoder.source(decoder.operand(2), from));
    }
    if (random || scaled)
        sources.push_back(decoder.bits_source(decoder.operand(count - 1), random ? ScalarType::b32 : ScalarType::b16));
    const Reference result = decoder.target(decoder.operand(0), to);
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    instruction.code.aux = FunctionDecoder::rounding_aux(form);
    decoder.define(instruction, 0, result);
    for (unsigned k = 0; k < sources.size(); ++k)
        decoder.use(instruction, k + 1, sources[k]);
}

}  // namespace

void decode_convert(FunctionDecoder& decoder) {
    const Form& form = decoder.form();
    const ScalarType to = form.type(0), from = form.type(1);
    if (form.has(Modifier::pack)) return decode_convert_pack(decoder);
    if (is_narrow(to) || is_narrow(from)) return decode_convert_narrow(decoder);
    // Two floats become a pair of halves: one operand more.
    const bool pair = from == ScalarType::f32 && is_packed(to);
    decoder.decode_arithmetic(form.has(Modifier::rs) ? "t22r" : pair ? "t22" : "t2");
}

}  // namespace cuprum::simulator
