// Asynchronous copies, and the barriers in memory that they complete on: the forms that PTX has, and how they are
// decoded. Source: PTX ISA 9.0, 9.7.9.25, 9.7.13.15.
#include "engine/instructions/asynchronous/decode.hpp"
#include "engine/instructions/family.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view asynchronous_forms[] = {
    "80 mbarrier init|inval $barrier_space? b64",
    "90 mbarrier expect_tx|complete_tx $transaction_space? b64",
    "90 mbarrier expect_tx|complete_tx relaxed $barrier_scope $transaction_space? b64",
    "80 mbarrier arrive|arrive_drop $transaction_space? b64",
    "80 mbarrier arrive|arrive_drop release $barrier_scope $transaction_space? b64",
    "90 mbarrier arrive|arrive_drop relaxed $barrier_scope $transaction_space? b64",
    "90 mbarrier arrive|arrive_drop expect_tx $transaction_space? b64",
    "90 mbarrier arrive|arrive_drop expect_tx release|relaxed $barrier_scope $transaction_space? b64",
    "80 mbarrier arrive|arrive_drop noComplete $barrier_space? b64",
    "80 mbarrier arrive|arrive_drop noComplete release cta $barrier_space? b64",
    "80 mbarrier test_wait parity? $barrier_space? b64",
    "80 mbarrier test_wait parity? acquire $barrier_scope $barrier_space? b64",
    "90 mbarrier test_wait parity? relaxed $barrier_scope $barrier_space? b64",
    "90 mbarrier try_wait parity? $barrier_space? b64",
    "90 mbarrier try_wait parity? acquire|relaxed $barrier_scope $barrier_space? b64",
    "80 mbarrier pending_count b64",
    "80 cp async ca|cg $barrier_space global cache_hint? prefetch_size?",
    "80 cp async commit_group|wait_group|wait_all",
    "80 cp async mbarrier arrive noinc? $barrier_space? b64",
    "90 cp async bulk commit_group",
    "90 cp async bulk wait_group read?",
    "90 cp async bulk shared::cluster|shared::cta global mbarrier::complete_tx::bytes cache_hint?",
    "90 cp async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes",
    "90 cp async bulk global shared::cta bulk_group cache_hint?",
    "90 cp async bulk prefetch L2 global cache_hint?",
};

constexpr InstructionDecoding asynchronous_instructions[] = {
    {"mbarrier", Opcode::mbarrier, &decode_mbarrier},
    {"cp", Opcode::cp, &decode_asynchronous_copy},
};

}  // namespace

template <>
FamilyDescription describe<Family::asynchronous>() {
    return {asynchronous_forms, asynchronous_instructions};
}

}  // namespace cuprum::simulator
