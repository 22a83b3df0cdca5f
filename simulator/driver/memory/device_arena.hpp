// The memory of one simulated device: where allocations get their addresses and bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "driver/memory/shared_file.hpp"

namespace cuprum::simulator::libcuda {

// Two reservations of the same size. The first is never accessible: its addresses are the device pointers that programs
// see, so that a host program which dereferences one faults as with a GPU. The second holds the bytes, at a fixed
// distance, and is used by the simulator alone. Pages are committed when they are first written, so a large device
// costs nothing until it is used.
//
// The addresses are several times as many as the bytes that may be allocated at once. Allocations are laid out one
// after the other, with a gap, from the first address to the last and then again from the first, so that freed
// addresses are used again as late as can be, and a pointer into freed memory is recognised for a long time. What is
// kept for each allocation goes when it is freed; a page goes back to the system when nothing on it is allocated any
// more. Thread-safe.
class DeviceArena {
public:
    static constexpr uint64_t alignment = 512;  // bytes, as cuMemAlloc's pointers have at least
    static constexpr std::byte poison{0xCB};    // what fresh memory holds: as a float -26703512

    // Throws DriverError(CUDA_ERROR_OUT_OF_MEMORY) when the addresses cannot be reserved.
    explicit DeviceArena(uint64_t bytes);
    ~DeviceArena();
    DeviceArena(const DeviceArena&) = delete;
    DeviceArena& operator=(const DeviceArena&) = delete;

    // The device address of `size` > 0 poisoned bytes; nothing if the device has not as many left. `unit`: the address
    // is a multiple of it, and no other allocation lies in the units that hold the bytes.
    std::optional<uint64_t> allocate(uint64_t size, uint64_t unit);
    // Takes the bytes back, of the same unit; the addresses rest before they are used again.
    void release(uint64_t address, uint64_t size, uint64_t unit);
    // Counts bytes that are kept elsewhere (memory that programs map themselves); false if there are not as many left.
    bool charge(uint64_t size);
    void discharge(uint64_t size);
    // Poisons bytes that come into use again (stream-ordered reuse).
    void fill_with_poison(uint64_t address, uint64_t size);

    // Puts the pages of an allocation into a file that other processes can map, where they are not yet, and returns it:
    // the bytes are at offset_of(address) in it. Nobody may use the pages meanwhile. Throws DriverError.
    const SharedFile& share(uint64_t address, uint64_t size);
    uint64_t offset_of(uint64_t address) const { return address - base_; }

    // Whether the address is one of this device's, allocated or not.
    bool contains(uint64_t address) const { return address - base_ < span_; }
    int64_t host_offset() const { return host_offset_; }
    uint64_t total_bytes() const { return total_; }
    uint64_t used_bytes() const;

private:
    struct Resting {
        uint64_t begin, size;
    };
    // Freed lately: not used again, wherever the search for addresses is, unless there are no others.
    static constexpr size_t most_resting = 16384;
    // Pages are given back to the system this many at a time.
    static constexpr size_t most_vacated = 256;

    void return_addresses(uint64_t begin, uint64_t size);
    std::optional<uint64_t> take_addresses(uint64_t size, uint64_t unit);
    void occupy_partial_pages(uint64_t address, uint64_t size);
    void leave_partial_pages(uint64_t address, uint64_t size);
    void give_back_vacated_pages();
    void give_back_pages(uint64_t begin, uint64_t end);
    // Whether any of these pages was shared.
    bool stop_sharing(uint64_t begin, uint64_t end);

    uint64_t total_;
    uint64_t span_ = 0;  // addresses reserved
    uint64_t base_ = 0;
    int64_t host_offset_ = 0;
    mutable std::mutex mutex_;
    uint64_t used_ = 0;
    std::map<uint64_t, uint64_t> free_;  // begin -> size of address ranges that may be handed out
    uint64_t next_ = 0;                  // where the search for addresses goes on
    std::deque<Resting> resting_;
    // Pages that allocations cover in part: how many there are on each; none: not listed.
    std::unordered_map<uint64_t, uint32_t> occupants_;
    std::vector<uint64_t> vacated_;    // such pages that had none left, to be looked at again
    SharedFile shared_;                // as long as all addresses, sparse; none until something is shared
    std::set<uint64_t> shared_pages_;  // addresses of the pages that are in it
};

}  // namespace cuprum::simulator::libcuda
