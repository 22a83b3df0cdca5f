// Atomic operations on memory: the forms that PTX has, and how they are decoded. Source: PTX
// ISA 9.0, 9.7.13.5, 9.7.13.6.
#include "engine/instructions/atomics/decode.hpp"
#include "engine/instructions/family.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view atomics_forms[] = {
    "atom $atomic_order? $scope? $atomic_space? cache_hint? and|or|xor|exch b32|b64",
    "atom $atomic_order? $scope? $atomic_space? cas b16|b32|b64",
    "90 atom $atomic_order? $scope? $atomic_space? cache_hint? exch b128",
    "90 atom $atomic_order? $scope? $atomic_space? cas b128",
    "atom $atomic_order? $scope? $atomic_space? cache_hint? add u32|s32|u64|f32|f64",
    "atom $atomic_order? $scope? $atomic_space? cache_hint? inc|dec u32",
    "atom $atomic_order? $scope? $atomic_space? cache_hint? min|max $wideint",
    "atom $atomic_order? $scope? $atomic_space? cache_hint? add noftz $half",
    "90 atom $atomic_order? $scope? $atomic_space? cache_hint? add noftz $bfloat",
    "90 atom $atomic_order? $scope? global? cache_hint? add v2|v4 f32",
    "90 atom $atomic_order? $scope? global? cache_hint? add|min|max noftz v2|v4|v8 f16|bf16",
    "90 atom $atomic_order? $scope? global? cache_hint? add|min|max noftz v2|v4 f16x2|bf16x2",
    "red relaxed|release? $scope? $atomic_space? cache_hint? and|or|xor b32|b64",
    "red relaxed|release? $scope? $atomic_space? cache_hint? add u32|s32|u64|f32|f64",
    "red relaxed|release? $scope? $atomic_space? cache_hint? inc|dec u32",
    "red relaxed|release? $scope? $atomic_space? cache_hint? min|max $wideint",
    "red relaxed|release? $scope? $atomic_space? cache_hint? add noftz $half",
    "90 red relaxed|release? $scope? $atomic_space? cache_hint? add noftz $bfloat",
    "90 red relaxed|release? $scope? global? cache_hint? add v2|v4 f32",
    "90 red relaxed|release? $scope? global? cache_hint? add|min|max noftz v2|v4|v8 f16|bf16",
    "90 red relaxed|release? $scope? global? cache_hint? add|min|max noftz v2|v4 f16x2|bf16x2",
};

constexpr InstructionDecoding atomics_instructions[] = {
    {"atom", Opcode::atom, &decode_atomic},
    {"red", Opcode::red, &decode_atomic},
};

}  // namespace

template <>
FamilyDescription describe<Family::atomics>() {
    return {atomics_forms, atomics_instructions};
}

}  // namespace cuprum::simulator
