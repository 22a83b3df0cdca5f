// Arithmetic of single and double precision: the forms that PTX has, and how they are decoded. Source: PTX
// ISA 9.2, 9.7.3, 9.7.5.
#include "engine/instructions/family.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view floating_point_forms[] = {
    "add $round? ftz? sat? f32",
    "add $round? f64",
    "sub $round? ftz? sat? f32",
    "sub $round? f64",
    "mul $round? ftz? sat? f32",
    "mul $round? f64",
    "mad $round ftz? sat? f32",
    "mad $round f64",
    "div approx|full|rn|rz|rm|rp ftz? f32",
    "div $round f64",
    "abs|neg ftz? f32",
    "abs|neg f64",
    "100 min/3|max/3 ftz? NaN? abs? f32",
    "min|max ftz? f32",
    "80 min|max ftz? NaN f32",
    "86 min|max ftz? NaN? xorsign abs f32",
    "min|max f64",
    "fma $round ftz? sat? f32",
    "fma $round f64",
    "rcp|sqrt approx|rn|rz|rm|rp ftz? f32",
    "rcp|sqrt $round f64",
    "rcp approx ftz f64",
    "rsqrt approx ftz? f32|f64",
    "sin|cos|lg2|ex2 approx ftz? f32",
    "tanh approx f32",
    "copysign f32|f64",
    "100 add|sub|mul $round? ftz? f32x2",
    "100 fma $round ftz? f32x2",
    "100 add|sub $round? sat? f32 f16|bf16",
    "100 fma $round sat? f32 f16|bf16",
};

constexpr InstructionDecoding floating_point_instructions[] = {
    {"add", Opcode::add, "tmt"},     {"sub", Opcode::sub, "tmt"},
    {"mul", Opcode::mul, "ttt"},     {"div", Opcode::div, "ttt"},
    {"min", Opcode::min, "ttt"},     {"max", Opcode::max, "ttt"},
    {"min/3", Opcode::min3, "tttt"},  // no name that PTX text could have: read_form chooses by the operands
    {"max/3", Opcode::max3, "tttt"}, {"copysign", Opcode::copysign, "ttt", &always<Unwritten::bitwise>},
    {"fma", Opcode::fma, "tmmt"},    {"mad", Opcode::mad, "tttt"},
    {"abs", Opcode::abs, "tt"},      {"neg", Opcode::neg, "tt"},
    {"rcp", Opcode::rcp, "tt"},      {"sqrt", Opcode::sqrt, "tt"},
    {"rsqrt", Opcode::rsqrt, "tt"},  {"sin", Opcode::sin, "tt"},
    {"cos", Opcode::cos, "tt"},      {"lg2", Opcode::lg2, "tt"},
    {"ex2", Opcode::ex2, "tt"},      {"tanh", Opcode::tanh, "tt"},
};

}  // namespace

template <>
FamilyDescription describe<Family::floating_point>() {
    return {floating_point_forms, floating_point_instructions};
}

}  // namespace cuprum::simulator
