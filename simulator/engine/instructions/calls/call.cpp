// Calls and returns: each activation has a frame of its own, so lanes in different functions, or at different depths of
// a recursion, never share registers.
#include <algorithm>
#include <cstring>

#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {
namespace {

constexpr uint32_t deepest_call = 20000;

uint32_t parameter_bytes_offset(const Frame& frame, unsigned lane) {
    return frame.function->register_area_bytes + lane * frame.function->parameter_area_bytes;
}

void copy_parameters(const Frame& from, const std::vector<ParameterSlot>& sources, const Frame& to,
                     const std::vector<ParameterSlot>& targets, uint32_t lanes) {
    const size_t count = sources.size() < targets.size() ? sources.size() : targets.size();
    for (size_t k = 0; k < count; ++k) {
        const uint32_t size = sources[k].size < targets[k].size ? sources[k].size : targets[k].size;
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
            std::memcpy(to.registers + parameter_bytes_offset(to, lane) + targets[k].offset,
                        from.registers + parameter_bytes_offset(from, lane) + sources[k].offset, size);
        }
    }
}

void enter_function(Warp& warp, const Instruction* at, const Function& callee, const CallSite& site, Group& group) {
    Frame& caller = *group.frame;
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(group.lanes));
    uint32_t base = caller.local_base + caller.function->local_bytes;
    if (caller.stack_tops != nullptr) {
        for (uint32_t rest = group.lanes; rest != 0; rest &= rest - 1)
            base = std::max(base, (caller.stack_tops[__builtin_ctz(rest)] + 15) / 16 * 16);
    }
    if (base + callee.local_bytes > warp.local_stride || caller.depth >= deepest_call) {
        throw FaultException{
            describe_fault(warp, at, lane, Fault::Kind::stack_overflow,
                           "the call of '" + callee.name + "' at depth " + std::to_string(caller.depth + 1) +
                               " does not fit the thread's stack of " + std::to_string(warp.local_stride) + " bytes")};
    }
    Frame* const frame = warp.block->acquire_frame(warp, callee, base);
    frame->parent = &caller;
    frame->return_to = at + 1;
    frame->site = &site;
    frame->lanes = group.lanes;
    frame->depth = caller.depth + 1;
    copy_parameters(caller, site.arguments, *frame, callee.parameters, group.lanes);
    group.frame = frame;
    group.pc = callee.code.data();
}

}  // namespace

const Instruction* call_function(Warp& warp, const Instruction* at, const Function& callee, const CallSite& site) {
    Group& group = warp.groups[warp.current];
    enter_function(warp, at, callee, site, group);
    if (warp.partial) {
        warp.event = Event::reschedule;
        return nullptr;
    }
    warp.frame = group.frame;
    warp.registers = warp.frame->registers;
    return group.pc;
}

const Instruction* call_indirect(Warp& warp, const Instruction* at) {
    const Launch& launch = *warp.block->launch;
    const CallSite& site = warp.frame->function->calls[at->aux];
    const uint64_t* const targets = warp.row<uint64_t>(at->operand[0]);
    const auto first = static_cast<unsigned>(__builtin_ctz(warp.active));
    // Lanes that call the same function go together.
    uint32_t same = 0;
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (targets[lane] == targets[first]) same |= 1u << lane;
    }
    const uint64_t address = targets[first];
    const uint64_t index = (address - window::functions) / 16;
    if (address < window::functions || address % 16 != 0 || index >= launch.image->functions.size() ||
        !launch.image->functions[index].has_body || launch.image->functions[index].is_kernel) {
        Fault fault =
            describe_fault(warp, at, first, Fault::Kind::illegal_address,
                           "called through a pointer that names no function of the module: " + hexadecimal(address));
        fault.address = address;
        throw FaultException{std::move(fault)};
    }
    const Function& callee = launch.image->functions[index];
    if (same == warp.active) return call_function(warp, at, callee, site);
    split(warp, same, at, at);
    Group& group = warp.groups[warp.group_count - 1];
    enter_function(warp, at, callee, site, group);
    return nullptr;
}

const Instruction* return_lanes(Warp& warp, const Instruction* at) {
    Frame* const frame = warp.frame;
    if (frame->parent == nullptr) return exit_lanes(warp, at);
    Group& group = warp.groups[warp.current];
    copy_parameters(*frame, frame->function->returns, *frame->parent, frame->site->returns, warp.active);
    group.frame = frame->parent;
    group.pc = frame->return_to;
    frame->lanes &= ~warp.active;
    if (frame->lanes == 0) warp.block->release_frame(warp, frame);
    if (warp.partial) {
        warp.event = Event::reschedule;
        return nullptr;
    }
    warp.frame = group.frame;
    warp.registers = warp.frame->registers;
    return group.pc;
}

// alloca, stacksave and stackrestore: every lane has a stack of its own, though lanes share a frame.
const Instruction* stack_pointer(Warp& warp, const Instruction* at) {
    const auto alignment = static_cast<uint64_t>(at->immediate);
    const bool wide = (at->aux & stack_aux::wide) != 0;
    const auto value = [&](unsigned slot, unsigned lane) {
        return wide ? warp.row<uint64_t>(at->operand[slot])[lane] : warp.row<uint32_t>(at->operand[slot])[lane];
    };
    const uint64_t least = warp.frame->local_base + warp.frame->function->local_bytes;
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        uint32_t& top = warp.frame->stack_tops[lane];
        if ((at->aux & stack_aux::restore) != 0) {
            const uint64_t saved = value(0, lane);
            if (saved < least || saved > top) {
                fault_at(warp, at, lane, Fault::Kind::illegal_instruction, "restored a stack that it had not saved");
            }
            top = static_cast<uint32_t>(saved);
            continue;
        }
        uint64_t begin = top;
        if ((at->aux & stack_aux::allocate) != 0) {
            begin = (top + alignment - 1) / alignment * alignment;
            const uint64_t size = value(1, lane);
            if (size > warp.local_stride || begin + size > warp.local_stride) {
                fault_at(warp, at, lane, Fault::Kind::stack_overflow,
                         ("alloca of " + std::to_string(size) + " bytes does not fit the thread's stack of " +
                          std::to_string(warp.local_stride) + " bytes")
                             .c_str());
            }
            top = static_cast<uint32_t>(begin + size);
        }
        if (wide)
            warp.row<uint64_t>(at->operand[0])[lane] = begin;
        else
            warp.row<uint32_t>(at->operand[0])[lane] = static_cast<uint32_t>(begin);
    }
    return at + 1;
}

}  // namespace cuprum::simulator
