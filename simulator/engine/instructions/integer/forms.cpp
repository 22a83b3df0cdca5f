// Integer arithmetic: the forms that PTX has, and how they are decoded. Source: PTX ISA 9.0, 9.7.1, 9.7.2.
#include "engine/instructions/family.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view integer_forms[] = {
    "add $int",
    "90 add u16x2|s16x2",
    "add sat s32",
    "add cc $wideint",
    "addc cc? $wideint",
    "sub $int",
    "sub sat s32",
    "sub cc $wideint",
    "subc cc? $wideint",
    "mul lo|hi $int",
    "mul wide $short",
    "mad lo|hi $int",
    "mad wide $short",
    "mad hi sat s32",
    "mad lo|hi cc $wideint",
    "madc lo|hi cc? $wideint",
    "mul24 lo|hi $word",
    "mad24 lo|hi $word",
    "mad24 hi sat s32",
    "sad $int",
    "div $int",
    "rem $int",
    "abs|neg s16|s32|s64",
    "min|max $int",
    "90 min|max u16x2",
    "90 min|max relu? s16x2",
    "90 min|max relu s32",
    "dp4a $word $word",
    "dp2a lo|hi $word $word",
};

constexpr InstructionDecoding integer_instructions[] = {
    {"add", Opcode::add, "ttt"},
    {"addc", Opcode::addc, "ttt"},
    {"sub", Opcode::sub, "ttt"},
    {"subc", Opcode::subc, "ttt"},
    {"div", Opcode::div, "ttt"},
    {"rem", Opcode::rem, "ttt"},
    {"min", Opcode::min, "ttt"},
    {"max", Opcode::max, "ttt"},
    {"mul24", Opcode::mul24, "ttt"},
    {"mul", Opcode::mul, "wtt"},
    {"mad", Opcode::mad, "wttw"},
    {"madc", Opcode::madc, "tttt"},
    {"mad24", Opcode::mad24, "tttt"},
    {"sad", Opcode::sad, "tttt"},
    {"abs", Opcode::abs, "tt"},
    {"neg", Opcode::neg, "tt"},
    {"dp4a", Opcode::dp4a, "uuuu", &always<Unwritten::dropped>},
    {"dp2a", Opcode::dp2a, "uuuu", &always<Unwritten::dropped>},
};

}  // namespace

template <>
FamilyDescription describe<Family::integer>() {
    return {integer_forms, integer_instructions};
}

}  // namespace cuprum::simulator
