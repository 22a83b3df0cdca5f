// From a lane's address to the bytes it names: the checks that every memory handler makes. Part of the sources that
// are compiled once per instruction set.
#pragma once

#include "engine/execution/lanes.hpp"
#include "engine/instructions/memory/addressing_aux.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

inline __attribute__((always_inline)) bool covers(const RangeCache& range, uint64_t address, uint64_t bytes) {
    return address >= range.begin && address <= range.end && range.end - address >= bytes;
}

inline __attribute__((always_inline)) std::byte* host(uint64_t address, int64_t offset) {
    return reinterpret_cast<std::byte*>(address + static_cast<uint64_t>(offset));
}

// A generic or global address.
template <Access Kind>
inline __attribute__((always_inline)) std::byte* global_pointer(Warp& warp, const Instruction* at, unsigned lane,
                                                                uint64_t address, uint32_t bytes) {
    if ((address & (bytes - 1)) != 0) fault_misaligned(warp, at, lane, address, bytes);
    const RangeCache& range = warp.ranges[at->cache];
    if (covers(range, address, bytes)) return host(address, range.host_offset);
    return resolve(warp, at, lane, address, bytes, Kind);
}

// A load that begins inside may reach past the end: compilers make one aligned vector load of what needs only its first
// elements. (The block's memory is rounded up, see Block.)
template <Access Kind>
inline __attribute__((always_inline)) std::byte* shared_pointer(Warp& warp, const Instruction* at, unsigned lane,
                                                                uint64_t offset, uint32_t bytes) {
    if ((offset & (bytes - 1)) != 0) fault_misaligned(warp, at, lane, offset, bytes);
    const uint64_t least = Kind == Access::read ? 1 : bytes;
    if (offset > warp.shared_bytes || warp.shared_bytes - offset < least) fault_shared(warp, at, lane, offset, bytes);
    return warp.shared + offset;
}

// Any space, decided while running: for what is rare or slow anyway.
template <Access Kind>
inline std::byte* any_pointer(Warp& warp, const Instruction* at, unsigned lane, uint64_t address, uint32_t bytes) {
    switch (static_cast<AddressSpace>(at->aux & memory_aux::space_mask)) {
        case AddressSpace::global:
        case AddressSpace::parameter:
            return global_pointer<Kind>(warp, at, lane, address, bytes);
        case AddressSpace::shared:
            return shared_pointer<Kind>(warp, at, lane, address, bytes);
        case AddressSpace::local:
            if ((address & (bytes - 1)) != 0) fault_misaligned(warp, at, lane, address, bytes);
            if (address > warp.local_stride || warp.local_stride - address < bytes) {
                fault_local(warp, at, lane, address, bytes);
            }
            return warp.local + lane * warp.local_stride + address;
        case AddressSpace::function_parameter: {
            const uint64_t area = warp.frame->function->parameter_area_bytes;
            if (address > area || area - address < bytes) fault_parameter(warp, at, lane, address, bytes);
            return warp.parameter_area(lane) + address;
        }
    }
    return nullptr;
}

inline uint64_t lane_address(const Warp& warp, const Instruction* at, unsigned lane, uint32_t operand) {
    const auto offset = static_cast<uint64_t>(at->immediate);
    if ((at->aux & memory_aux::narrow_address) == 0) return warp.row<uint64_t>(operand)[lane] + offset;
    const uint64_t sum = warp.row<uint32_t>(operand)[lane] + offset;
    return memory_aux::wraps(at->aux) ? static_cast<uint32_t>(sum) : sum;
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
