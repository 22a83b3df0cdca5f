// Decoding of arithmetic, comparisons, conversions, moves and address conversions.
#include "engine/program/decoder.hpp"

#include <cstring>

#include "engine/instructions/floating_point/float_aux.hpp"

namespace cuprum::simulator {
namespace {

ScalarType widened(ScalarType type) {
    switch (type) {
        case ScalarType::u16:
            return ScalarType::u32;
        case ScalarType::s16:
            return ScalarType::s32;
        case ScalarType::u32:
            return ScalarType::u64;
        case ScalarType::s32:
            return ScalarType::s64;
        default:
            return type;
    }
}

}  // namespace

// How a result is rounded and what is done to it, for the handlers that look at it while running.
uint32_t FunctionDecoder::rounding_aux(const Form& form) {
    uint32_t aux = 0;
    if (form.has(Modifier::rz)) aux |= float_aux::zero;
    if (form.has(Modifier::rm)) aux |= float_aux::down;
    if (form.has(Modifier::rp)) aux |= float_aux::up;
    if (form.has(Modifier::rni)) aux |= float_aux::to_nearest_integer;
    if (form.has(Modifier::rzi)) aux |= float_aux::to_integer_towards_zero;
    if (form.has(Modifier::rmi)) aux |= float_aux::to_integer_below;
    if (form.has(Modifier::rpi)) aux |= float_aux::to_integer_above;
    if (form.has(Modifier::ftz)) aux |= float_aux::flush;
    if (form.has(Modifier::sat)) aux |= float_aux::saturate;
    if (form.has(Modifier::relu)) aux |= float_aux::relu;
    if (form.has(Modifier::satfinite)) aux |= float_aux::finite;
    return aux;
}

void FunctionDecoder::decode_arithmetic(const char* signature) {
    const ScalarType first = form_.type(0);
    const bool wide = form_.has(Modifier::wide);
    const bool signed_carry = is_signed_integer(first);
    const Opcode opcode = form_.opcode;
    Form form = form_;
    const size_t count = std::strlen(signature);
    expect_operands(count, count);
    const Handlers handlers = select(form);
    std::array<Reference, 6> references{};
    // cvt alone takes registers wider than its types (ISA 9.4.1): the low part of a source, a result that is extended.
    Reference wide_result = 0;
    bool extends = false;
    for (size_t k = 0; k < count; ++k) {
        ScalarType type = first;
        switch (signature[k]) {
            case 'w':
                type = wide ? widened(first) : first;
                break;
            case '2':
                type = form_.type(1);
                break;
            case 'm':
                if (form_.type_count > 1) type = form_.type(1);
                break;
            case 'u':
                type = ScalarType::u32;
                break;
            case 'p':
                type = ScalarType::pred;
                break;
            case 'r':
                references[k] = bits_source(operand(k), ScalarType::b32);
                continue;
            default:
                break;
        }
        const bool wider = opcode == Opcode::cvt && operand(k).kind == ptx::Operand::Kind::reg &&
                           register_bytes(register_types_[operand(k).index]) == 8 && register_bytes(type) == 4;
        if (wider) check_register(operand(k).index, type);
        if (wider && k == 0) {
            extends = true;
            wide_result = operand(k).index;
            references[k] = scratch(type);
        } else if (wider) {
            references[k] = scratch(type);
            PendingInstruction& narrow = emit(select_conversion(ScalarType::u32, ScalarType::u64));
            define(narrow, 0, references[k]);
            use(narrow, 1, operand(k).index);
        } else {
            references[k] = k == 0 ? target(operand(k), type) : source(operand(k), type);
        }
    }
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, references[0]);
    for (unsigned k = 1; k < count; ++k)
        use(instruction, k, references[k]);
    if ((opcode == Opcode::mad || opcode == Opcode::madc) && !is_float(first)) {
        instruction.code.aux = signed_carry ? 1 : 0;
    } else {
        instruction.code.aux = rounding_aux(form_);
    }
    if (extends) {
        begin_guard();
        PendingInstruction& extend =
            emit(select_conversion(ScalarType::u64, is_signed_integer(first) ? ScalarType::s32 : ScalarType::u32));
        define(extend, 0, wide_result);
        use(extend, 1, references[0]);
    }
}

Handlers FunctionDecoder::select_conversion(ScalarType to, ScalarType from) const {
    Form form;
    form.opcode = Opcode::cvt;
    form.types = {to, from};
    form.type_count = 2;
    return select(form);
}

}  // namespace cuprum::simulator
