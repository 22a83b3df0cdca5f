// How much of a device's memory an algorithm over host memory may take.
#pragma once

#include <cstdint>

#include "cuprum/core/device.hpp"
#include "cuprum/core/memory_resource.hpp"

namespace cuprum::parallel::out_of_core {

/// A device, and the part of its memory that a call may take: the elements go through it in pieces, and may be many
/// times as large. A call allocates what it needs once, when it begins, and frees it when it ends.
///
/// The algorithms work over host memory, from one end to the other: while a piece is worked on, the next one is copied
/// in and the one before it is copied out. Page-locked memory (of a PinnedMemoryResource, a LegacyPinnedMemoryResource,
/// or registered by Buffer) is copied directly, which is what makes these copies overlap. All other host memory goes
/// through at most 32 MiB of page-locked memory, which a call allocates, and is copied there by the calling thread.
///
/// With several of these an algorithm works on several devices at once, each of which has a bus of its own: the pieces,
/// all of one size that each has room for, are dealt to them in turn, and each has a thread, which makes the copies
/// through page-locked memory, and 32 MiB of that. Elements that are few (64 MiB) go through the first device alone.
struct DeviceMemory {
    core::Device device;
    uint64_t limit = 0;               ///< bytes; 0: seven eighths of what is free when a call begins
    core::MemoryResource resource{};  ///< memory of the device; invalid: what Device::allocate takes in a stream
};

}  // namespace cuprum::parallel::out_of_core
