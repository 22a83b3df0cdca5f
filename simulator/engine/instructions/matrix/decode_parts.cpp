#include "engine/instructions/matrix/decode_parts.hpp"

#include <algorithm>

namespace cuprum::simulator::matrix_decoding {

using matrix::Element;

namespace {

constexpr uint32_t rows_at_once = 6;

// The registers of an operand: in braces, or one alone.
std::vector<ptx::Operand> registers_of(FunctionDecoder& decoder, size_t index, uint32_t count) {
    const ptx::Operand& operand = decoder.operand(index);
    std::vector<ptx::Operand> registers =
        operand.kind == ptx::Operand::Kind::vector ? operand.elements : std::vector{operand};
    if (registers.size() != count) {
        decoder.invalid("operand " + std::to_string(index + 1) + " has " + std::to_string(registers.size()) +
                        " registers, expected " + std::to_string(count));
    }
    return registers;
}

}  // namespace

Element element_of(const FunctionDecoder& decoder, ScalarType type) {
    switch (type) {
        case ScalarType::f16:
            return Element::f16;
        case ScalarType::bf16:
            return Element::bf16;
        case ScalarType::tf32:
            return Element::tf32;
        case ScalarType::f32:
            return Element::f32;
        case ScalarType::f64:
            return Element::f64;
        case ScalarType::e4m3:
            return Element::e4m3;
        case ScalarType::e5m2:
            return Element::e5m2;
        case ScalarType::e2m3:
            return Element::e2m3;
        case ScalarType::e3m2:
            return Element::e3m2;
        case ScalarType::e2m1:
            return Element::e2m1;
        case ScalarType::s8:
            return Element::s8;
        case ScalarType::u8:
            return Element::u8;
        case ScalarType::s4:
            return Element::s4;
        case ScalarType::u4:
            return Element::u4;
        case ScalarType::s32:
            return Element::s32;
        case ScalarType::b1:
            return Element::b1;
        default:
            decoder.invalid("no matrix has elements of this type");
    }
}

ScalarType register_of(Element element) {
    switch (element) {
        case Element::f64:
            return ScalarType::f64;
        case Element::f32:
            return ScalarType::f32;
        case Element::s32:
            return ScalarType::s32;
        default:
            return ScalarType::b32;
    }
}

void emit_meeting(FunctionDecoder& decoder) {
    Form form;
    form.opcode = Opcode::bar;
    form.add(Modifier::warp);
    form.add(Modifier::sync);
    const Reference everyone = decoder.literal(~0u, 4);
    PendingInstruction& meeting = decoder.emit(decoder.select(form));
    decoder.use(meeting, 5, everyone);
    meeting.code.aux = warp_aux::literal_set | (decoder.checks().races ? warp_aux::noted : 0u);
}

void emit_rows(FunctionDecoder& decoder, Control control, uint32_t first_row, const std::vector<Reference>& registers) {
    for (uint32_t first = 0; first < registers.size(); first += rows_at_once) {
        const uint32_t count = std::min<uint32_t>(rows_at_once, static_cast<uint32_t>(registers.size()) - first);
        PendingInstruction& move = decoder.emit(decoder.control(control));
        move.code.aux = count << matrix::count_shift;
        move.code.immediate = (first_row + first) * matrix::row_bytes;
        move.code.displacement = static_cast<int32_t>(decoder.row_bytes(registers[first]));
        for (uint32_t k = 0; k < count; ++k) {
            if (control == Control::from_stage)
                decoder.define(move, k, registers[first + k]);
            else
                decoder.use(move, k, registers[first + k]);
        }
    }
}

std::vector<Reference> sources(FunctionDecoder& decoder, size_t operand, uint32_t count, ScalarType type) {
    std::vector<Reference> references;
    for (const ptx::Operand& part : registers_of(decoder, operand, count))
        references.push_back(decoder.source(part, type));
    return references;
}

std::vector<Reference> targets(FunctionDecoder& decoder, size_t operand, uint32_t count, ScalarType type) {
    std::vector<Reference> references;
    for (const ptx::Operand& part : registers_of(decoder, operand, count))
        references.push_back(decoder.target(part, type));
    return references;
}

}  // namespace cuprum::simulator::matrix_decoding
