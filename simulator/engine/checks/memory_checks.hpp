// What is looked for in memory when the options ask (Checks::memory): reads of what nothing has written.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/execution/execution.hpp"

namespace cuprum::simulator {

// Which bytes of a block's own memory have been written, and what its threads have read of others.
//
// Reading memory that nothing has written is no fault: CUB loads elements behind the end of a tile and does nothing
// with them. The register that is loaded counts as unwritten (unwritten_registers.cpp), as do bytes of the block's or
// the thread's own memory that such a register is stored in. Told is what decides something, or gets into device
// memory; except by an ordered or volatile store, a message to other threads, of which the parts that they use count:
// the bytes are unwritten then, as in the block's own memory. (CUB's last tile tells no one what it has computed of
// nothing.)
struct WrittenBytes {
    struct Read {
        const Instruction* at = nullptr;
        const Function* function = nullptr;
        uint64_t address = 0;
        uint32_t bytes = 0;
    };
    std::vector<uint8_t> shared, local;
    std::vector<Read> reads;              // by thread: the last one of memory that nothing has written
    std::array<uint32_t, 4> unwritten{};  // by element: for which lanes the load that comes next reads such
};

// "; the thread has read memory that nothing has written: ...", or nothing.
std::string unwritten_read_text(const Warp& warp, unsigned lane);

}  // namespace cuprum::simulator
