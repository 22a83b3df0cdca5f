// cp.async, and how cp.async.bulk starts and is waited for (bulk_copy.cpp). Source: PTX ISA 9.0, 9.7.9.25.
//
// A copy happens as late as a program may notice: cp.async when its thread waits for the group or has an mbarrier wait,
// cp.async.bulk when somebody looks at the mbarrier or waits for the group. So a program that reads too early finds
// what was there before, as it may on a GPU.
#include <algorithm>
#include <cstring>

#include "engine/execution/runtime.hpp"
#include "engine/instructions/asynchronous/pending.hpp"

namespace cuprum::simulator {
namespace {

void perform(const PendingCopy& copy) {
    if (copy.copied != 0) std::memcpy(copy.to, copy.from, copy.copied);  // else there need be no source
    std::memset(copy.to + copy.copied, 0, copy.zeroed);
}

// Performs, in their order, the copies that `due` picks.
template <class Due>
void finish(Warp& warp, Due&& due) {
    if (warp.block->copies.empty()) return;
    std::vector<PendingCopy>& copies = warp.block->copies[warp.index].copies;
    std::erase_if(copies, [&](const PendingCopy& copy) {
        if (!due(copy)) return false;
        perform(copy);
        note_copy_finish(warp, copy.lane, copy.to, copy.copied + copy.zeroed);
        return true;
    });
}

PendingCopies& pending_copies(Warp& warp) {
    Block& block = *warp.block;
    if (block.copies.empty()) block.copies.resize(block.warps.size());
    return block.copies[warp.index];
}

void start_copy(Warp& warp, const Instruction* at, unsigned lane) {
    const auto size = static_cast<uint32_t>(at->immediate);
    uint32_t copied = size;
    if ((at->aux & copy_aux::partial_source) != 0) {
        copied = warp.row<uint32_t>(at->operand[2])[lane];
        if (copied > size) {
            fault_at(warp, at, lane, Fault::Kind::illegal_instruction,
                     ("copied " + std::to_string(copied) + " bytes in a cp.async of " + std::to_string(size)).c_str());
        }
    } else if ((at->aux & copy_aux::ignores_source) != 0) {
        const bool ignored = (warp.predicate(at->operand[2]) >> lane & 1) != ((at->aux & copy_aux::negated) != 0);
        if (ignored) copied = 0;
    }
    PendingCopy copy;
    copy.copied = copied;
    copy.zeroed = size - copied;
    copy.lane = static_cast<uint8_t>(lane);
    const uint64_t to = address_of_copy(warp, at, 0, lane);
    copy.to = resolve_aligned(warp, at, lane, to, size, size, Access::write);
    note_written(warp, lane, to, size);
    note_copy_start(warp, at, lane, copy.to, size);
    const uint64_t from = address_of_copy(warp, at, 1, lane);
    if (from % size != 0) fault_misaligned(warp, at, lane, from, size);
    if (copied != 0) copy.from = resolve(warp, at, lane, from, copied, Access::read);
    PendingCopies& pending = pending_copies(warp);
    copy.group = pending.groups[lane];
    pending.copies.push_back(copy);
}

}  // namespace

void finish_copies(Warp& warp, uint32_t lanes) {
    finish(warp, [&](const PendingCopy& copy) { return (lanes >> copy.lane & 1) != 0; });
}

const Instruction* asynchronous_copy(Warp& warp, const Instruction* at) {
    const uint32_t operation = at->aux & copy_aux::operation_mask;
    const uint32_t lanes = warp.active;
    if (warp.block->races) warp.block->races->next_instruction();
    const auto each = [&](auto&& visit) {
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
            visit(static_cast<unsigned>(__builtin_ctz(rest)));
    };
    switch (operation) {
        case copy_aux::copy:
            each([&](unsigned lane) { start_copy(warp, at, lane); });
            break;
        case copy_aux::commit: {
            PendingCopies& pending = pending_copies(warp);
            each([&](unsigned lane) { ++pending.groups[lane]; });
            break;
        }
        case copy_aux::wait: {
            // All committed groups but the latest few.
            const PendingCopies& pending = pending_copies(warp);
            const auto left = static_cast<uint32_t>(at->immediate);
            finish(warp, [&](const PendingCopy& copy) {
                return (lanes >> copy.lane & 1) != 0 &&
                       static_cast<uint64_t>(copy.group) + left < pending.groups[copy.lane];
            });
            break;
        }
        case copy_aux::wait_all:
            finish_copies(warp, lanes);
            break;
        case copy_aux::bulk:
            each([&](unsigned lane) { start_bulk_copy(warp, at, lane); });
            break;
        case copy_aux::bulk_wait:
            finish_bulk_copies(*warp.block);
            break;
        default:  // bulk_commit: waiting for one group waits for all
            break;
    }
    return at + 1;
}

}  // namespace cuprum::simulator
