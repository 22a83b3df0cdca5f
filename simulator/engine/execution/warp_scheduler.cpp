// Divergence within a warp: groups of lanes with a place of their own.
//
// The group furthest back (deepest call first, then lowest instruction) runs, up to the place where another waits;
// there they merge. That alone can starve: lanes that spin at a lower place on something that lanes at a higher one
// must provide. So a warp's turn has a budget of backward branches, and the group that uses it up lets the one go that
// has waited longest. Splitting and merging renews no budget: else a spin loop with a branch in it would never end.
// Lanes meet explicitly at .sync instructions, which park a group until the lanes it names have come, to this
// instruction or to another that does the same.
#include <algorithm>
#include <cstring>

#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {
namespace {

// Backward branches in a warp's turn: many when its lanes are together, fewer when groups wait for each other. A block
// that has lately only spun gets shorter turns, by up to this many halvings: what it waits for is elsewhere.
constexpr int32_t converged_budget = 1 << 16;
constexpr int32_t diverged_budget = 1 << 12;
constexpr uint32_t most_halvings = 6;

void remove_group(Warp& warp, unsigned index) {
    --warp.group_count;
    if (index != warp.group_count) warp.groups[index] = warp.groups[warp.group_count];
}

bool before(const Group& a, const Group& b) {
    if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
    return a.pc < b.pc;
}

// The index of the group to run, or -1.
int choose(Warp& warp) {
    int best = -1;
    for (unsigned k = 0; k < warp.group_count; ++k) {
        const Group& group = warp.groups[k];
        if (group.state != Group::State::ready) continue;
        if (best < 0) {
            best = static_cast<int>(k);
            continue;
        }
        const Group& other = warp.groups[best];
        if (warp.rotate ? group.turn < other.turn : before(group, other)) best = static_cast<int>(k);
    }
    warp.rotate = false;
    return best;
}

// Joins what is at the same place; returns where the nearest other group of the frame waits, or null.
const Instruction* merge(Warp& warp, unsigned& chosen) {
    const Instruction* stop = nullptr;
    for (unsigned k = 0; k < warp.group_count;) {
        const Group& other = warp.groups[k];
        Group& group = warp.groups[chosen];
        if (k == chosen || other.state != Group::State::ready || other.frame != group.frame) {
            ++k;
            continue;
        }
        if (other.pc == group.pc && other.granted == group.granted && other.exchange == group.exchange &&
            other.value == group.value && other.threads == group.threads) {
            group.lanes |= other.lanes;
            // As if all had given way when the last of them did: else lanes that split off and come back, over and
            // over, would stay ahead of those that wait.
            group.turn = std::max(group.turn, other.turn);
            const unsigned last = warp.group_count - 1u;
            remove_group(warp, k);
            if (chosen == last) chosen = k;
            continue;
        }
        if (other.pc > group.pc && (stop == nullptr || other.pc < stop)) stop = other.pc;
        ++k;
    }
    return stop;
}

// Whether choose and merge have only two groups of one frame before them, with nothing to hand over: what a branch
// makes of lanes that were together.
bool are_two_halves(const Warp& warp) {
    const Group &one = warp.groups[0], &other = warp.groups[1];
    return warp.group_count == 2 && !warp.rotate && one.frame == other.frame && one.state == Group::State::ready &&
           other.state == Group::State::ready && !one.granted && !other.granted;
}

// As choose and merge, of those.
const Instruction* choose_half(Warp& warp, unsigned& chosen) {
    Group &one = warp.groups[0], &other = warp.groups[1];
    if (one.pc == other.pc) {
        one.lanes |= other.lanes;
        one.turn = std::max(one.turn, other.turn);
        warp.group_count = 1;
        return nullptr;
    }
    chosen = one.pc < other.pc ? 0 : 1;
    return warp.groups[1 - chosen].pc;
}

void enter(Warp& warp, unsigned chosen) {
    Group& group = warp.groups[chosen];
    warp.active = group.lanes;
    warp.current = static_cast<uint8_t>(chosen);
    warp.partial = group.lanes != warp.live;
    warp.frame = group.frame;
    warp.registers = group.frame->registers;
    warp.granted = group.granted;
    if (group.granted) {
        warp.exchange = group.exchange;
        warp.granted_value = group.value;
        warp.granted_threads = group.threads;
        group.granted = false;
        group.exchange = 0;
        group.value = group.threads = 0;
    }
    warp.event = Event::none;
}

Group& add_group(Warp& warp, uint32_t lanes, const Instruction* pc, Frame* frame) {
    Group& group = warp.groups[warp.group_count++];
    group = Group{};
    group.lanes = lanes;
    group.pc = pc;
    group.frame = frame;
    group.turn = warp.turn;
    return group;
}

// Group by group, until none can go on (false) or one gives way (true).
bool run_groups(Warp& warp) {
    while (true) {
        unsigned chosen = 0;
        const Instruction* stop = nullptr;
        if (warp.group_count == 1) {
            if (warp.groups[0].state != Group::State::ready) return false;
            warp.rotate = false;
        } else if (are_two_halves(warp)) {
            stop = choose_half(warp, chosen);
        } else {
            const int best = choose(warp);
            if (best < 0) return false;
            chosen = static_cast<unsigned>(best);
            stop = merge(warp, chosen);
        }
        enter(warp, chosen);
        warp.interpreter->run(warp, warp.groups[chosen].pc, stop);
        if (warp.paused) return false;
        if (warp.event == Event::yielded) return true;
    }
}

}  // namespace

