// Loads, stores, and hints to the caches: the forms that PTX has, and how they are decoded. Source: PTX ISA 9.0, 9.7.9.
#include "engine/instructions/family.hpp"
#include "engine/instructions/memory/decode.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view memory_forms[] = {
    "ld weak? $readable? $load_cache? prefetch_size? cache_hint? v2? $memory",
    "ld weak? $readable? $load_cache? prefetch_size? cache_hint? v4 $to32",
    "ld weak? $readable? $load_cache? prefetch_size? cache_hint? b128",
    "ld global nc $read_only_cache? prefetch_size? cache_hint? v2? $memory",
    "ld global nc $read_only_cache? prefetch_size? cache_hint? v4 $to32",
    "ld global nc $read_only_cache? prefetch_size? cache_hint? b128",
    "ld volatile $ordered? prefetch_size? v2? $memory",
    "ld volatile $ordered? prefetch_size? v4 $to32",
    "ld volatile $ordered? prefetch_size? b128",
    "ld relaxed|acquire $scope $ordered? eviction? prefetch_size? cache_hint? v2? $memory",
    "ld relaxed|acquire $scope $ordered? eviction? prefetch_size? cache_hint? v4 $to32",
    "ld relaxed|acquire $scope $ordered? eviction? prefetch_size? cache_hint? b128",
    "ld mmio relaxed sys global? $memory",
    "ld mmio relaxed sys global? b128",
    "100 ld weak? global nc? eviction? v8 $just32",
    "100 ld weak? global nc? eviction? v4 $just64",
    "ldu global? v2? $memory",
    "ldu global? v4 $to32",
    "st weak? $writable? $store_cache? cache_hint? v2? $memory",
    "st weak? $writable? $store_cache? cache_hint? v4 $to32",
    "st weak? $writable? $store_cache? cache_hint? b128",
    "st volatile $ordered? v2? $memory",
    "st volatile $ordered? v4 $to32",
    "st volatile $ordered? b128",
    "st relaxed|release $scope $ordered? eviction? cache_hint? v2? $memory",
    "st relaxed|release $scope $ordered? eviction? cache_hint? v4 $to32",
    "st relaxed|release $scope $ordered? eviction? cache_hint? b128",
    "st mmio relaxed sys global? $memory",
    "st mmio relaxed sys global? b128",
    "100 st weak? global eviction? v8 $just32",
    "100 st weak? global eviction? v4 $just64",
    "90 multimem ld_reduce weak|relaxed|acquire? $scope? global? add u32|s32|u64|f32|f64",
    "90 multimem ld_reduce weak|relaxed|acquire? $scope? global? min|max $wideint",
    "90 multimem ld_reduce weak|relaxed|acquire? $scope? global? and|or|xor b32|b64",
    "90 multimem ld_reduce weak|relaxed|acquire? $scope? global? add v2|v4 f32",
    "90 multimem ld_reduce weak|relaxed|acquire? $scope? global? add acc::f32? v2|v4|v8 f16|bf16",
    "90 multimem ld_reduce weak|relaxed|acquire? $scope? global? add acc::f32? v2|v4? f16x2|bf16x2",
    "90 multimem ld_reduce weak|relaxed|acquire? $scope? global? min|max v2|v4|v8 f16|bf16",
    "90 multimem ld_reduce weak|relaxed|acquire? $scope? global? min|max v2|v4? f16x2|bf16x2",
    "90 multimem red relaxed|release? $scope? global? add u32|s32|u64|f32|f64",
    "90 multimem red relaxed|release? $scope? global? min|max $wideint",
    "90 multimem red relaxed|release? $scope? global? and|or|xor b32|b64",
    "90 multimem red relaxed|release? $scope? global? add v2|v4 f32",
    "90 multimem red relaxed|release? $scope? global? add|min|max v2|v4|v8 f16|bf16",
    "90 multimem red relaxed|release? $scope? global? add f16x2|bf16x2",
    "90 multimem red relaxed|release? $scope? global? add|min|max v2|v4 f16x2|bf16x2",
    "90 multimem st weak|relaxed|release? $scope? global? b32|b64|u32|s32|u64|s64|f32|f64|f16x2|bf16x2",
    "90 multimem st weak|relaxed|release? $scope? global? v2|v4 f32|f16x2|bf16x2",
    "90 multimem st weak|relaxed|release? $scope? global? v2|v4|v8 f16|bf16",
    "prefetch global|local? L1|L2",
    "80 prefetch global? eviction",
    "prefetchu L1",
    "80 applypriority global? eviction",
    "80 discard global? L2",
    "80 createpolicy fractional eviction b64",
    "80 createpolicy range global? eviction b64",
    "80 createpolicy cvt L2 b64",
};

Unwritten unwritten_in_store(const Form& form) {
    for (const Modifier own :
         {Modifier::shared, Modifier::shared_cta, Modifier::local, Modifier::param, Modifier::param_func}) {
        if (form.has(own)) return Unwritten::dropped;
    }
    return Unwritten::used;
}

constexpr InstructionDecoding memory_instructions[] = {
    {"ld", Opcode::ld, &decode_load_store, &always<Unwritten::dropped>},
    {"ldu", Opcode::ldu, &decode_load_store, &always<Unwritten::dropped>},
    {"st", Opcode::st, &decode_load_store, &unwritten_in_store},
    {"multimem", Opcode::multimem, &decode_multimem},
    {"prefetch", Opcode::prefetch, &decode_prefetch},
    {"prefetchu", Opcode::prefetchu, &decode_prefetch},
    {"discard", Opcode::discard, &decode_discard},
    {"applypriority", Opcode::applypriority, &decode_discard},
    {"createpolicy", Opcode::createpolicy, &decode_create_policy},
};

}  // namespace

template <>
FamilyDescription describe<Family::memory>() {
    return {memory_forms, memory_instructions};
}

}  // namespace cuprum::simulator
