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
    "90 cp async bulk shared::cluster|shared::cta global $counted cache_hint?",
    "90 cp async bulk shared::cluster shared::cta $counted",
    "90 cp async bulk global shared::cta bulk_group cache_hint?",
    "90 cp async bulk prefetch L2 global cache_hint?",
    "90 cp async bulk shared::cluster global $counted multicast::cluster cache_hint?",
    "90 cp reduce async bulk shared::cluster shared::cta $counted add u32|s32|u64",
    "90 cp reduce async bulk shared::cluster shared::cta $counted min|max u32|s32",
    "90 cp reduce async bulk shared::cluster shared::cta $counted inc|dec u32",
    "90 cp reduce async bulk shared::cluster shared::cta $counted and|or|xor b32",
    "90 cp reduce async bulk global shared::cta bulk_group cache_hint? add u32|s32|u64|f32|f64",
    "90 cp reduce async bulk global shared::cta bulk_group cache_hint? add noftz f16|bf16",
    "90 cp reduce async bulk global shared::cta bulk_group cache_hint? min|max u32|s32|u64|s64|f16|bf16",
    "90 cp reduce async bulk global shared::cta bulk_group cache_hint? inc|dec u32",
    "90 cp reduce async bulk global shared::cta bulk_group cache_hint? and|or|xor b32|b64",
    // of tensors
    "90 cp async bulk tensor $dimensions shared::cluster|shared::cta global tile? $counted cache_hint?",
    "90 cp async bulk tensor $dimensions shared::cluster global tile? $counted multicast::cluster cache_hint?",
    "90 cp async bulk tensor 3d|4d|5d shared::cluster|shared::cta global im2col $counted cache_hint?",
    "90 cp async bulk tensor 3d|4d|5d shared::cluster global im2col $counted multicast::cluster cache_hint?",
    "90 cp async bulk tensor $dimensions global shared::cta tile? bulk_group cache_hint?",
    "90 cp async bulk tensor 3d|4d|5d global shared::cta im2col_no_offs bulk_group cache_hint?",
    "90 cp reduce async bulk tensor $dimensions global shared::cta $reduction tile? bulk_group cache_hint?",
    "90 cp reduce async bulk tensor 3d|4d|5d global shared::cta $reduction im2col_no_offs bulk_group cache_hint?",
    "90 cp async bulk prefetch tensor $dimensions L2 global tile? cache_hint?",
    "90 cp async bulk prefetch tensor 3d|4d|5d L2 global im2col cache_hint?",
    "90 prefetch const|param? tensormap",
    "90f tensormap replace tile global_address $map_space? b1024 b64",
    "90f tensormap replace tile rank|box_dim|global_dim|element_stride $map_space? b1024 b32",
    "90f tensormap replace tile global_stride $map_space? b1024 b64",
    "90f tensormap replace tile elemtype|interleave_layout|swizzle_mode|fill_mode $map_space? b1024 b32",
    "90 tensormap cp_fenceproxy global shared::cta tensormap::generic release $scope sync aligned",
    // stores into a cluster
    "90 st async weak? shared::cluster? $counted v2? b32|u32|s32|f32|b64|u64|s64|f64",
    "90 st async weak? shared::cluster? $counted v4 b32|u32|s32|f32",
    "90 red async relaxed cluster shared::cluster? $counted add u32|s32|u64|s64",
    "90 red async relaxed cluster shared::cluster? $counted min|max u32|s32",
    "90 red async relaxed cluster shared::cluster? $counted inc|dec u32",
    "90 red async relaxed cluster shared::cluster? $counted and|or|xor b32",
};

constexpr InstructionDecoding asynchronous_instructions[] = {
    {"mbarrier", Opcode::mbarrier, &decode_mbarrier},
    {"cp", Opcode::cp, &decode_asynchronous_copy},
    {"prefetch", Opcode::prefetch, &decode_tensor_map_prefetch},
    {"tensormap", Opcode::tensormap, &decode_tensor_map},
    {"st", Opcode::st, &decode_remote_store},
    {"red", Opcode::red, &decode_remote_store},
};

}  // namespace

template <>
FamilyDescription describe<Family::asynchronous>() {
    return {asynchronous_forms, asynchronous_instructions};
}

}  // namespace cuprum::simulator
