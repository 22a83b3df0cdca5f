// Conversions between types: the forms that PTX has, and how they are decoded. Source: PTX ISA 9.2,
// 9.7.9.22, 9.7.9.23.
#include "engine/instructions/conversion/decode.hpp"
#include "engine/instructions/family.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view conversion_forms[] = {
    "cvt sat? $anyint $anyint",
    "cvt $round_int ftz? sat? $anyint f32",
    "cvt $round_int sat? $anyint f16|f64",
    "90 cvt $round_int $anyint bf16",
    "cvt $round sat? f16|f32|f64 $anyint",
    "90 cvt $round bf16 $anyint",
    "cvt $round_int? ftz? sat? f32 f32",
    "cvt $round_int? sat? f64 f64",
    "cvt $round_int? sat? f16 f16",
    "90 cvt $round_int? bf16 bf16",
    "cvt $round ftz? sat? f32 f64",
    "cvt ftz? sat? f64 f32",
    "cvt ftz? sat? f32 f16",
    "cvt sat? f64 f16",
    "cvt $round ftz? sat? f16 f32",
    "80 cvt rn|rz relu? satfinite? f16 f32",
    "cvt $round sat? f16 f64",
    "90 cvt f32|f64 bf16",
    "80 cvt rn|rz relu? satfinite? bf16 f32",
    "90 cvt $round bf16 f16|f64|f32",
    "90 cvt $round f16 bf16",
    "80 cvt rn|rz relu? satfinite? f16x2|bf16x2 f32",
    "80 cvt rna satfinite? tf32 f32",
    "90 cvt rn|rz relu? tf32 f32",
    "100 cvt rn|rz satfinite relu? tf32 f32",
    "100a|103a cvt rs relu? satfinite? f16x2|bf16x2 f32",
    "89 cvt rn satfinite relu? e4m3x2|e5m2x2 f32|f16x2",
    "89 cvt rn relu? f16x2 e4m3x2|e5m2x2",
    "100f cvt rn satfinite relu? e4m3x2|e5m2x2 bf16x2",
    "100f cvt rn satfinite relu? e2m3x2|e3m2x2|e2m1x2 f32|f16x2|bf16x2",
    "100f cvt rn relu? f16x2 e2m3x2|e3m2x2|e2m1x2",
    "100f cvt rn satfinite? relu? scaled::n2::ue8m0? bf16x2 e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2",
    "100a|103a cvt rs satfinite relu? e4m3x4|e5m2x4|e2m3x4|e3m2x4|e2m1x4 f32",
    "100f cvt rz|rp satfinite? ue8m0x2 f32|bf16x2",
    "100f cvt rn bf16x2 ue8m0x2",
    "100a|103a|110a|120a|121a cvt rn satfinite relu? scaled::n2::ue8m0? s2f6x2 f32|bf16x2",
    "100a|103a|110a|120a|121a cvt rn satfinite? relu? scaled::n2::ue8m0? bf16x2 s2f6x2",
    "cvt pack sat u16|s16 s32",
    "cvt pack sat u8|s8|u4|s4|u2|s2 s32 b32",
};

Unwritten unwritten_in_conversion(const Form& form) {
    return form.has(Modifier::pack)  ? Unwritten::dropped
           : is_packed(form.type(0)) ? Unwritten::bitwise
                                     : Unwritten::joined;
}

constexpr InstructionDecoding conversion_instructions[] = {
    {"cvt", Opcode::cvt, &decode_convert, &unwritten_in_conversion},
};

}  // namespace

template <>
FamilyDescription describe<Family::conversion>() {
    return {conversion_forms, conversion_instructions};
}

}  // namespace cuprum::simulator
