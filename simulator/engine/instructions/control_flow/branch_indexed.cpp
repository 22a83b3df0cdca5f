// brx.idx: lanes whose indices differ part.
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {

const Instruction* branch_indexed(Warp& warp, const Instruction* at) {
    const Function& function = *warp.frame->function;
    const std::vector<int32_t>& table = function.branch_tables[at->aux];
    const uint32_t* const index = warp.row<uint32_t>(at->operand[0]);
    const auto first = static_cast<unsigned>(__builtin_ctz(warp.active));
    if (index[first] >= table.size()) {
        fault_at(warp, at, first, Fault::Kind::illegal_instruction, "branched past the end of its branch table");
    }
    uint32_t same = 0;
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (index[lane] == index[first]) same |= 1u << lane;
    }
    const Instruction* const target = function.code.data() + table[index[first]];
    if (same != warp.active) return split(warp, same, target, at);  // the rest branch when they are chosen again
    if (target <= at && --warp.budget < 0) return yield(warp, target);
    return target;
}

}  // namespace cuprum::simulator
