// Moves, and conversions of addresses between state spaces: the forms that PTX has, and how they are decoded. Source:
// PTX ISA 9.0, 9.7.9.
#include "engine/instructions/family.hpp"
#include "engine/instructions/moves/decode.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view moves_forms[] = {
    "mov pred|b128",
    "mov $any",
    "mov v4? u32",
    "cvta to? const|global|local|shared|shared::cta u32|u64",
    "cvta to? param|param::entry u32|u64",
    "90 cvta to? shared::cluster u32|u64",
    "isspacep const|global|local|shared|shared::cta|param|param::entry",
    "90 isspacep shared::cluster",
    "90 mapa|getctarank shared::cluster? u32|u64",
};

constexpr InstructionDecoding moves_instructions[] = {
    {"mov", Opcode::mov, &decode_move, &always<Unwritten::dropped>},
    {"cvta", Opcode::cvta, &decode_cvta, &always<Unwritten::joined>},
    {"isspacep", Opcode::isspacep, &decode_isspacep, &always<Unwritten::joined>},
    {"mapa", Opcode::mapa, &decode_cluster_address, &always<Unwritten::joined>},
    {"getctarank", Opcode::getctarank, &decode_cluster_address, &always<Unwritten::joined>},
};

}  // namespace

template <>
FamilyDescription describe<Family::moves>() {
    return {moves_forms, moves_instructions};
}

}  // namespace cuprum::simulator
