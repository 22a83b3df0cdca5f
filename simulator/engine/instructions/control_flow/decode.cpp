// Decoding of branches, of what ends a thread or waits, and of hints that nothing acts on.
#include "engine/instructions/control_flow/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

uint64_t decode_number(const FunctionDecoder& decoder) {
    decoder.expect_operands(1, 1);
    if (decoder.operand(0).kind != ptx::Operand::Kind::immediate) decoder.invalid("expected a literal");
    return decoder.operand(0).bits;
}

}  // namespace

void decode_branch(FunctionDecoder& decoder) {
    decoder.expect_operands(1, 1);
    if (decoder.operand(0).kind != ptx::Operand::Kind::label) decoder.invalid("expected a label");
    PendingInstruction& branch =
        decoder.emit(decoder.control(decoder.instruction().guarded ? Control::branch : Control::jump));
    branch.branches = true;
    branch.target = decoder.operand(0).index;
    branch.ends_flow = !decoder.instruction().guarded;
    if (decoder.instruction().guarded) {
        branch.code.aux = decoder.instruction().guard_negated ? 1 : 0;
        decoder.use(branch, 0, decoder.instruction().guard_register);
        branch.decisive = 1;
    }
}

void decode_branch_indexed(FunctionDecoder& decoder) {
    decoder.expect_operands(2, 2);
    if (decoder.operand(1).kind != ptx::Operand::Kind::branch_targets)
        decoder.invalid("expected a list of branch targets");
    const Reference index = decoder.source(decoder.operand(0), ScalarType::u32);
    const size_t mark = decoder.begin_branch_around();
    PendingInstruction& branch = decoder.emit(decoder.control(Control::branch_indexed));
    decoder.use(branch, 0, index);
    branch.decisive = 1;
    branch.ends_flow = true;
    branch.table = static_cast<int32_t>(decoder.function().branch_tables.size());
    branch.code.aux = static_cast<uint32_t>(decoder.function().branch_tables.size());
    std::vector<int32_t> table;
    for (const uint32_t entry : decoder.parsed().branch_tables[decoder.operand(1).index])
        table.push_back(static_cast<int32_t>(entry));
    decoder.function().branch_tables.push_back(std::move(table));  // parsed indices until resolve_branches
    decoder.end_branch_around(mark);
}

void decode_exit(FunctionDecoder& decoder) {
    decoder.expect_operands(0, 0);
    decoder.emit_without_operands(Control::exit, true);
}

void decode_trap(FunctionDecoder& decoder) {
    decoder.expect_operands(0, 0);
    decoder.emit_without_operands(Control::trap, true);
}

void decode_breakpoint(FunctionDecoder& decoder) {
    decoder.expect_operands(0, 0);
    decoder.emit_without_operands(Control::breakpoint);
}

void decode_sleep(FunctionDecoder& decoder) {
    decoder.expect_operands(1, 1);
    decoder.source(decoder.operand(0), ScalarType::u32);
    decoder.emit_without_operands(Control::sleep);
}

void decode_event(FunctionDecoder& decoder) {
    const uint64_t event = decode_number(decoder);
    if (event > (decoder.form().has(Modifier::mask) ? 0xffff : 15)) decoder.invalid("there are events 0 to 15");
    decoder.emit_without_operands(Control::no_operation);
}

void decode_register_count(FunctionDecoder& decoder) {
    decode_number(decoder);
    decoder.emit_without_operands(Control::no_operation);
}

void decode_dependency(FunctionDecoder& decoder) {
    decoder.expect_operands(0, 0);
    decoder.emit_without_operands(Control::no_operation);
}

}  // namespace cuprum::simulator
