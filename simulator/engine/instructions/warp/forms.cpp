// What lanes of a warp tell each other: the forms that PTX has, and how they are decoded. Source: PTX
// ISA 9.0, 9.7.9.6, 9.7.13.
#include "engine/instructions/family.hpp"
#include "engine/instructions/warp/decode.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view warp_forms[] = {
    "bar warp sync",
    "activemask b32",
    "shfl sync? up|down|bfly|idx b32",
    "vote sync? all|any|uni pred",
    "vote sync? ballot b32",
    "match any|all sync b32|b64",
    "80 redux sync add|min|max $word",
    "80 redux sync and|or|xor b32",
    "100 redux sync min|max abs? NaN? f32",
    "90 elect sync",
};

constexpr InstructionDecoding warp_instructions[] = {
    {"bar", Opcode::bar, &decode_warp},     {"activemask", Opcode::activemask, &decode_warp},
    {"elect", Opcode::elect, &decode_warp}, {"shfl", Opcode::shfl, &decode_warp, &always<Unwritten::dropped>},
    {"vote", Opcode::vote, &decode_warp},   {"match", Opcode::match, &decode_warp},
    {"redux", Opcode::redux, &decode_warp},
};

}  // namespace

template <>
FamilyDescription describe<Family::warp>() {
    return {warp_forms, warp_instructions};
}

}  // namespace cuprum::simulator
