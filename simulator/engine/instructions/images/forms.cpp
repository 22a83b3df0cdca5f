// Instructions on textures and surfaces: the forms that PTX has, and how they are decoded. Source: PTX ISA 9.0, 9.7.10
// and 9.7.11. An image is named by a 64-bit handle in a register (the "unified" mode); variables of type .texref,
// .samplerref and .surfref are refused where they are declared.
#include "engine/instructions/family.hpp"
#include "engine/instructions/images/decode.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view image_forms[] = {
    "tex base|level? 1d|2d|3d|a1d|a2d v4 f32|s32|u32 f32|s32",
    "tex base|level? cube|acube v4 f32|s32|u32 f32",
    "tex grad 1d|2d|3d|a1d|a2d v4 f32|s32|u32 f32|s32",
    "tex grad cube|acube v4 f32|s32|u32 f32",
    "tex base|level? 1d|2d|3d|a1d|a2d v4 f16 f32|s32",
    "tex base|level? 1d|2d|3d|a1d|a2d v2 f16x2 f32|s32",
    "tex base|level? cube|acube v4 f16 f32",
    "tex base|level? cube|acube v2 f16x2 f32",
    "tex grad 1d|2d|3d|a1d|a2d v4 f16 f32|s32",
    "tex grad 1d|2d|3d|a1d|a2d v2 f16x2 f32|s32",
    "tld4 r|g|b|a 2d|a2d|cube|acube v4 f32|s32|u32 f32",
    "txq width|height|depth|array_size|num_mipmap_levels|num_samples|normalized_coords b32",
    "txq level width|height|depth b32",
    "suq width|height|depth|array_size b32",
    "suld b 1d|2d|3d|a1d|a2d ca|cg|cs|cv? v2|v4? b8|b16|b32|b64 trap|clamp|zero",
    "sust b 1d|2d|3d|a1d|a2d wb|cg|cs|wt? v2|v4? b8|b16|b32|b64 trap|clamp|zero",
    "sust p 1d|2d|3d|a1d|a2d v2|v4? b32 trap|clamp|zero",
    "sured b add 1d|2d|3d u32|s32|u64 trap|clamp|zero",
    "sured b min|max 1d|2d|3d u32|s32|u64|s64 trap|clamp|zero",
    "sured b and|or 1d|2d|3d b32 trap|clamp|zero",
    "sured p add|min|max|and|or 1d|2d|3d b32 trap|clamp|zero",
};

constexpr InstructionDecoding image_instructions[] = {
    {"tex", Opcode::tex, &decode_texture_fetch, &always<Unwritten::dropped>},
    {"tld4", Opcode::tld4, &decode_texture_fetch, &always<Unwritten::dropped>},
    {"txq", Opcode::txq, &decode_image_query, &always<Unwritten::dropped>},
    {"suq", Opcode::suq, &decode_image_query, &always<Unwritten::dropped>},
    {"suld", Opcode::suld, &decode_surface_access, &always<Unwritten::dropped>},
    {"sust", Opcode::sust, &decode_surface_access, &always<Unwritten::dropped>},
    {"sured", Opcode::sured, &decode_surface_access, &always<Unwritten::dropped>},
};

}  // namespace

template <>
FamilyDescription describe<Family::images>() {
    return {image_forms, image_instructions};
}

}  // namespace cuprum::simulator
