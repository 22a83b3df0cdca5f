#include "engine/instructions/family.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace cuprum::simulator {
namespace {

template <size_t... number>
std::vector<FamilyDescription> describe_all(std::index_sequence<number...>) {
    return {describe<static_cast<Family>(number)>()...};
}

}  // namespace

const std::vector<FamilyDescription>& families() {
    static const auto all = describe_all(std::make_index_sequence<static_cast<size_t>(Family::count_)>{});
    return all;
}

bool has_instruction(Family family, Opcode opcode) {
    return std::ranges::any_of(families()[static_cast<size_t>(family)].instructions,
                               [&](const InstructionDecoding& known) { return known.opcode == opcode; });
}

Opcode find_opcode(std::string_view name) {
    static const auto opcodes = [] {
        std::unordered_map<std::string_view, Opcode> known;
        for (const FamilyDescription& family : families()) {
            for (const InstructionDecoding& instruction : family.instructions)
                known.emplace(instruction.name, instruction.opcode);
        }
        return known;
    }();
    const auto found = opcodes.find(name);
    return found == opcodes.end() ? Opcode::unknown : found->second;
}

Unwritten joined_but_in_pairs(const Form& form) {
    return is_packed(form.type(0)) ? Unwritten::dropped : Unwritten::joined;
}

}  // namespace cuprum::simulator
