#include "engine/instructions/form_rules.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace cuprum::simulator {
namespace {

// The syntax of each instruction, as in the ISA: a word, or one of several, `?` if it may be missing; `$` names a set
// of words. A number before the opcode is the first architecture that has the form. The order of types counts, that of
// modifiers does not: ptxas takes them in any.
//
// Source: PTX ISA 9.0, chapter 9. Which forms exist has been compared with ptxas 13.0, form by form.
struct NamedSet {
    std::string_view name, words;
};
constexpr std::array named_sets = {
    NamedSet{"$int", "u16|s16|u32|s32|u64|s64"},
    NamedSet{"$wideint", "u32|s32|u64|s64"},
    NamedSet{"$short", "u16|s16|u32|s32"},
    NamedSet{"$word", "u32|s32"},
    NamedSet{"$anyint", "u8|s8|u16|s16|u32|s32|u64|s64"},
    NamedSet{"$any", "b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64"},
    NamedSet{"$bits", "b16|b32|b64"},
    NamedSet{"$half", "f16|f16x2"},
    NamedSet{"$bfloat", "bf16|bf16x2"},
    NamedSet{"$round", "rn|rz|rm|rp"},
    NamedSet{"$round_int", "rni|rzi|rmi|rpi"},
    NamedSet{"$compare_int", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs"},
    NamedSet{"$compare_signed", "eq|ne|lt|le|gt|ge"},
    NamedSet{"$compare_float", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
    NamedSet{"$boolean", "and|or|xor"},
    NamedSet{"$second", "add|min|max"},
    NamedSet{"$memory", "b8|u8|s8|b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64"},
    NamedSet{"$to32", "b8|u8|s8|b16|u16|s16|b32|u32|s32|f32"},
    NamedSet{"$just32", "b32|u32|s32|f32"},
    NamedSet{"$just64", "b64|u64|s64|f64"},
    NamedSet{"$readable", "const|global|local|param|param::entry|param::func|shared|shared::cta"},
    NamedSet{"$writable", "global|local|param|param::func|shared|shared::cta"},
    NamedSet{"$ordered", "global|shared|shared::cta"},
    NamedSet{"$load_cache", "ca|cg|cs|lu|cv|eviction"},
    NamedSet{"$read_only_cache", "ca|cg|cs|eviction"},
    NamedSet{"$store_cache", "wb|cg|cs|wt|eviction"},
    NamedSet{"$scope", "cta|gpu|sys|cluster"},
    NamedSet{"$atomic_order", "relaxed|acquire|release|acq_rel"},
    NamedSet{"$atomic_space", "global|shared|shared::cta|shared::cluster"},
    NamedSet{"$barrier_space", "shared|shared::cta"},
    NamedSet{"$transaction_space", "shared|shared::cta|shared::cluster"},
    NamedSet{"$barrier_scope", "cta|cluster"},
};

constexpr std::string_view rules[] = {
    "add $int",
    "90 add u16x2|s16x2",
    "add sat s32",
    "add cc $wideint",
    "add $round? ftz? sat? f32",
    "add $round? f64",
    "add rn? ftz? sat? $half",
    "90 add rn? $bfloat",
    "addc cc? $wideint",
    "sub $int",
    "sub sat s32",
    "sub cc $wideint",
    "sub $round? ftz? sat? f32",
    "sub $round? f64",
    "sub rn? ftz? sat? $half",
    "90 sub rn? $bfloat",
    "subc cc? $wideint",
    "mul lo|hi $int",
    "mul wide $short",
    "mul $round? ftz? sat? f32",
    "mul $round? f64",
    "mul rn? ftz? sat? $half",
    "90 mul rn? $bfloat",
    "mad lo|hi $int",
    "mad wide $short",
    "mad hi sat s32",
    "mad lo|hi cc $wideint",
    "mad $round ftz? sat? f32",
    "mad $round f64",
    "madc lo|hi cc? $wideint",
    "mul24 lo|hi $word",
    "mad24 lo|hi $word",
    "mad24 hi sat s32",
    "sad $int",
    "div $int",
    "div approx|full|rn|rz|rm|rp ftz? f32",
    "div $round f64",
    "rem $int",
    "abs|neg s16|s32|s64",
    "abs|neg ftz? f32",
    "abs|neg f64",
    "abs|neg ftz? $half",
    "80 abs|neg $bfloat",
    "min|max $int",
    "90 min|max u16x2",
    "90 min|max relu? s16x2",
    "90 min|max relu s32",
    "min|max ftz? f32",
    "80 min|max ftz? NaN f32",
    "86 min|max ftz? NaN? xorsign abs f32",
    "min|max f64",
    "80 min|max ftz? NaN? $half",
    "86 min|max ftz? NaN? xorsign abs $half",
    "80 min|max NaN? $bfloat",
    "86 min|max NaN? xorsign abs $bfloat",
    "fma $round ftz? sat? f32",
    "fma $round f64",
    "fma rn ftz? sat? $half",
    "80 fma rn ftz? relu $half",
    "80 fma rn relu? $bfloat",
    "rcp|sqrt approx|rn|rz|rm|rp ftz? f32",
    "rcp|sqrt $round f64",
    "rcp approx ftz f64",
    "rsqrt approx ftz? f32|f64",
    "sin|cos|lg2|ex2 approx ftz? f32",
    "ex2 approx $half",
    "90 ex2 approx ftz $bfloat",
    "tanh approx f32",
    "tanh approx $half",
    "90 tanh approx $bfloat",
    "copysign f32|f64",
    "testp finite|infinite|number|notanumber|normal|subnormal f32|f64",
    "dp4a $word $word",
    "dp2a lo|hi $word $word",
    "popc|clz|brev|bfi b32|b64",
    "bfind shiftamt? $wideint",
    "bfe $wideint",
    "bmsk clamp|wrap b32",
    "szext clamp|wrap $word",
    "fns b32",
    "prmt f4e|b4e|rc8|ecl|ecr|rc16? b32",
    "lop3 and|or? b32",
    "and|or|xor|not pred|b16|b32|b64",
    "cnot|shl $bits",
    "shr $bits",
    "shr $int",
    "shf l|r clamp|wrap b32",
    "selp $any",
    "slct $any s32",
    "slct ftz? $any f32",
    "mov pred|b128",
    "mov $any",
    "mov v4? u32",
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
    "89 cvt rn satfinite relu? e4m3x2|e5m2x2 f32",
    "89 cvt rn satfinite relu? e4m3x2|e5m2x2 f16x2",
    "89 cvt rn relu? f16x2 e4m3x2|e5m2x2",
    "cvt pack sat u16|s16 s32",
    "cvt pack sat u8|s8|u4|s4|u2|s2 s32 b32",
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
    "membar cta|gl|sys",
    "membar|fence proxy alias",
    "90 fence proxy async global|shared::cta|shared::cluster?",
    "fence sc|acq_rel? $scope",
    "fence acquire|release $scope",
    "90 fence mbarrier_init release cluster",
    "bar cta? sync|arrive",
    "bar cta? red popc u32",
    "bar cta? red and|or pred",
    "bar warp sync",
    "barrier cta? sync|arrive aligned?",
    "barrier cta? red popc aligned? u32",
    "barrier cta? red and|or aligned? pred",
    "90 barrier cluster arrive release|relaxed? aligned?",
    "90 barrier cluster wait acquire? aligned?",
    "activemask b32",
    "shfl sync? up|down|bfly|idx b32",
    "vote sync? all|any|uni pred",
    "vote sync? ballot b32",
    "match any|all sync b32|b64",
    "80 redux sync add|min|max $word",
    "80 redux sync and|or|xor b32",
    "100 redux sync min|max abs? NaN? f32",
    "90 elect sync",
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
    "alloca|stacksave|stackrestore u32|u64",
    "cvta to? const|global|local|shared|shared::cta u32|u64",
    "cvta to? param|param::entry u32|u64",
    "90 cvta to? shared::cluster u32|u64",
    "isspacep const|global|local|shared|shared::cta|param|param::entry",
    "90 isspacep shared::cluster",
    "prefetch global|local? L1|L2",
    "80 prefetch global? eviction",
    "prefetchu L1",
    "80 applypriority global? eviction",
    "80 discard global? L2",
    "pmevent mask?",
    "90 setmaxnreg inc|dec sync aligned u32",
    "90 griddepcontrol wait|launch_dependents",
    "trap",
    "brkpt",
    "exit",
    "ret uni?",
    "bra uni?",
    "brx idx uni?",
    "call uni?",
    "nanosleep u32",
    "80 createpolicy fractional eviction b64",
    "80 createpolicy range global? eviction b64",
    "80 createpolicy cvt L2 b64",
    "vadd|vsub|vabsdiff|vmin|vmax sat? $second? $word $word $word",
    "vshl|vshr clamp|wrap sat? $second? $word $word u32",
    "vmad sat? po? shr7|shr15? $word $word $word",
    "vset $compare_signed $second? $word $word",
    "vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2|vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4 sat? $word $word $word",
    "vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2|vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4 add $word $word $word",
    "vset2|vset4 $compare_signed add? $word $word",
};

constexpr std::array<std::string_view, 20> unsupported_opcodes = {
    "tex",      "tld4",    "txq",        "suld",      "sust",
    "sured",    "suq",     "istypep",    "wmma",      "mma",
    "ldmatrix", "wgmma",   "stmatrix",   "movmatrix", "tensormap",
    "multimem", "tcgen05", "getctarank", "mapa",      "clusterlaunchcontrol",
};

// Of later forms of instructions that are simulated.
constexpr std::array<std::string_view, 16> unsupported_words = {
    "f32x2",  "e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2", "e4m3x4", "e5m2x4",   "e2m1x4",
    "e2m3x4", "e3m2x4", "oob",    "rs",     "scaled",  "tensor", "multimem", "reduce",
};

struct Slot {
    std::array<uint64_t, modifier_words> modifiers{};
    bool optional = false;
};
struct Rule {
    uint32_t target = 0;
    std::vector<Slot> slots;
    std::vector<uint64_t> types;  // one bit per ScalarType
    std::array<uint64_t, modifier_words> all{};
};

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

// The hints to the caches have many spellings; rules name their families.
bool find_rule_word(std::string_view word, Modifier& modifier) {
    constexpr std::array families = {std::pair{std::string_view("eviction"), Modifier::eviction},
                                     std::pair{std::string_view("prefetch_size"), Modifier::prefetch_size},
                                     std::pair{std::string_view("cache_hint"), Modifier::cache_hint}};
    for (const auto& [name, family] : families) {
        if (name != word) continue;
        modifier = family;
        return true;
    }
    return find_modifier(word, modifier);
}

void add_slot(Rule& rule, std::string_view text) {
    Slot slot;
    if (text.ends_with('?')) {
        slot.optional = true;
        text.remove_suffix(1);
    }
    for (const NamedSet& set : named_sets) {
        if (set.name == text) text = set.words;
    }
    uint64_t types = 0;
    for (const std::string_view word : split(text, '|')) {
        ScalarType type{};
        Modifier modifier{};
        if (find_type(word, type)) {
            types |= uint64_t{1} << static_cast<unsigned>(type);
        } else if (find_rule_word(word, modifier)) {
            const auto bit = static_cast<unsigned>(modifier);
            slot.modifiers[bit / 64] |= uint64_t{1} << (bit % 64);
        } else {
            throw std::logic_error("form_rules.cpp: '" + std::string(word) + "' is not a type, a modifier or a set");
        }
    }
    if (types != 0) {
        rule.types.push_back(types);
        return;
    }
    for (size_t word = 0; word < modifier_words; ++word)
        rule.all[word] |= slot.modifiers[word];
    rule.slots.push_back(slot);
}

// Modifiers that came with an architecture, whatever the instruction.
constexpr std::array modifier_targets = {std::pair{Modifier::cluster, 90u}, std::pair{Modifier::shared_cluster, 90u},
                                         std::pair{Modifier::cache_hint, 80u}};

// The caches that hints are for hold global memory.
bool hints_without_cache(const Form& form) {
    const auto any_of = [&](std::initializer_list<Modifier> modifiers) {
        return std::ranges::any_of(modifiers, [&](Modifier modifier) { return form.has(modifier); });
    };
    using enum Modifier;
    return form.opcode != Opcode::cp && any_of({eviction, prefetch_size, cache_hint}) &&
           any_of({constant, local, param, param_entry, param_func, shared, shared_cta, shared_cluster});
}

using RulesByOpcode = std::unordered_map<Opcode, std::vector<Rule>>;

void compile_rule(std::string_view text, RulesByOpcode& compiled) {
    std::vector<std::string_view> words = split(text, ' ');
    Rule rule;
    if (std::from_chars(words[0].data(), words[0].data() + words[0].size(), rule.target).ec == std::errc{})
        words.erase(words.begin());
    for (size_t k = 1; k < words.size(); ++k)
        add_slot(rule, words[k]);
    for (const std::string_view name : split(words[0], '|')) {
        const Opcode opcode = find_opcode(name);
        if (opcode == Opcode::unknown)
            throw std::logic_error("form_rules.cpp: '" + std::string(name) + "' is not an opcode");
        compiled[opcode].push_back(rule);
    }
}

RulesByOpcode compile_rules() {
    RulesByOpcode compiled;
    for (const std::string_view text : rules)
        compile_rule(text, compiled);
    return compiled;
}

bool matches(const Rule& rule, const Form& form) {
    if (form.type_count != rule.types.size()) return false;
    for (size_t k = 0; k < rule.types.size(); ++k) {
        if ((rule.types[k] >> static_cast<unsigned>(form.types[k]) & 1) == 0) return false;
    }
    for (size_t word = 0; word < modifier_words; ++word) {
        if ((form.modifiers[word] & ~rule.all[word]) != 0) return false;
    }
    return std::ranges::all_of(rule.slots, [&](const Slot& slot) {
        int given = 0;
        for (size_t word = 0; word < modifier_words; ++word)
            given += std::popcount(form.modifiers[word] & slot.modifiers[word]);
        return given == 1 || (given == 0 && slot.optional);
    });
}

}  // namespace

void check_rule(std::string_view rule) {
    RulesByOpcode compiled;
    compile_rule(rule, compiled);
}

std::string illegal_form(const Form& form, const ptx::Instruction& instruction, uint32_t target) {
    static const RulesByOpcode by_opcode = compile_rules();
    const auto found = by_opcode.find(form.opcode);
    if (found == by_opcode.end()) return "has no form that is known here";
    if (hints_without_cache(form)) return "has no cache hints in this state space";
    uint32_t least = 0;
    for (const auto& [modifier, since] : modifier_targets) {
        if (form.has(modifier)) least = std::max(least, since);
    }
    if (std::ranges::find(instruction.modifiers, "L2::256B") != instruction.modifiers.end())
        least = std::max(least, 80u);
    uint32_t needed = ~0u;
    for (const Rule& rule : found->second) {
        if (!matches(rule, form)) continue;
        const uint32_t since = std::max(rule.target, least);
        if (since <= target) return {};
        needed = std::min(needed, since);
    }
    if (needed != ~0u) {
        return "needs .target sm_" + std::to_string(needed) + ", the module's is sm_" + std::to_string(target);
    }
    for (const std::string_view word : instruction.modifiers) {
        Modifier modifier{};
        if (!find_modifier(word, modifier)) continue;
        const auto bit = static_cast<unsigned>(modifier);
        const bool somewhere = std::ranges::any_of(
            found->second, [&](const Rule& rule) { return (rule.all[bit / 64] >> (bit % 64) & 1) != 0; });
        if (!somewhere) return "has no modifier ." + std::string(word);
    }
    return "does not exist with this combination of types and modifiers";
}

bool is_unsupported_form(const Form& form) {
    const bool moves = form.opcode == Opcode::ld || form.opcode == Opcode::st;
    if (form.opcode == Opcode::red && form.has(Modifier::async)) return true;
    return moves && (form.has(Modifier::async) || form.has(Modifier::bulk) || form.has(Modifier::shared_cluster) ||
                     form.has(Modifier::unified));
}

bool is_known_but_unsupported(std::string_view name) {
    return std::ranges::find(unsupported_opcodes, name) != unsupported_opcodes.end();
}

bool is_known_word(std::string_view word) {
    return word.find("::") != std::string_view::npos ||
           std::ranges::find(unsupported_words, word) != unsupported_words.end();
}

}  // namespace cuprum::simulator
