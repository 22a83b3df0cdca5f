// Words of memory that streams and graphs wait for and write.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/stream.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// The address of a word of `size` bytes. Throws InvalidArgument, with `describe()` as the object, where it is not
// inside of the buffer or not aligned.
template <class Describe>
CUdeviceptr word_in(const BufferRef& buffer, uint64_t offset, uint64_t size, const char* operation,
                    const Describe& describe) {
    const auto refuse = [&](std::string problem, std::string advice) {
        throw InvalidArgument(operation, describe(), std::move(problem), std::move(advice));
    };
    if (!buffer.is_valid()) refuse("the buffer is invalid (moved-from, closed or default-constructed)", "allocate one");
    if (offset > buffer.size() || buffer.size() - offset < size) {
        refuse("the word of " + std::to_string(size) + " bytes at offset " + std::to_string(offset) +
                   " is not inside of the buffer",
               "give the offset in bytes");
    }
    const CUdeviceptr address = buffer.handle() + offset;
    if (address % size != 0) {
        refuse("the word at offset " + std::to_string(offset) + " is not aligned",
               "give an offset whose address is a multiple of the word's " + std::to_string(size) + " bytes");
    }
    return address;
}

// The driver's flags of a wait.
template <class Describe>
unsigned int wait_flags(WaitCondition condition, bool flush, const char* operation, const Describe& describe) {
    const auto number = static_cast<uint32_t>(condition);
    if (number > static_cast<uint32_t>(WaitCondition::bitwise_nor)) {
        throw InvalidArgument(operation, describe(), "there is no condition " + std::to_string(number),
                              "give greater or equal, equal, bitwise and, or bitwise nor");
    }
    return flush ? number | CU_STREAM_WAIT_VALUE_FLUSH : number;
}

// Whether the driver knows it as memory of a pool or as managed memory, whose words it neither waits for nor writes.
bool is_pooled_or_managed(CUdeviceptr address, const char* operation);

}  // namespace cuprum::core
