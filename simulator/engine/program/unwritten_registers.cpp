// Uses of registers that the thread has not written.
//
// Most registers are written on every path to where they are read; that is seen here, once. For the others a row of one
// bit per lane is kept, which says who has written the register, and is looked at before each use that matters.
// Computing with an unwritten register is no such use: compilers emit it for values that nobody needs (the elements
// behind the end of a last tile). What is computed from it counts as unwritten in turn, as memory checkers on CPUs have
// it. Where bits of several registers are put together, in shfl and in memory that is not followed: there the result
// counts as written.
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "engine/checks/checked_access.hpp"
#include "engine/program/flow_graph.hpp"

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
        find_uses();
        if (tracked_.empty()) return;
        close_over_results();
        instrument();
    }

private:
    // An operand that may be unwritten, of an instruction whose result is unwritten then.
    struct Edge {
        uint32_t instruction;
        unsigned slot;
    };

    static constexpr uint32_t none = ~0u;
    static constexpr unsigned stored_slots = 4;  // the elements of a vector

    // What an instruction leaves in `written`: the registers that every path has written.
    void step(BitSet& written, const PendingInstruction& instruction) const {
        bool operands_written = instruction.unwritten != Unwritten::loaded;
        if (hands_on(instruction)) {
            for_each_register(instruction, false, [&](uint32_t r) { operands_written &= written.test(r); });
        }
        for_each_register(instruction, true, [&](uint32_t r) {
            if (!operands_written)
                written.reset(r);
            else if (!instruction.conditional)
                written.set(r);
        });
    }

    // Whether the results count as unwritten where operands are.
    static bool hands_on(const PendingInstruction& instruction) {
        switch (instruction.unwritten) {
            case Unwritten::used:
            case Unwritten::dropped:
                return instruction.copies;
            case Unwritten::loaded:
            case Unwritten::stored:
                return false;
            case Unwritten::bitwise: {
                unsigned registers = 0;
                for_each_register(instruction, false, [&](uint32_t) { ++registers; });
                return registers <= 1;
            }
            default:
                return true;
        }
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
        return (instruction.decisive >> slot & 1) != 0 ||
               (policy_.every_use && instruction.unwritten == Unwritten::used);
    }

    void find_uses() {
        for (size_t b = 0; b < blocks_.size(); ++b) {
            if (!reached_[b]) continue;
            BitSet written = before_[b];
            for (uint32_t k = blocks_[b].begin; k < blocks_[b].end; ++k) {
                const PendingInstruction& instruction = pending_[k];
                const bool hands = hands_on(instruction);
                for (unsigned slot = 0; slot < instruction.code.operand.size(); ++slot) {
                    const Reference reference = instruction.code.operand[slot];
                    const bool reads = (instruction.references >> slot & 1) != 0 &&
                                       (instruction.defines >> slot & 1) == 0 && (reference & preload_flag) == 0;
                    if (!reads || written.test(reference)) continue;
                    if (hands) edges_.push_back({k, slot});
                    if (instruction.unwritten == Unwritten::stored && slot < stored_slots) {
                        edges_.push_back({k, slot});
                        track(reference);
                    }
                    if (!matters(instruction, slot)) continue;
                    checks_.emplace_back(k, reference);
                    track(reference);
                }
                step(written, instruction);
            }
        }
    }

    // A tracked register that is computed from one which may be unwritten needs that one's row.
    void close_over_results() {
        std::vector<std::vector<uint32_t>> sources(registers_);  // by result
        for (const Edge& edge : edges_) {
            const PendingInstruction& instruction = pending_[edge.instruction];
            for_each_register(instruction, true,
                              [&](uint32_t r) { sources[r].push_back(instruction.code.operand[edge.slot]); });
        }
        for (size_t next = 0; next < tracked_.size(); ++next) {
            for (const uint32_t source : sources[tracked_[next]])
                track(source);
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

    static void add_operand(PendingInstruction& row, unsigned slot, Reference reference) {
        row.code.operand[slot] = reference;
        row.references = static_cast<uint8_t>(row.references | 1u << slot);
    }

    // Computes the row of a result of an instruction; `edges`: its operands that may be unwritten.
    PendingInstruction result_row(const PendingInstruction& instruction, uint32_t result, std::span<const Edge> edges) {
        if (instruction.unwritten == Unwritten::loaded) {
            PendingInstruction row = row_instruction(RowOperation::load, shadow_[result], instruction.origin);
            const auto& operands = instruction.code.operand;
            const auto element = static_cast<uint32_t>(std::ranges::find(operands, result) - operands.begin());
            row.code.aux |= element << row_aux::element_shift;
            return row;
        }
        if (edges.empty()) return row_instruction(RowOperation::mark, shadow_[result], instruction.origin);
        const auto& operands = instruction.code.operand;
        const uint32_t combines = instruction.unwritten == Unwritten::compared ? instruction.code.aux & 3 : 0;
        // Where the rows of the operands go: the one that may settle or choose comes last.
        unsigned first = 1;
        RowOperation operation = RowOperation::join;
        bool if_true = instruction.unwritten == Unwritten::either;
        if (instruction.unwritten == Unwritten::selected) {
            operation = RowOperation::select;
        } else if (instruction.unwritten == Unwritten::both || instruction.unwritten == Unwritten::either) {
            operation = RowOperation::settle_2;
        } else if (combines == 1 || combines == 2) {  // and, or
            operation = RowOperation::settle;
            if_true = (combines == 2) != ((instruction.code.aux & 4) != 0);
        }
        if (instruction.unwritten == Unwritten::compared) first = 2;
        PendingInstruction row = row_instruction(operation, shadow_[result], instruction.origin);
        if (if_true) row.code.aux |= row_aux::settles_if_true;
        unsigned joined = 0;
        for (const Edge& edge : edges) {
            const unsigned slot = operation == RowOperation::join ? ++joined : edge.slot - first + 1;
            add_operand(row, slot, shadow_[operands[edge.slot]]);
            row.code.aux |= 1u << (row_aux::present_shift + slot - 1);
        }
        if (operation == RowOperation::select) add_operand(row, 4, operands[3]);
        if (operation == RowOperation::settle) add_operand(row, 4, operands[4]);
        if (operation == RowOperation::settle_2) {
            add_operand(row, 4, operands[1]);
            add_operand(row, 5, operands[2]);
        }
        return row;
    }

    // The check of a store gets the rows of what may be unwritten.
    void tell_rows(PendingInstruction& check, std::span<const Edge> edges) const {
        for (const Edge& edge : edges) {
            add_operand(check, edge.slot, shadow_[check.code.operand[edge.slot]]);
            check.code.aux |= check_aux::tracked << edge.slot;
        }
    }

    // Puts the row instructions in, each behind a copy of the guard of the instruction that it belongs to.
    void instrument() {
        std::vector<PendingInstruction> out;
        std::vector<uint32_t> moved_to(pending_.size() + 1);
        out.reserve(pending_.size() + 4 * tracked_.size());
        const Origin start = pending_.empty() ? Origin{} : pending_.front().origin;
        for (const uint32_t r : tracked_)
            out.push_back(row_instruction(RowOperation::clear, shadow_[r], start));
        size_t check = 0, edge = 0;
        // An instruction and its guard stay together: what belongs to the guarded one goes before the guard.
        for (uint32_t k = 0; k < pending_.size(); ++k) {
            moved_to[k] = static_cast<uint32_t>(out.size());
            const bool guarded = k + 1 < pending_.size() && pending_[k + 1].conditional;
            const uint32_t last = guarded ? k + 1 : k;
            const PendingInstruction* const guard = guarded ? &pending_[k] : nullptr;
            for (uint32_t at = k; at <= last; ++at) {
                PendingInstruction& instruction = pending_[at];
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
                const size_t first_edge = edge;
                while (edge < edges_.size() && edges_[edge].instruction == at)
                    ++edge;
                const std::span<const Edge> edges(edges_.data() + first_edge, edge - first_edge);
                if (instruction.unwritten == Unwritten::stored) tell_rows(instruction, edges);
                for_each_register(instruction, true, [&](uint32_t r) {
                    if (shadow_[r] != none) put(result_row(instruction, r, edges));
                });
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
    std::vector<Edge> edges_;                            // in order
    std::vector<std::pair<uint32_t, uint32_t>> checks_;  // instruction, register; in order
};

}  // namespace

void track_unwritten(std::vector<PendingInstruction>& pending, std::vector<ScalarType>& register_types,
                     Function& function, const UnwrittenPolicy& policy) {
    Tracker(pending, register_types, function, policy).run();
}

}  // namespace cuprum::simulator
