// What a fault says.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"
#include "engine/inspection/inspector.hpp"
#include "engine/inspection/warp_view.hpp"

namespace cuprum::simulator {
namespace {

const Origin* origin_of(const Function& function, const Instruction* at) {
    const Instruction* const first = function.code.data();
    if (at < first || at >= first + function.origins.size()) return nullptr;
    return &function.origins[static_cast<size_t>(at - first)];
}

bool wants_inspection(const Launch& launch) {
    return launch.model->inspector && launch.model->inspector->wants_faults();
}

}  // namespace

std::string place_text(const Launch& launch, const Function& function, const Instruction* at) {
    const Origin* const origin = origin_of(function, at);
    if (origin == nullptr) return "at an unknown place";
    std::string text =
        "at PTX line " + std::to_string(origin->ptx_line) + " (" + launch.image->mnemonics[origin->text] + ")";
    if (origin->source_line != 0) {
        text +=
            ", source " + launch.image->source_files[origin->source_file] + ":" + std::to_string(origin->source_line);
    }
    if (!function.is_kernel) text += ", in function '" + function.name + "'";
    return text;
}

uint32_t ptx_line_of(const Function& function, const Instruction* at) {
    const Origin* const origin = origin_of(function, at);
    return origin != nullptr ? origin->ptx_line : 0;
}

std::string hexadecimal(uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::string dimensions_text(const Dimensions& value) {
    std::string text = "(";
    text += std::to_string(value.x);
    text += ", ";
    text += std::to_string(value.y);
    text += ", ";
    text += std::to_string(value.z);
    text += ')';
    return text;
}

Dimensions thread_index(const Block& block, uint32_t warp, unsigned lane) {
    const Dimensions& size = block.launch->request->block;
    const uint32_t linear = warp * lanes_per_warp + lane;
    return {linear % size.x, linear / size.x % size.y, linear / size.x / size.y};
}

Fault describe_fault(const Warp& warp, const Instruction* at, unsigned lane, Fault::Kind kind,
                     const std::string& what) {
    Fault fault = describe_fault(warp, *warp.frame->function, at, lane, kind, what);
    if (wants_inspection(*warp.block->launch)) fault.inspection = describe_warp(warp, *warp.frame, at, warp.active);
    return fault;
}

Fault describe_fault(const Warp& warp, const Function& function, const Instruction* at, unsigned lane, Fault::Kind kind,
                     const std::string& what) {
    const Block& block = *warp.block;
    const Launch& launch = *block.launch;
    Fault fault;
    fault.kind = kind;
    fault.kernel = launch.information->name;
    fault.block = block.index;
    fault.thread = thread_index(block, warp.index, lane);
    if (const Origin* const origin = origin_of(function, at)) {
        fault.ptx_line = origin->ptx_line;
        fault.source_line = origin->source_line;
        if (origin->source_line != 0) fault.source_file = launch.image->source_files[origin->source_file];
    }
    fault.message = "kernel '" + fault.kernel + "', block " + dimensions_text(fault.block) + ", thread " +
                    dimensions_text(fault.thread) + ", " + place_text(launch, function, at) + ": " + what;
    return fault;
}

Fault describe_deadlock(const Block& block) {
    const Launch& launch = *block.launch;
    Fault fault;
    fault.kind = Fault::Kind::deadlock;
    fault.kernel = launch.information->name;
    fault.block = block.index;
    fault.message =
        "kernel '" + fault.kernel + "', block " + dimensions_text(block.index) + ": deadlock, no thread can go on";
    bool first = true;
    for (const Warp& warp : block.warps) {
        for (unsigned k = 0; k < warp.group_count; ++k) {
            const Group& group = warp.groups[k];
            const Function& function = *group.frame->function;
            if (first) {
                fault.thread = thread_index(block, warp.index, static_cast<unsigned>(__builtin_ctz(group.lanes)));
                if (const Origin* const origin = origin_of(function, group.pc)) fault.ptx_line = origin->ptx_line;
                if (wants_inspection(launch))
                    fault.inspection = describe_warp(warp, *group.frame, group.pc, group.lanes);
                first = false;
            }
            fault.message += "; warp " + std::to_string(warp.index) + " lanes " + hexadecimal(group.lanes) + " wait ";
            if (group.state == Group::State::at_block_barrier) {
                const Barrier& barrier = block.barriers.of[group.barrier];
                fault.message +=
                    "at barrier " + std::to_string(group.barrier) + ", where " + std::to_string(barrier.arrived) +
                    " of " + std::to_string(barrier.expected != 0 ? barrier.expected : block.barriers.live_threads) +
                    " threads have arrived, ";
            } else if (group.state == Group::State::at_cluster_barrier) {
                fault.message += "at the cluster's barrier, where " + std::to_string(block.cluster->arrived) + " of " +
                                 std::to_string(block.cluster->live_threads) + " threads have arrived, ";
            } else {
                fault.message += "for lanes " + hexadecimal(group.members & warp.live) + " ";
            }
            fault.message += place_text(launch, function, group.pc);
        }
    }
    return fault;
}

Fault describe_divergent_barrier(const Warp& warp, const Group& group, const Group& other) {
    const Launch& launch = *warp.block->launch;
    Fault fault = describe_fault(warp, *group.frame->function, group.pc,
                                 static_cast<unsigned>(__builtin_ctz(group.lanes)), Fault::Kind::divergent_barrier,
                                 "lanes " + hexadecimal(group.lanes) + " of warp " + std::to_string(warp.index) +
                                     " waited at this barrier while lanes " + hexadecimal(other.lanes) + " waited " +
                                     place_text(launch, *other.frame->function, other.pc) +
                                     "; all threads of a warp must come to the same aligned barrier");
    if (wants_inspection(launch)) fault.inspection = describe_warp(warp, *group.frame, group.pc, group.lanes);
    return fault;
}

void fault_unwritten(Warp& warp, const Instruction* at, uint32_t lanes) {
    const std::string& name = warp.frame->function->checked_registers[static_cast<size_t>(at->immediate)];
    const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
    const std::string memory = unwritten_read_text(warp, lane);
    const auto kind = memory.empty() ? Fault::Kind::uninitialised_register : Fault::Kind::uninitialised_memory;
    throw FaultException{describe_fault(
        warp, at, lane, kind,
        "read register " + name +
            (memory.empty() ? ", which the thread has not written" : ", whose value nothing has written") + memory)};
}

uint64_t read_special(Warp&, Special special) {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    const auto nanoseconds =
        static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count());
    // The simulated processor runs at 1 GHz: its clock counts nanoseconds.
    const auto wall = static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count());
    switch (special) {
        case Special::clock:
        case Special::clock64:
            return nanoseconds;
        case Special::clock_hi:
            return nanoseconds >> 32;
        case Special::globaltimer:
        case Special::globaltimer_lo:
            return wall;
        case Special::globaltimer_hi:
            return wall >> 32;
        default:
            return 0;
    }
}

}  // namespace cuprum::simulator
