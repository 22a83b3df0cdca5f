// The heap of malloc and free in kernels (CU_LIMIT_MALLOC_HEAP_SIZE). Only kernels reach it, as on a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace cuprum::simulator {

// Lives as long as its context: what one kernel allocates another may free. Thread-safe.
class DeviceHeap {
public:
    explicit DeviceHeap(uint64_t bytes) : capacity_(bytes) {}

    // The device address of `bytes` poisoned bytes, a multiple of 16; 0 if the heap has not as many left.
    uint64_t allocate(uint64_t bytes);
    // Takes back what begins at `address`. False: nothing does.
    bool release(uint64_t address);
    // The interpreter's pointer to [address, address + bytes), or null if it is not in one allocation.
    std::byte* find(uint64_t address, uint64_t bytes) const;
    // Places a bad address: "byte 4 of the malloc of 16 bytes at 0x..., freed since".
    std::string describe(uint64_t address) const;
    uint64_t used() const;

private:
    struct Piece {
        uint64_t size = 0;
        std::unique_ptr<std::byte[]> bytes;  // none: freed
    };
    static constexpr size_t remembered = 1024;  // freed pieces

    mutable std::mutex mutex_;
    uint64_t capacity_;
    uint64_t used_ = 0;
    uint64_t next_ = 0;                 // offset in the window
    std::map<uint64_t, Piece> pieces_;  // by address, with those freed lately
    std::deque<uint64_t> freed_;
};

}  // namespace cuprum::simulator
