// Reads of registers that the thread has not written.
//
// Most registers are written on every path to where they are read; that is seen here, once. For the others a row of one
// bit per lane is kept, which says who has written the register, and is looked at before each read that matters.
// A `mov` of an unwritten register is no such read: compilers emit it for values that nobody uses. Its result counts as
// unwritten in turn.
#include <deque>
#include <utility>

#include "engine/flow_graph.hpp"

namespace cuprum::simulator {
namespace {

class Tracker {
public:
    Tracker(std::vector<PendingInstruction>& pending, std::vector<ScalarType>& register_types, Function& function,
            const UnwrittenPolicy& policy)
        : pending_(pending),
          types_(register_types),
          function_(function),
          policy_(policy),
          registers_(register_types.size()),
          blocks_(find_blocks(pending, function)),
          shadow_(registers_, none) {}

    void run() {
        find_written();
        find_reads();
        if (tracked_.empty()) return;
        close_over_moves();
        instrument();
    }

private:
    static constexpr uint32_t none = ~0u;

    // What an instruction leaves in `written`: the registers that every path has written.
    void step(BitSet& written, const PendingInstruction& instruction) const {
        if (moves(instruction) && !instruction.conditional) {
            const uint32_t to = instruction.code.operand[0], from = instruction.code.operand[1];
            if (written.test(from))
                written.set(to);
            else
                written.reset(to);
            return;
        }
        if (instruction.conditional) {
            if (moves(instruction) && !written.test(instruction.code.operand[1])) {
                written.reset(instruction.code.operand[0]);
            }
            return;
        }
        for_each_register(instruction, true, [&](uint32_t r) { written.set(r); });
    }

    // A register's whole value to another register.
    static bool moves(const PendingInstruction& instruction) {
        return instruction.copies && (instruction.code.operand[1] & preload_flag) == 0;
    }

    void find_written() {
        before_.assign(blocks_.size(), BitSet(registers_));
        for (size_t b = 1; b < blocks_.size(); ++b)
            before_[b].set_all();
        std::vector<bool> reached(blocks_.size(), false);
        reached[0] = true;
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t b = 0; b < blocks_.size(); ++b) {
                if (!reached[b]) continue;
                BitSet written = before_[b];
                for (uint32_t k = blocks_[b].begin; k < blocks_[b].end; ++k)
                    step(written, pending_[k]);
                for (const uint32_t next : blocks_[b].successors) {
                    changed |= !reached[next];
                    reached[next] = true;
                    changed |= before_[next].intersect(written);
                }
            }
        }
        reached_ = std::move(reached);
    }

    void track(uint32_t r) {
        if (shadow_[r] != none) return;
        shadow_[r] = static_cast<uint32_t>(types_.size());
        types_.push_back(ScalarType::pred);
        tracked_.push_back(r);
    }

    bool matters(const PendingInstruction& instruction, unsigned slot) const {
        return (instruction.decisive >> slot & 1) != 0 || (policy_.every_read && !moves(instruction));
    }

    void find_reads() {
        for (size_t b = 0; b < blocks_.size(); ++b) {
            if (!reached_[b]) continue;
            BitSet written = before_[b];
            for (uint32_t k = blocks_[b].begin; k < blocks_[b].end; ++k) {
                const PendingInstruction& instruction = pending_[k];
                for (unsigned slot = 0; slot < instruction.code.operand.size(); ++slot) {
                    const Reference reference = instruction.code.operand[slot];
                    const bool reads = (instruction.references >> slot & 1) != 0 &&
                                       (instruction.defines >> slot & 1) == 0 && (reference & preload_flag) == 0;
                    if (!reads || written.test(reference) || !matters(instruction, slot)) continue;
                    checks_.emplace_back(k, reference);
                    track(reference);
                }
                step(written, instruction);
            }
        }
    }

    // A tracked register that is moved from one which may be unwritten needs that one's row.
    void close_over_moves() {
        for (size_t next = 0; next < tracked_.size(); ++next) {
            const uint32_t to = tracked_[next];
            for (const PendingInstruction& instruction : pending_) {
                if (moves(instruction) && instruction.code.operand[0] == to) track(instruction.code.operand[1]);
            }
        }
    }

