// Decoding of what exchanges values within a warp.
#include "engine/instructions/warp/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {

// operand[5] is the set of lanes wherever there is one.
void decode_warp(FunctionDecoder& decoder) {
    Form form = decoder.form();
    const Handlers handlers = decoder.select(form);
    const size_t mark = decoder.begin_branch_around();
    const auto result_or_pair = [&](const ptx::Operand& result, ScalarType type, Reference& value, Reference& flag) {
        if (result.kind == ptx::Operand::Kind::pair) {
            value = decoder.target(result.elements[0], type);
            flag = decoder.target(result.elements[1], ScalarType::pred);
        } else {
            value = decoder.target(result, type);
            flag = decoder.scratch(ScalarType::pred);
        }
    };
    const auto use_set = [&](PendingInstruction& instruction, Reference members) {
        decoder.use(instruction, 5, members);
        if (decoder.checks().races) instruction.code.aux |= warp_aux::noted;
        if (decoder.is_literal(members)) {
            instruction.code.aux |= warp_aux::literal_set;
        }
    };
    switch (decoder.form().opcode) {
        case Opcode::activemask: {
            decoder.expect_operands(1, 1);
            const Reference result = decoder.target(decoder.operand(0), ScalarType::b32);
            decoder.define(decoder.emit(handlers), 0, result);
            break;
        }
        case Opcode::bar:
        case Opcode::barrier: {  // bar.warp.sync
            decoder.expect_operands(1, 1);
            const Reference members = decoder.source(decoder.operand(0), ScalarType::u32);
            PendingInstruction& instruction = decoder.emit(handlers);
            use_set(instruction, members);
            break;
        }
        case Opcode::shfl: {
            if (!decoder.form().has(Modifier::sync)) decoder.invalid("shfl without .sync does not exist from sm_70 on");
            decoder.expect_operands(5, 5);
            Reference value = 0, flag = 0;
            result_or_pair(decoder.operand(0), ScalarType::b32, value, flag);
            const Reference a = decoder.source(decoder.operand(1), ScalarType::b32);
            const Reference b = decoder.source(decoder.operand(2), ScalarType::b32);
            const Reference c = decoder.source(decoder.operand(3), ScalarType::b32);
            const Reference members = decoder.source(decoder.operand(4), ScalarType::u32);
            PendingInstruction& instruction = decoder.emit(handlers);
            decoder.define(instruction, 0, value);
            decoder.define(instruction, 1, flag);
            decoder.use(instruction, 2, a);
            decoder.use(instruction, 3, b);
            decoder.use(instruction, 4, c);
            use_set(instruction, members);
            break;
        }
        case Opcode::vote: {
            if (!decoder.form().has(Modifier::sync)) decoder.invalid("vote without .sync does not exist from sm_70 on");
            decoder.expect_operands(3, 3);
            const bool ballot = decoder.form().has(Modifier::ballot);
            const Reference result = decoder.target(decoder.operand(0), ballot ? ScalarType::b32 : ScalarType::pred);
            bool negated = false;
            const Reference predicate = decoder.predicate_source(decoder.operand(1), negated);
            const Reference members = decoder.source(decoder.operand(2), ScalarType::u32);
            PendingInstruction& instruction = decoder.emit(handlers);
            instruction.code.aux = negated ? warp_aux::negated : 0;
            decoder.define(instruction, 0, result);
            decoder.use(instruction, 1, predicate);
            use_set(instruction, members);
            break;
        }
        case Opcode::match: {
            decoder.expect_operands(3, 3);
            Reference value = 0, flag = 0;
            result_or_pair(decoder.operand(0), ScalarType::u32, value, flag);
            const Reference a = decoder.source(decoder.operand(1), decoder.form().type(0));
            const Reference members = decoder.source(decoder.operand(2), ScalarType::u32);
            PendingInstruction& instruction = decoder.emit(handlers);
            decoder.define(instruction, 0, value);
            decoder.define(instruction, 1, flag);
            decoder.use(instruction, 2, a);
            use_set(instruction, members);
            break;
        }
        case Opcode::redux: {
            decoder.expect_operands(3, 3);
            const Reference result = decoder.target(decoder.operand(0), decoder.form().type(0));
            const Reference a = decoder.source(decoder.operand(1), decoder.form().type(0));
            const Reference members = decoder.source(decoder.operand(2), ScalarType::u32);
            PendingInstruction& instruction = decoder.emit(handlers);
            decoder.define(instruction, 0, result);
            decoder.use(instruction, 1, a);
            use_set(instruction, members);
            break;
        }
        default: {  // elect
            decoder.expect_operands(2, 2);
            if (decoder.operand(0).kind != ptx::Operand::Kind::pair ||
                decoder.operand(0).elements[1].kind == ptx::Operand::Kind::sink) {
                decoder.invalid("expected two results, d|p");
            }
            Reference value = 0, flag = 0;
            result_or_pair(decoder.operand(0), ScalarType::u32, value, flag);
            const Reference members = decoder.source(decoder.operand(1), ScalarType::u32);
            PendingInstruction& instruction = decoder.emit(handlers);
            decoder.define(instruction, 0, value);
            decoder.define(instruction, 1, flag);
            use_set(instruction, members);
            break;
        }
    }
    decoder.end_branch_around(mark);
}

}  // namespace cuprum::simulator
