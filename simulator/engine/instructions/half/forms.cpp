// Arithmetic of f16 and bf16, one by one and in pairs: the forms that PTX has, and how they are decoded. Source: PTX
// ISA 9.0, 9.7.4.
#include "engine/instructions/family.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view half_forms[] = {
    "add rn? ftz? sat? $half",     "90 add rn? $bfloat",
    "sub rn? ftz? sat? $half",     "90 sub rn? $bfloat",
    "mul rn? ftz? sat? $half",     "90 mul rn? $bfloat",
    "abs|neg ftz? $half",          "80 abs|neg $bfloat",
    "80 min|max ftz? NaN? $half",  "86 min|max ftz? NaN? xorsign abs $half",
    "80 min|max NaN? $bfloat",     "86 min|max NaN? xorsign abs $bfloat",
    "fma rn ftz? sat? $half",      "80 fma rn ftz? relu $half",
    "80 fma rn relu? $bfloat",     "ex2 approx $half",
    "90 ex2 approx ftz $bfloat",   "tanh approx $half",
    "90 tanh approx $bfloat",      "90 fma rn oob relu? $half",
    "90 fma rn oob relu? $bfloat", "90 fma rn oob sat $half",
};

constexpr InstructionDecoding half_instructions[] = {
    {"add", Opcode::add, "ttt"}, {"sub", Opcode::sub, "ttt"},  {"mul", Opcode::mul, "ttt"}, {"min", Opcode::min, "ttt"},
    {"max", Opcode::max, "ttt"}, {"fma", Opcode::fma, "tttt"}, {"abs", Opcode::abs, "tt"},  {"neg", Opcode::neg, "tt"},
    {"ex2", Opcode::ex2, "tt"},  {"tanh", Opcode::tanh, "tt"},
};

}  // namespace

template <>
FamilyDescription describe<Family::half>() {
    return {half_forms, half_instructions};
}

}  // namespace cuprum::simulator