    PendingInstruction row_instruction(RowOperation operation, uint32_t row, const Origin& origin) const {
        PendingInstruction instruction;
        instruction.code.body[0] = policy_.row.body[0];
        instruction.code.body[1] = policy_.row.body[1];
        instruction.code.operand[0] = row;
        instruction.references = 1;
        if (operation != RowOperation::check) instruction.defines = 1;
        instruction.conditional = true;  // of the running lanes alone
        instruction.code.aux = static_cast<uint32_t>(operation);
        instruction.origin = origin;
        return instruction;
    }

    // Puts the row instructions in, each behind a copy of the guard of the instruction that it belongs to.
    void instrument() {
        std::vector<PendingInstruction> out;
        std::vector<uint32_t> moved_to(pending_.size() + 1);
        out.reserve(pending_.size() + 4 * tracked_.size());
        const Origin start = pending_.empty() ? Origin{} : pending_.front().origin;
        for (const uint32_t r : tracked_)
            out.push_back(row_instruction(RowOperation::clear, shadow_[r], start));
        size_t check = 0;
        // An instruction and its guard stay together: what belongs to the guarded one goes before the guard.
        for (uint32_t k = 0; k < pending_.size(); ++k) {
            moved_to[k] = static_cast<uint32_t>(out.size());
            const bool guarded = k + 1 < pending_.size() && pending_[k + 1].conditional;
            const uint32_t last = guarded ? k + 1 : k;
            const PendingInstruction* const guard = guarded ? &pending_[k] : nullptr;
            for (uint32_t at = k; at <= last; ++at) {
                const PendingInstruction& instruction = pending_[at];
                const auto put = [&](const PendingInstruction& row) {
                    if (guard != nullptr && at == last) out.push_back(*guard);
                    out.push_back(row);
                };
                for (; check < checks_.size() && checks_[check].first == at; ++check) {
                    PendingInstruction row =
                        row_instruction(RowOperation::check, shadow_[checks_[check].second], instruction.origin);
                    row.code.immediate = static_cast<int64_t>(name_of(checks_[check].second));
                    put(row);
                }
                if (moves(instruction) && shadow_[instruction.code.operand[0]] != none) {
                    const uint32_t from = instruction.code.operand[1];
                    PendingInstruction row =
                        row_instruction(RowOperation::move, shadow_[instruction.code.operand[0]], instruction.origin);
                    row.code.operand[1] = shadow_[from];
                    row.references |= 2;
                    put(row);
                } else {
                    for_each_register(instruction, true, [&](uint32_t r) {
                        if (shadow_[r] != none) {
                            put(row_instruction(RowOperation::mark, shadow_[r], instruction.origin));
                        }
                    });
                }
            }
            for (uint32_t at = k; at <= last; ++at) {
                if (at > k) moved_to[at] = static_cast<uint32_t>(out.size());
                out.push_back(pending_[at]);
            }
            k = last;
        }
        moved_to[pending_.size()] = static_cast<uint32_t>(out.size());
        for (size_t k = 0; k < out.size(); ++k) {
            PendingInstruction& instruction = out[k];
            if (!instruction.branches) continue;
            instruction.target = moved_to[instruction.target];
            instruction.code.displacement = static_cast<int32_t>(instruction.target) - static_cast<int32_t>(k);
        }
        for (std::vector<int32_t>& table : function_.branch_tables) {
            for (int32_t& entry : table)
                entry = static_cast<int32_t>(moved_to[static_cast<size_t>(entry)]);
        }
        pending_ = std::move(out);
    }

    size_t name_of(uint32_t r) const {
        function_.checked_registers.push_back(policy_.name(r));
        return function_.checked_registers.size() - 1;
    }

    std::vector<PendingInstruction>& pending_;
    std::vector<ScalarType>& types_;
    Function& function_;
    const UnwrittenPolicy& policy_;
    const size_t registers_;
    const std::vector<BasicBlock> blocks_;
    std::vector<uint32_t> shadow_;  // by register: the row that says who has written it
    std::vector<uint32_t> tracked_;
    std::vector<BitSet> before_;
    std::vector<bool> reached_;
    std::vector<std::pair<uint32_t, uint32_t>> checks_;  // instruction, register; in order
};

}  // namespace

void track_unwritten(std::vector<PendingInstruction>& pending, std::vector<ScalarType>& register_types,
                     Function& function, const UnwrittenPolicy& policy) {
    Tracker(pending, register_types, function, policy).run();
}

}  // namespace cuprum::simulator
