// Branches, what ends a thread or waits, and hints that nothing acts on: the forms that PTX has, and how they are
// decoded. Source: PTX ISA 9.0, 9.7.12, 9.7.17.
#include "engine/instructions/control_flow/decode.hpp"
#include "engine/instructions/family.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view control_flow_forms[] = {
    "pmevent mask?",
    "90 setmaxnreg inc|dec sync aligned u32",
    "90 griddepcontrol wait|launch_dependents",
    "trap",
    "brkpt",
    "exit",
    "bra uni?",
    "brx idx uni?",
    "nanosleep u32",
};

constexpr InstructionDecoding control_flow_instructions[] = {
    {"bra", Opcode::bra, &decode_branch},
    {"brx", Opcode::brx, &decode_branch_indexed},
    {"exit", Opcode::exit, &decode_exit},
    {"trap", Opcode::trap, &decode_trap},
    {"brkpt", Opcode::brkpt, &decode_breakpoint},
    {"nanosleep", Opcode::nanosleep, &decode_sleep},
    {"pmevent", Opcode::pmevent, &decode_event},
    {"setmaxnreg", Opcode::setmaxnreg, &decode_register_count},
    {"griddepcontrol", Opcode::griddepcontrol, &decode_dependency},
};

}  // namespace

template <>
FamilyDescription describe<Family::control_flow>() {
    return {control_flow_forms, control_flow_instructions};
}

}  // namespace cuprum::simulator
