#include "engine/instructions/form_rules.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace cuprum::simulator {
namespace {

// Words that the families' forms name together.
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
    NamedSet{"$readable", "const|global|local|param|param::entry|param::func|shared|shared::cta|shared::cluster"},
    NamedSet{"$writable", "global|local|param|param::func|shared|shared::cta|shared::cluster"},
    NamedSet{"$ordered", "global|shared|shared::cta|shared::cluster"},
    NamedSet{"$load_cache", "ca|cg|cs|lu|cv|eviction"},
    NamedSet{"$read_only_cache", "ca|cg|cs|eviction"},
    NamedSet{"$store_cache", "wb|cg|cs|wt|eviction"},
    NamedSet{"$scope", "cta|gpu|sys|cluster"},
    NamedSet{"$atomic_order", "relaxed|acquire|release|acq_rel"},
    NamedSet{"$atomic_space", "global|shared|shared::cta|shared::cluster"},
    NamedSet{"$barrier_space", "shared|shared::cta"},
    NamedSet{"$transaction_space", "shared|shared::cta|shared::cluster"},
    NamedSet{"$barrier_scope", "cta|cluster"},
    NamedSet{"$counted", "mbarrier::complete_tx::bytes"},
    NamedSet{"$dimensions", "1d|2d|3d|4d|5d"},
    NamedSet{"$reduction", "add|min|max|inc|dec|and|or|xor"},
    NamedSet{"$map_space", "global|shared::cta"},
    NamedSet{"$matrix_space", "global|shared|shared::cta"},
    NamedSet{"$f8f6f4", "e4m3|e5m2|e2m3|e3m2|e2m1"},
};

constexpr std::array<std::string_view, 3> unsupported_opcodes = {
    "istypep",
    "tcgen05",
    "clusterlaunchcontrol",
};

// Of later forms of instructions that are simulated.
constexpr auto unsupported_words = std::to_array<std::string_view>({
    "ue5m3x2",
    "multimem",
    "cp_mask",
    "m16n16",
    "m8n16",
    "b8x16",
    // of images
    "2dms",
    "a2dms",
    "channel_data_type",
    "channel_order",
    "filter_mode",
    "addr_mode_0",
    "addr_mode_1",
    "addr_mode_2",
    "force_unnormalized_coords",
    "memory_layout",
    "layout",
});

struct Slot {
    std::array<uint64_t, modifier_words> modifiers{};
    bool optional = false;
};
// The targets that have a form: those from a number on; of these only the ones with a suffix, as features of an
// architecture or its family need it; or the listed ones alone (PTX ISA, .target).
struct Targets {
    uint32_t first = 0;
    bool with_suffix = false;
    std::vector<std::string_view> only;

    bool contain(Target target) const {
        if (!only.empty()) {
            return std::ranges::any_of(only, [&](std::string_view text) {
                const Target one = parse_target(text);
                return one.number == target.number && one.suffix == target.suffix;
            });
        }
        return target.number >= first && (!with_suffix || target.suffix != '\0');
    }
    std::string text() const {
        if (only.empty()) {
            const std::string name = "sm_" + std::to_string(first);
            return with_suffix ? name + "a or any later one with the suffix a or f" : name;
        }
        std::string names;
        for (size_t k = 0; k < only.size(); ++k)
            names += (k == 0 ? "sm_" : k + 1 == only.size() ? " or sm_" : ", sm_") + std::string(only[k]);
        return names;
    }
};