bool is_ready(const Warp& warp) {
    for (unsigned k = 0; k < warp.group_count; ++k) {
        if (warp.groups[k].state == Group::State::ready) return true;
    }
    return false;
}

Warp* run_warps(Warp* warp, const Warp* end, Turns& turns) {
    const uint32_t halvings = std::min(warp->block->stalled_passes, most_halvings);
    bool yielded = false;
    if (warp->paused) {
        const Resumed resumed = warp->interpreter->resume(warp, end, converged_budget >> halvings);
        turns.advanced |= resumed.paused;
        if (!resumed.interrupted) return resumed.next;
        warp = resumed.next;
        yielded = warp->event == Event::yielded || run_groups(*warp);
    } else {
        if (!is_ready(*warp)) return warp + 1;
        warp->budget = (warp->group_count > 1 ? diverged_budget : converged_budget) >> halvings;
        yielded = run_groups(*warp);
    }
    (yielded ? turns.yielded : turns.advanced) = true;
    return warp + 1;
}

const Instruction* split(Warp& warp, uint32_t taken, const Instruction* target, const Instruction* fallthrough) {
    warp.budget = std::min(warp.budget, diverged_budget);
    Group& group = warp.groups[warp.current];
    group.lanes = warp.active & ~taken;
    group.pc = fallthrough;
    Group& other = add_group(warp, taken, target, warp.frame);
    other.turn = group.turn;
    warp.event = Event::reschedule;
    return nullptr;
}

const Instruction* yield(Warp& warp, const Instruction* next) {
    Group& group = warp.groups[warp.current];
    group.pc = next;
    group.turn = ++warp.turn;
    warp.rotate = true;
    warp.event = Event::yielded;
    return nullptr;
}

const Instruction* exit_lanes(Warp& warp, const Instruction*) {
    Block& block = *warp.block;
    // Frames of functions that these lanes leave without returning.
    for (Frame* frame = warp.frame; frame->parent != nullptr;) {
        Frame* const parent = frame->parent;
        frame->lanes &= ~warp.active;
        if (frame->lanes == 0) block.release_frame(warp, frame);
        frame = parent;
    }
    if (!block.copies.empty()) finish_copies(warp, warp.active);
    if (!block.bulk_copies.empty()) finish_bulk_copies(block);
    warp.live &= ~warp.active;
    const auto ended = static_cast<uint32_t>(__builtin_popcount(warp.active));
    block.barriers.live_threads -= ended;
    Cluster& cluster = *block.cluster;
    cluster.live_threads -= ended;
    if (cluster.arrived != 0) {
        cluster.arrived -= static_cast<uint32_t>(__builtin_popcount(warp.cluster_arrived & warp.active));
        check_cluster_barrier(cluster);
    }
    remove_group(warp, warp.current);
    if (warp.group_count > 0) check_warp_sync(warp);
    if (block.barriers.live_threads > 0) {
        for (uint32_t rest = block.barriers.waited_for; rest != 0; rest &= rest - 1)
            check_block_barrier(block, static_cast<unsigned>(__builtin_ctz(rest)));
    }
    warp.event = Event::exited;
    return nullptr;
}

