// What graphs keep of the memory that they use.
//
// A buffer has one owner, and work takes its address. So a graph remembers the addresses that its work uses, and a
// buffer that is closed while a graph uses its memory is handed over to that graph: its memory is freed when the last
// graph that uses it has let go.
#pragma once

#include <map>
#include <memory>
#include <unordered_set>
#include <vector>

#include "circumstances.hpp"
#include "cuprum/core/buffer.hpp"

namespace cuprum::core {

// One of what a graph keeps. Thread-safe.
class KeptMemory {
public:
    KeptMemory() = default;
    KeptMemory(const KeptMemory&) = delete;
    KeptMemory& operator=(const KeptMemory&) = delete;
    ~KeptMemory();

    // Keeps the memory at this address from now on, whoever owns it; null is ignored, and so is the graph's own memory.
    void add(DevicePointer address);
    // Memory that the graph allocates itself, from now on: who closes its buffer frees it.
    void add_own(DevicePointer address, uint64_t size);

private:
    friend bool hand_over_to_graphs(Buffer& closing) noexcept;

    // All with the mutex of the registry.
    std::unordered_set<DevicePointer> addresses_;
    std::map<DevicePointer, DevicePointer> own_;  // begin and end
    std::vector<std::shared_ptr<const Buffer>> buffers_;
};

// Of a buffer that is being closed and has memory: whether graphs use it. They have taken it over then, and it is
// invalid.
bool hand_over_to_graphs(Buffer& closing) noexcept;

}  // namespace cuprum::core
