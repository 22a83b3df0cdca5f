// A function's basic blocks, and sets of its registers: what the passes over decoded instructions share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/program/decoder.hpp"

namespace cuprum::simulator {

class BitSet {
public:
    explicit BitSet(size_t size) : words_((size + 63) / 64) {}
    bool test(size_t bit) const { return (words_[bit / 64] >> (bit % 64) & 1) != 0; }
    void set(size_t bit) { words_[bit / 64] |= uint64_t{1} << (bit % 64); }
    void reset(size_t bit) { words_[bit / 64] &= ~(uint64_t{1} << (bit % 64)); }
    void set_all() { std::fill(words_.begin(), words_.end(), ~uint64_t{0}); }
    // this &= other; true if that changed anything.
    bool intersect(const BitSet& other) {
        bool changed = false;
        for (size_t k = 0; k < words_.size(); ++k) {
            const uint64_t next = words_[k] & other.words_[k];
            changed |= next != words_[k];
            words_[k] = next;
        }
        return changed;
    }
    // this |= gained & ~lost; true if that changed anything.
    bool merge(const BitSet& gained, const BitSet* lost = nullptr) {
        bool changed = false;
        for (size_t k = 0; k < words_.size(); ++k) {
            const uint64_t next = words_[k] | (gained.words_[k] & (lost != nullptr ? ~lost->words_[k] : ~uint64_t{0}));
            changed |= next != words_[k];
            words_[k] = next;
        }
        return changed;
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (size_t k = 0; k < words_.size(); ++k) {
            for (uint64_t rest = words_[k]; rest != 0; rest &= rest - 1) {
                visit(static_cast<uint32_t>(k * 64 + static_cast<size_t>(__builtin_ctzll(rest))));
            }
        }
    }

private:
    std::vector<uint64_t> words_;
};

struct BasicBlock {
    uint32_t begin = 0, end = 0;
    std::vector<uint32_t> successors;  // block numbers
};

// The blocks, in the order of the instructions; the branches' targets are resolved.
std::vector<BasicBlock> find_blocks(const std::vector<PendingInstruction>& pending, const Function& function);

// Calls visit(register) for those that the instruction writes, or for those that it reads.
template <class Visit>
void for_each_register(const PendingInstruction& instruction, bool defines, Visit&& visit) {
    for (unsigned slot = 0; slot < instruction.code.operand.size(); ++slot) {
        if ((instruction.references >> slot & 1) == 0) continue;
        if (((instruction.defines >> slot & 1) != 0) != defines) continue;
        const Reference reference = instruction.code.operand[slot];
        if ((reference & preload_flag) == 0) visit(reference);
    }
}

}  // namespace cuprum::simulator
