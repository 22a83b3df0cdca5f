// Device memory as the engine sees it: address ranges, and how to reach their bytes.
//
// A device address is not a host pointer: the simulated device's address space is reserved without access, so that a
// host program that dereferences a device pointer faults as it would with a GPU. The interpreter reaches the same bytes
// through a second mapping: host address = device address + Range::host_offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cuprum::simulator {

// One live allocation that kernels may touch. Ranges never overlap.
struct MemoryRange {
    uint64_t begin = 0;       // device address
    uint64_t size = 0;        // bytes
    int64_t host_offset = 0;  // add to a device address to get the interpreter's pointer
    bool writable = true;
    bool multicast = false;     // addresses of a multicast object: for multimem alone
    bool host_visible = false;  // the host's program may read and write it
    // One byte for each of the range's, 1 once it has been written; null: not kept (Checks::memory). Blocks run side by
    // side: only by all_written and set_written.
    std::shared_ptr<uint8_t[]> written;
    std::string description;  // for reports: "cuMemAlloc of 4096 bytes", "variable 'table' of module 3"
};

// Sorted by begin.
using MemoryRanges = std::vector<MemoryRange>;

// An immutable set of ranges. A launch holds one for as long as it runs. Modules' variables, of which there may be tens
// of thousands, are apart: snapshots between which no module was loaded or unloaded have them in common.
struct MemorySnapshot {
    MemoryRanges ranges;
    std::shared_ptr<const MemoryRanges> variables;  // null: none
    // The range that holds all of [address, address + size), or nullptr.
    const MemoryRange* find(uint64_t address, uint64_t size) const;
    // A sentence that places a bad address: "64 bytes past the end of the cuMemAlloc of 4096 bytes at 0x7f..."; names
    // the nearest allocation below and above, or says that there are none.
    std::string describe(uint64_t address) const;
};

// What is known of `count` bytes from one of MemoryRange::written on.
bool all_written(const uint8_t* written, uint64_t count);
void set_written(uint8_t* written, uint64_t count, bool known);

using SharedSnapshot = std::shared_ptr<const MemorySnapshot>;

}  // namespace cuprum::simulator
