// The slow way from an address to its bytes: through the allocation table and the windows, with a report when it fails.
#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"
#include "engine/instructions/memory/addressing_aux.hpp"

namespace cuprum::simulator {
namespace {

const char* verb(Access access) {
    switch (access) {
        case Access::read:
            return "read";
        case Access::write:
            return "wrote";
        default:
            return "updated";
    }
}

[[noreturn]] void fault_address(Warp& warp, const Instruction* at, unsigned lane, uint64_t address, Fault::Kind kind,
                                const std::string& what) {
    Fault fault = describe_fault(warp, at, lane, kind, what);
    fault.address = address;
    throw FaultException{std::move(fault)};
}

std::string bytes_text(uint64_t bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

// Why an access to memory that is there is refused.
enum class Refusal { none, read_only, multicast, not_multicast };

// Device memory: the allocation's range, kept for the next access.
std::byte* resolve_device(Warp& warp, const Instruction* at, uint64_t address, uint64_t bytes, Access access,
                          Refusal& refusal) {
    const SharedSnapshot& memory = warp.block->launch->request->memory;
    const MemoryRange* const range = memory ? memory->find(address, bytes) : nullptr;
    if (range == nullptr) return nullptr;
    if (access != Access::read && !range->writable) {
        refusal = Refusal::read_only;
        return nullptr;
    }
    const bool wants_multicast = (at->aux & memory_aux::multicast) != 0;
    if (range->multicast != wants_multicast) {
        refusal = wants_multicast ? Refusal::not_multicast : Refusal::multicast;
        return nullptr;
    }
    RangeCache& cache = warp.ranges[at->cache];
    cache.begin = range->begin;
    cache.end = range->begin + range->size;
    cache.host_offset = range->host_offset;
    return reinterpret_cast<std::byte*>(address + static_cast<uint64_t>(range->host_offset));
}

bool within(uint64_t address, uint64_t base, uint64_t size, uint64_t bytes) {
    return address >= base && address - base <= size && size - (address - base) >= bytes;
}

[[noreturn]] void fault_cluster(Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes) {
    const uint64_t rank = offset / window::block_size - 1, within_block = offset % window::block_size;
    const uint32_t blocks = warp.block->launch->cluster_blocks;
    std::string what = "accessed " + bytes_text(bytes) + " of the cluster's shared memory at offset " +
                       hexadecimal(within_block) + " of the block of rank " + std::to_string(rank);
    if (rank >= blocks) {
        what += ": the cluster has " + std::to_string(blocks);
    } else if (shared_place(warp, window::shared + offset).block == nullptr) {
        what += ", all of whose threads have ended; keep it alive with a last barrier.cluster (cluster.sync())";
    } else {
        what += ": it has " + bytes_text(warp.shared_bytes);
    }
    fault_address(warp, at, lane, window::shared + offset, Fault::Kind::illegal_address, what);
}

}  // namespace

SharedPlace shared_place(const Warp& warp, uint64_t address) {
    const uint64_t offset = address - window::shared;
    if (offset >= window::size) return {};
    const uint64_t part = offset / window::block_size;
    if (part == 0) return {warp.block, offset};
    const std::vector<Block*>& blocks = warp.block->cluster->blocks;
    if (part > blocks.size() || blocks[part - 1]->barriers.live_threads == 0) return {};
    return {blocks[part - 1], offset % window::block_size};
}

bool in_constant_variable(const Warp& warp, uint64_t address) {
    const Launch& launch = *warp.block->launch;
    const std::vector<uint64_t>& addresses = launch.request->variable_addresses;
    for (size_t index = 0; index < addresses.size(); ++index) {
        const ModuleVariable& variable = launch.image->variable_images[index].information;
        if (variable.constant && address - addresses[index] < variable.size) return true;
    }
    return false;
}

std::byte* resolve_span(Warp& warp, const Instruction* at, uint64_t address, uint64_t bytes, Access access) {
    if (address < window::first) {
        Refusal refusal{};
        return resolve_device(warp, at, address, bytes, access, refusal);
    }
    // Shared memory is the same for all lanes; the other windows go lane by lane.
    if (within(address, window::shared, warp.shared_bytes, bytes)) return warp.shared + (address - window::shared);
    return nullptr;
}

std::byte* resolve(Warp& warp, const Instruction* at, unsigned lane, uint64_t address, uint32_t bytes, Access access) {
    const Launch& launch = *warp.block->launch;
    Refusal refusal{};
    if (address < window::first) {
        if (std::byte* const found = resolve_device(warp, at, address, bytes, access, refusal)) return found;
        if (address >= window::heap && launch.request->heap != nullptr) {
            if (std::byte* const found = launch.request->heap->find(address, bytes)) return found;
            fault_address(warp, at, lane, address, Fault::Kind::illegal_address,
                          std::string(verb(access)) + " " + bytes_text(bytes) + " at " + hexadecimal(address) + ": " +
                              launch.request->heap->describe(address));
        }
    } else if (address - window::shared < window::size) {
        const uint64_t offset = address - window::shared;
        if (within(address, window::shared, warp.shared_bytes, bytes)) return warp.shared + offset;
        if (offset < window::block_size) fault_shared(warp, at, lane, offset, bytes);
        const SharedPlace place = shared_place(warp, address);
        if (place.block != nullptr && warp.shared_bytes >= bytes && place.offset <= warp.shared_bytes - bytes) {
            return place.block->shared.data() + place.offset;
        }
        fault_cluster(warp, at, lane, offset, bytes);
    } else if (address - window::local < window::size) {
        const uint64_t offset = address - window::local;
        if (access == Access::atomic) {
            fault_address(warp, at, lane, address, Fault::Kind::illegal_address,
                          "an atomic operation on local memory, at offset " + hexadecimal(offset));
        }
        if (within(address, window::local, warp.local_stride, bytes)) {
            return warp.local + lane * warp.local_stride + offset;
        }
        fault_local(warp, at, lane, offset, bytes);
    } else if (address - window::parameters < window::size) {
        const uint64_t offset = address - window::parameters;
        if (access == Access::read && within(address, window::parameters, launch.information->parameter_bytes, bytes)) {
            return launch.parameters.data() + offset;
        }
        fault_parameter(warp, at, lane, offset, bytes);
    } else if (within(address, window::grid_workspace, launch.workspace.size(), bytes)) {
        return launch.workspace.data() + (address - window::grid_workspace);
    }
    const SharedSnapshot& memory = launch.request->memory;
    std::string what = std::string(verb(access)) + " " + bytes_text(bytes) + " at " + hexadecimal(address);
    if (refusal == Refusal::read_only) what += ", which may only be read";
    if (refusal == Refusal::multicast) what += ", which is a multicast address: only multimem can use one";
    if (refusal == Refusal::not_multicast)
        what += ", which is not a multicast address: multimem needs one (cuMulticastCreate)";
    what += ": " + (memory ? memory->describe(address) : "no device memory is allocated");
    fault_address(warp, at, lane, address, Fault::Kind::illegal_address, what);
}

std::byte* resolve_aligned(Warp& warp, const Instruction* at, unsigned lane, uint64_t address, uint32_t bytes,
                           uint32_t alignment, Access access) {
    if (address % alignment != 0) fault_misaligned(warp, at, lane, address, alignment);
    return resolve(warp, at, lane, address, bytes, access);
}

uint64_t generic_address(const Warp& warp, uint32_t operand, bool narrow, bool shared, unsigned lane) {
    const uint64_t address = narrow ? warp.row<uint32_t>(operand)[lane] : warp.row<uint64_t>(operand)[lane];
    return shared ? window::shared + address : address;
}

void fault_misaligned(Warp& warp, const Instruction* at, unsigned lane, uint64_t address, uint32_t bytes) {
    fault_address(warp, at, lane, address, Fault::Kind::misaligned_address,
                  "accessed " + bytes_text(bytes) + " at " + hexadecimal(address) + ", which is not a multiple of " +
                      std::to_string(bytes));
}

void fault_shared(Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes) {
    const Launch& launch = *warp.block->launch;
    fault_address(warp, at, lane, offset, Fault::Kind::illegal_address,
                  "accessed " + bytes_text(bytes) + " of shared memory at offset " + hexadecimal(offset) +
                      ": the block has " + bytes_text(warp.shared_bytes) + " (" +
                      std::to_string(launch.information->static_shared_bytes) + " static, " +
                      std::to_string(launch.request->dynamic_shared_bytes) + " dynamic)");
}

void fault_local(Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes) {
    fault_address(warp, at, lane, offset, Fault::Kind::illegal_address,
                  "accessed " + bytes_text(bytes) + " of local memory at offset " + hexadecimal(offset) +
                      ": the thread has " + bytes_text(warp.local_stride));
}

void fault_parameter(Warp& warp, const Instruction* at, unsigned lane, uint64_t offset, uint32_t bytes) {
    fault_address(warp, at, lane, offset, Fault::Kind::illegal_address,
                  "accessed " + bytes_text(bytes) + " of parameter memory at offset " + hexadecimal(offset) +
                      ", outside the parameters or to write into them");
}

void fault_at(Warp& warp, const Instruction* at, unsigned lane, Fault::Kind kind, const char* what) {
    throw FaultException{describe_fault(warp, at, lane, kind, what)};
}

}  // namespace cuprum::simulator
