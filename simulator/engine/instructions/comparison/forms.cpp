// Comparisons and selection: the forms that PTX has, and how they are decoded. Source: PTX ISA 9.0, 9.7.3
// (testp), 9.7.6.
#include "engine/instructions/comparison/decode.hpp"
#include "engine/instructions/family.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view comparison_forms[] = {
    "testp finite|infinite|number|notanumber|normal|subnormal f32|f64",
    "selp $any",
    "slct $any s32",
    "slct ftz? $any f32",
    "setp eq|ne $boolean? $bits",
    "setp $compare_int $boolean? u16|u32|u64",
    "setp $compare_signed $boolean? s16|s32|s64",
    "setp $compare_float $boolean? ftz? f32",
    "setp $compare_float $boolean? f64",
    "setp $compare_float $boolean? ftz? $half",
    "90 setp $compare_float $boolean? $bfloat",
    "set eq|ne $boolean? u32|s32|f32 $bits",
    "set $compare_int $boolean? u32|s32|f32 u16|u32|u64",
    "set $compare_signed $boolean? u32|s32|f32 s16|s32|s64",
    "set $compare_float $boolean? ftz? u32|s32|f32 f32",
    "set $compare_float $boolean? u32|s32|f32 f64",
    "set $compare_float $boolean? ftz? f16|u16|s16|u32|s32 f16",
    "set $compare_float $boolean? ftz? f16x2|u32|s32 f16x2",
    "90 set $compare_float $boolean? bf16|u16|s16|u32|s32 bf16",
    "90 set $compare_float $boolean? bf16x2|u32|s32 bf16x2",
};

Unwritten unwritten_in_setp(const Form& form) {
    return is_packed(form.type(0)) ? Unwritten::dropped : Unwritten::compared;
}

constexpr InstructionDecoding comparison_instructions[] = {
    {"setp", Opcode::setp, &decode_setp, &unwritten_in_setp},
    {"set", Opcode::set, &decode_set, &always<Unwritten::joined>},
    {"selp", Opcode::selp, "tttp", &always<Unwritten::selected>},
    {"slct", Opcode::slct, "ttt2"},
    {"testp", Opcode::testp, "pt", &always<Unwritten::joined>},
};

}  // namespace

template <>
FamilyDescription describe<Family::comparison>() {
    return {comparison_forms, comparison_instructions};
}

}  // namespace cuprum::simulator
