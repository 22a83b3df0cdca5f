// Barriers of a block, and fences: the forms that PTX has, and how they are decoded. Source: PTX ISA 9.0, 9.7.13.
#include "engine/instructions/family.hpp"
#include "engine/instructions/synchronisation/decode.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view synchronisation_forms[] = {
    "membar cta|gl|sys",
    "membar|fence proxy alias",
    "90 fence proxy async global|shared::cta|shared::cluster?",
    "90 fence proxy tensormap::generic acquire|release $scope",
    "90 fence proxy async::generic acquire sync_restrict::shared::cluster cluster",
    "90 fence proxy async::generic release sync_restrict::shared::cta cluster",
    "90 fence acquire sync_restrict::shared::cluster cluster",
    "90 fence release sync_restrict::shared::cta cluster",
    "fence sc|acq_rel? $scope",
    "fence acquire|release $scope",
    "90 fence mbarrier_init release cluster",
    "bar cta? sync|arrive",
    "bar cta? red popc u32",
    "bar cta? red and|or pred",
    "barrier cta? sync|arrive aligned?",
    "barrier cta? red popc aligned? u32",
    "barrier cta? red and|or aligned? pred",
    "90 barrier cluster arrive release|relaxed? aligned?",
    "90 barrier cluster wait acquire? aligned?",
};

constexpr InstructionDecoding synchronisation_instructions[] = {
    {"bar", Opcode::bar, &decode_barrier},
    {"barrier", Opcode::barrier, &decode_barrier},
    {"membar", Opcode::membar, &decode_fence},
    {"fence", Opcode::fence, &decode_fence},
};

}  // namespace

template <>
FamilyDescription describe<Family::synchronisation>() {
    return {synchronisation_forms, synchronisation_instructions};
}

}  // namespace cuprum::simulator
