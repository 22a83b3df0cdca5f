// Calls, returns and the stack: the forms that PTX has, and how they are decoded. Source: PTX ISA 9.0, 9.7.12, 9.7.16.
#include "engine/instructions/calls/decode.hpp"
#include "engine/instructions/family.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view calls_forms[] = {
    "alloca|stacksave|stackrestore u32|u64",
    "ret uni?",
    "call uni?",
};

constexpr InstructionDecoding calls_instructions[] = {
    {"call", Opcode::call, &decode_call, &always<Unwritten::dropped>},
    {"ret", Opcode::ret, &decode_return, &always<Unwritten::dropped>},
    {"alloca", Opcode::alloca_, &decode_stack},
    {"stacksave", Opcode::stacksave, &decode_stack},
    {"stackrestore", Opcode::stackrestore, &decode_stack},
};

}  // namespace

template <>
FamilyDescription describe<Family::calls>() {
    return {calls_forms, calls_instructions};
}

}  // namespace cuprum::simulator
