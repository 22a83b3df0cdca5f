// Streams that wait for words in memory, and write them.
#include <string>

#include "context.hpp"
#include "cuprum/core/buffer.hpp"
#include "cuprum/core/stream.hpp"
#include "driver_error.hpp"
#include "other_device.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

constexpr const char* waiting = "making a stream wait for a value";
constexpr const char* writing = "writing a value in a stream";

auto both(const StreamRef& stream, const BufferRef& buffer) {
    return [&] { return describe(stream) + ", " + describe(buffer); };
}

// Whether the driver knows it as memory of a pool or as managed memory.
bool is_pooled_or_managed(CUdeviceptr address) {
    CUmemoryPool pool = nullptr;
    unsigned int is_managed = 0;
    driver::cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address);
    driver::cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address);
    return pool != nullptr || is_managed != 0;
}

// What came of a call with such a word.
void check_word(CUresult result, const char* driver_function, const char* operation, const StreamRef& stream,
                const BufferRef& buffer) {
    if (result == CUDA_ERROR_INVALID_VALUE && is_pooled_or_managed(buffer.handle())) {
        throw InvalidArgument(operation, both(stream, buffer)(),
                              "streams neither wait for nor write words of managed memory or of a pool's memory",
                              "use page-locked memory, or a device's memory that was allocated without a stream");
    }
    check_reach(result, driver_function, operation, both(stream, buffer), stream, buffer);
}

// The address of a word of `size` bytes.
CUdeviceptr word_in(const StreamRef& stream, const BufferRef& buffer, uint64_t offset, uint64_t size,
                    const char* operation) {
    require_valid(stream, operation);
    const auto refuse = [&](std::string problem, std::string advice) {
        throw InvalidArgument(operation, both(stream, buffer)(), std::move(problem), std::move(advice));
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

unsigned int wait_flags(const StreamRef& stream, WaitCondition condition, bool flush) {
    const auto number = static_cast<uint32_t>(condition);
    if (number > static_cast<uint32_t>(WaitCondition::bitwise_nor)) {
        throw InvalidArgument(waiting, describe(stream), "there is no condition " + std::to_string(number),
                              "give greater or equal, equal, bitwise and, or bitwise nor");
    }
    return flush ? number | CU_STREAM_WAIT_VALUE_FLUSH : number;
}

}  // namespace

void StreamRef::wait_value32(const BufferRef& buffer, uint64_t offset, uint32_t value, WaitCondition condition,
                             bool flush) const {
    const CUdeviceptr word = word_in(*this, buffer, offset, sizeof value, waiting);
    const unsigned int flags = wait_flags(*this, condition, flush);
    const ContextScope scope(*this);
    check_word(driver::cuStreamWaitValue32(handle_, word, value, flags), "cuStreamWaitValue32", waiting, *this, buffer);
}

void StreamRef::wait_value64(const BufferRef& buffer, uint64_t offset, uint64_t value, WaitCondition condition,
                             bool flush) const {
    const CUdeviceptr word = word_in(*this, buffer, offset, sizeof value, waiting);
    const unsigned int flags = wait_flags(*this, condition, flush);
    const ContextScope scope(*this);
    check_word(driver::cuStreamWaitValue64(handle_, word, value, flags), "cuStreamWaitValue64", waiting, *this, buffer);
}

void StreamRef::write_value32(const BufferRef& buffer, uint64_t offset, uint32_t value) const {
    const CUdeviceptr word = word_in(*this, buffer, offset, sizeof value, writing);
    const ContextScope scope(*this);
    check_word(driver::cuStreamWriteValue32(handle_, word, value, CU_STREAM_WRITE_VALUE_DEFAULT),
               "cuStreamWriteValue32", writing, *this, buffer);
}

void StreamRef::write_value64(const BufferRef& buffer, uint64_t offset, uint64_t value) const {
    const CUdeviceptr word = word_in(*this, buffer, offset, sizeof value, writing);
    const ContextScope scope(*this);
    check_word(driver::cuStreamWriteValue64(handle_, word, value, CU_STREAM_WRITE_VALUE_DEFAULT),
               "cuStreamWriteValue64", writing, *this, buffer);
}

}  // namespace cuprum::core