namespace {

// The lanes of `lanes` that name the same set as the first of them.
uint32_t of_one_set(uint32_t lanes, const uint32_t* members) {
    const uint32_t named = members[__builtin_ctz(lanes)];
    uint32_t same = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (members[lane] == named) same |= 1u << lane;
    }
    return same;
}

// A place for what the lanes of a set have brought. There are as many as lanes, and each lane waits for one at most.
uint8_t new_exchange(Warp& warp, uint32_t lanes) {
    if (warp.exchanges == nullptr) warp.exchanges = warp.block->make_exchanges();
    uint8_t index = 0;
    while (warp.exchanges[index].unread != 0)
        ++index;
    Exchange& exchange = warp.exchanges[index];
    std::memcpy(exchange.value, warp.brought, sizeof(exchange.value));
    exchange.lanes = lanes;
    exchange.unread = lanes;
    return static_cast<uint8_t>(index + 1);
}

// Instructions that do the same, wherever they are, have the same body.
bool meets(const Group& one, const Group& other) {
    return other.state == Group::State::at_warp_sync && other.members == one.members &&
           other.pc->body[1] == one.pc->body[1];
}

}  // namespace

bool warp_synchronised(Warp& warp, const Instruction* at, const uint32_t* members) {
    // Lanes of one group may name different sets (tiles of a warp): each set is looked at by itself.
    uint32_t incomplete = 0;
    for (uint32_t rest = warp.active; rest != 0;) {
        const uint32_t same = of_one_set(rest, members);
        if ((members[__builtin_ctz(rest)] & warp.live & ~warp.active) != 0) incomplete |= same;
        rest &= ~same;
    }
    if (incomplete == 0) return true;
    const uint32_t complete = warp.active & ~incomplete;
    Frame* const frame = warp.frame;
    const uint32_t turn = warp.groups[warp.current].turn;
    remove_group(warp, warp.current);
    if (complete != 0) {
        Group& group = add_group(warp, complete, at, frame);
        group.granted = true;
        group.turn = turn;
    }
    while (incomplete != 0) {
        const uint32_t same = of_one_set(incomplete, members);
        Group& group = add_group(warp, same, at, frame);
        group.state = Group::State::at_warp_sync;
        group.members = members[__builtin_ctz(incomplete)];
        group.turn = turn;
        incomplete &= ~same;
    }
    warp.event = Event::parked;
    check_warp_sync(warp);
    return false;
}

void note_meeting(Warp& warp) {
    if (warp.block->races) warp.block->races->warp_met(warp.index);
}

void check_warp_sync(Warp& warp) {
    for (unsigned k = 0; k < warp.group_count; ++k) {
        const Group first = warp.groups[k];
        if (first.state != Group::State::at_warp_sync) continue;
        uint32_t here = 0;
        bool apart = false;
        for (unsigned other = 0; other < warp.group_count; ++other) {
            const Group& candidate = warp.groups[other];
            if (!meets(first, candidate)) continue;
            here |= candidate.lanes;
            apart |= candidate.pc != first.pc || candidate.frame != first.frame;
        }
        if ((first.members & warp.live & ~here) != 0) continue;
        // The lanes of one set are let go together. Those at the same place join when they are next chosen and read
        // each other's registers; if there are several places they take what was brought.
        const uint8_t exchange = apart ? new_exchange(warp, here) : uint8_t{0};
        for (unsigned other = 0; other < warp.group_count; ++other) {
            Group& candidate = warp.groups[other];
            if (!meets(first, candidate)) continue;
            candidate.state = Group::State::ready;
            candidate.granted = true;
            candidate.exchange = exchange;
        }
    }
}

}  // namespace cuprum::simulator
