// Liveness and linear-scan allocation.
//
// Lanes of a warp may be at different instructions, but each lane has its own column of every row, so a row can be
// reused as soon as one thread alone would allow it. Rows of different widths come from separate pools: two
// rows are either the same or disjoint, which the lane loops rely on; and an instruction's result never takes the row
// of an operand that dies there, because handlers may write one result before they have read every operand.
#include <algorithm>

#include "engine/program/decoder.hpp"
#include "engine/program/flow_graph.hpp"

namespace cuprum::simulator {
namespace {

constexpr uint32_t never = ~0u;

struct Interval {
    uint32_t first = never, last = 0;
    void include(uint32_t position) {
        first = std::min(first, position);
        last = std::max(last, position);
    }
};

}  // namespace

void allocate_registers(std::vector<PendingInstruction>& pending, const std::vector<ScalarType>& register_types,
                        Function& function, std::vector<RegisterPlace>* places) {
    const size_t registers = register_types.size();
    const std::vector<BasicBlock> blocks = find_blocks(pending, function);

    // Liveness, backwards to a fixed point. A conditional write does not end the old value's life.
    std::vector<BitSet> used(blocks.size(), BitSet(registers)), defined = used, live_in = used, live_out = used;
    for (size_t b = 0; b < blocks.size(); ++b) {
        for (uint32_t k = blocks[b].begin; k < blocks[b].end; ++k) {
            const PendingInstruction& instruction = pending[k];
            for_each_register(instruction, false, [&](uint32_t r) {
                if (!defined[b].test(r)) used[b].set(r);
            });
            for_each_register(instruction, true, [&](uint32_t r) {
                if (instruction.conditional) {
                    if (!defined[b].test(r)) used[b].set(r);
                } else {
                    defined[b].set(r);
                }
            });
        }
        live_in[b].merge(used[b]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = blocks.size(); b-- > 0;) {
            for (const uint32_t next : blocks[b].successors)
                live_out[b].merge(live_in[next]);
            changed |= live_in[b].merge(live_out[b], &defined[b]);
        }
    }

    std::vector<Interval> intervals(registers);
    for (size_t b = 0; b < blocks.size(); ++b) {
        live_in[b].for_each([&](uint32_t r) { intervals[r].include(blocks[b].begin); });
        live_out[b].for_each([&](uint32_t r) { intervals[r].include(blocks[b].end); });
        for (uint32_t k = blocks[b].begin; k < blocks[b].end; ++k) {
            for_each_register(pending[k], false, [&](uint32_t r) { intervals[r].include(k); });
            for_each_register(pending[k], true, [&](uint32_t r) { intervals[r].include(k); });
        }
    }

    // Linear scan over four pools: predicates (one word), 4-byte rows, 8-byte rows, 16-byte rows.
    std::vector<uint32_t> order;
    for (uint32_t r = 0; r < registers; ++r) {
        if (intervals[r].first != never) order.push_back(r);
    }
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return intervals[a].first < intervals[b].first; });
    constexpr unsigned pools = 4;
    const auto pool_of = [](uint32_t bytes) { return bytes == 0 ? 0u : bytes == 4 ? 1u : bytes == 8 ? 2u : 3u; };
    std::vector<uint32_t> slot(registers, 0);
    std::vector<uint32_t> free_slots[pools];
    uint32_t slot_count[pools] = {};
    using Active = std::pair<uint32_t, uint32_t>;  // last, register
    std::vector<Active> heap;
    uint32_t live_words = 0;
    const auto later = [](const Active& a, const Active& b) { return a.first > b.first; };
    for (const uint32_t r : order) {
        while (!heap.empty() && heap.front().first < intervals[r].first) {
            const uint32_t done = heap.front().second;
            std::pop_heap(heap.begin(), heap.end(), later);
            heap.pop_back();
            const uint32_t bytes = register_bytes(register_types[done]);
            if (places == nullptr) free_slots[pool_of(bytes)].push_back(slot[done]);
            live_words -= bytes / 4;
        }
        const uint32_t bytes = register_bytes(register_types[r]);
        const unsigned pool = pool_of(bytes);
        if (free_slots[pool].empty()) {
            slot[r] = slot_count[pool]++;
        } else {
            slot[r] = free_slots[pool].back();
            free_slots[pool].pop_back();
        }
        live_words += bytes / 4;
        function.live_words = std::max(function.live_words, live_words);
        heap.emplace_back(intervals[r].last, r);
        std::push_heap(heap.begin(), heap.end(), later);
    }

    // The frame: predicates, then rows of 8, of 4 and of 16 bytes, then the preloads.
    uint32_t predicate_words = slot_count[0];
    for (Preload& preload : function.preloads) {
        if (preload.bytes == 0) preload.offset = 4 * predicate_words++;
    }
    const uint32_t wide_base = (4 * predicate_words + 63) / 64 * 64;
    const uint32_t narrow_base = wide_base + slot_count[2] * 8 * lanes_per_warp;
    const uint32_t widest_base = narrow_base + slot_count[1] * 4 * lanes_per_warp;
    uint32_t end = widest_base + slot_count[3] * 16 * lanes_per_warp;
    for (Preload& preload : function.preloads) {
        if (preload.bytes == 0) continue;
        preload.offset = end;
        end += preload.bytes * lanes_per_warp;
    }
    function.register_area_bytes = end;
    const auto offset_of = [&](Reference reference) {
        if ((reference & preload_flag) != 0) return function.preloads[reference & ~preload_flag].offset;
        const uint32_t bytes = register_bytes(register_types[reference]);
        if (bytes == 0) return 4 * slot[reference];
        if (bytes == 16) return widest_base + slot[reference] * 16 * lanes_per_warp;
        return bytes == 8 ? wide_base + slot[reference] * 8 * lanes_per_warp
                          : narrow_base + slot[reference] * 4 * lanes_per_warp;
    };
    const auto poison = [&](uint32_t r) {
        function.poisoned_rows.push_back(offset_of(r));
        function.poisoned_bytes.push_back(static_cast<uint8_t>(register_bytes(register_types[r])));
    };
    if (places == nullptr) {
        live_in[0].for_each(poison);
    } else {
        places->resize(registers);
        std::ranges::for_each(order, poison);
        for (const uint32_t r : order)
            (*places)[r] = {offset_of(r), intervals[r].first, intervals[r].last};
    }

    function.code.reserve(pending.size());
    function.origins.reserve(pending.size());
    for (PendingInstruction& instruction : pending) {
        for (unsigned k = 0; k < instruction.code.operand.size(); ++k) {
            if ((instruction.references >> k & 1) != 0) {
                instruction.code.operand[k] = offset_of(instruction.code.operand[k]);
            }
        }
        function.code.push_back(instruction.code);
        function.origins.push_back(instruction.origin);
    }
}

}  // namespace cuprum::simulator
