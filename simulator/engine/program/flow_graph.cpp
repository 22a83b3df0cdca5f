#include "engine/program/flow_graph.hpp"

namespace cuprum::simulator {

std::vector<BasicBlock> find_blocks(const std::vector<PendingInstruction>& pending, const Function& function) {
    const auto count = static_cast<uint32_t>(pending.size());
    std::vector<bool> leader(count + 1, false);
    leader[0] = true;
    for (uint32_t k = 0; k < count; ++k) {
        const PendingInstruction& instruction = pending[k];
        if (instruction.branches) leader[instruction.target] = true;
        if (instruction.branches || instruction.ends_flow) leader[k + 1] = true;
        if (instruction.table >= 0) {
            for (const int32_t entry : function.branch_tables[static_cast<size_t>(instruction.table)]) {
                leader[static_cast<size_t>(entry)] = true;
            }
        }
    }
    std::vector<BasicBlock> blocks;
    std::vector<uint32_t> block_of(count + 1, 0);
    for (uint32_t k = 0; k < count; ++k) {
        if (leader[k]) {
            if (!blocks.empty()) blocks.back().end = k;
            blocks.push_back({k, count, {}});
        }
        block_of[k] = static_cast<uint32_t>(blocks.size() - 1);
    }
    for (BasicBlock& block : blocks) {
        const PendingInstruction& last = pending[block.end - 1];
        if (last.branches) block.successors.push_back(block_of[last.target]);
        if (last.table >= 0) {
            for (const int32_t entry : function.branch_tables[static_cast<size_t>(last.table)]) {
                block.successors.push_back(block_of[static_cast<size_t>(entry)]);
            }
        }
        if (!last.ends_flow && block.end < count) block.successors.push_back(block_of[block.end]);
    }
    return blocks;
}

}  // namespace cuprum::simulator