struct Rule {
    const InstructionDecoding* decoding = nullptr;
    Targets targets;
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

// The hints to the caches have many spellings, and so have shapes of a group of warps; rules name their families.
bool find_rule_word(std::string_view word, Modifier& modifier) {
    constexpr std::array families = {std::pair{std::string_view("eviction"), Modifier::eviction},
                                     std::pair{std::string_view("prefetch_size"), Modifier::prefetch_size},
                                     std::pair{std::string_view("cache_hint"), Modifier::cache_hint},
                                     std::pair{std::string_view("m64k8"), Modifier::m64k8},
                                     std::pair{std::string_view("m64k16"), Modifier::m64k16},
                                     std::pair{std::string_view("m64k32"), Modifier::m64k32}};
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
            throw std::logic_error("a form of an instruction says '" + std::string(word) +
                                   "', which is no type, modifier or set of words (form_rules.cpp)");
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

// "80", "100f", "100a|103a".
Targets compile_targets(std::string_view text) {
    Targets targets;
    targets.first = parse_target(text).number;
    targets.with_suffix = text.ends_with('f');
    if (text.ends_with('a')) targets.only = split(text, '|');
    return targets;
}

void compile_rule(std::string_view text, std::span<const InstructionDecoding> instructions, RulesByOpcode& compiled) {
    std::vector<std::string_view> words = split(text, ' ');
    Rule rule;
    if (words[0][0] >= '0' && words[0][0] <= '9') {
        rule.targets = compile_targets(words[0]);
        words.erase(words.begin());
    }
    for (size_t k = 1; k < words.size(); ++k)
        add_slot(rule, words[k]);
    for (const std::string_view name : split(words[0], '|')) {
        const auto found = std::ranges::find(instructions, name, &InstructionDecoding::name);
        if (found == instructions.end()) {
            throw std::logic_error("a form says '" + std::string(name) +
                                   "', which is not among the instructions of its family");
        }
        rule.decoding = &*found;
        compiled[found->opcode].push_back(rule);
    }
}

RulesByOpcode compile_rules() {
    RulesByOpcode compiled;
    for (const FamilyDescription& family : families()) {
        for (const std::string_view text : family.forms)
            compile_rule(text, family.instructions, compiled);
    }
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

void check_rule(std::string_view rule, Family family) {
    RulesByOpcode compiled;
    compile_rule(rule, families()[static_cast<size_t>(family)].instructions, compiled);
}

Target parse_target(std::string_view text) {
    const size_t digit = std::min(text.find_first_of("0123456789"), text.size());
    Target target;
    const auto [rest, error] = std::from_chars(text.data() + digit, text.data() + text.size(), target.number);
    if (error == std::errc{} && rest != text.data() + text.size()) target.suffix = *rest;
    return target;
}

LegalForm find_form(const Form& form, const ptx::Instruction& instruction, Target target) {
    static const RulesByOpcode by_opcode = compile_rules();
    const auto found = by_opcode.find(form.opcode);
    if (found == by_opcode.end()) return {nullptr, "has no form that is known here"};
    if (hints_without_cache(form)) return {nullptr, "has no cache hints in this state space"};
    uint32_t least = 0;
    for (const auto& [modifier, since] : modifier_targets) {
        if (form.has(modifier)) least = std::max(least, since);
    }
    if (std::ranges::find(instruction.modifiers, "L2::256B") != instruction.modifiers.end())
        least = std::max(least, 80u);
    std::optional<Targets> needed;  // of several forms' targets, the earliest
    for (const Rule& rule : found->second) {
        if (!matches(rule, form)) continue;
        Targets targets = rule.targets;
        targets.first = std::max(targets.first, least);
        if (targets.contain(target)) return {rule.decoding, {}};
        if (!needed || targets.first < needed->first) needed = targets;
    }
    if (needed) {
        std::string given = "sm_" + std::to_string(target.number);
        if (target.suffix != '\0') given += target.suffix;
        return {nullptr, "needs .target " + needed->text() + ", the module's is " + given};
    }
    for (const std::string_view word : instruction.modifiers) {
        Modifier modifier{};
        if (!find_modifier(word, modifier)) continue;
        const auto bit = static_cast<unsigned>(modifier);
        const bool somewhere = std::ranges::any_of(
            found->second, [&](const Rule& rule) { return (rule.all[bit / 64] >> (bit % 64) & 1) != 0; });
        if (!somewhere) return {nullptr, "has no modifier ." + std::string(word)};
    }
    return {nullptr, "does not exist with this combination of types and modifiers"};
}

bool is_unsupported_form(const Form& form) {
    if (form.opcode == Opcode::wgmma) return form.has(Modifier::sparse);
    if (form.opcode == Opcode::multimem) {
        using enum ScalarType;
        return std::ranges::any_of(std::array{e4m3, e5m2, e4m3x2, e5m2x2, e4m3x4, e5m2x4},
                                   [&](ScalarType type) { return form.type() == type; });
    }
    const bool moves = form.opcode == Opcode::ld || form.opcode == Opcode::st;
    return moves && (form.has(Modifier::bulk) || form.has(Modifier::unified));
}

bool is_known_but_unsupported(std::string_view name) {
    return std::ranges::find(unsupported_opcodes, name) != unsupported_opcodes.end();
}

bool is_known_word(std::string_view word) {
    return word.find("::") != std::string_view::npos || word.starts_with("m64n") ||
           std::ranges::find(unsupported_words, word) != unsupported_words.end();
}

}  // namespace cuprum::simulator
