// Streams that wait for words in memory, and write them.
#include <string>

#include "capture_keeping.hpp"
#include "context.hpp"
#include "cuprum/core/buffer.hpp"
#include "cuprum/core/stream.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"
#include "memory_word.hpp"
#include "other_device.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

constexpr const char* waiting = "making a stream wait for a value";
constexpr const char* writing = "writing a value in a stream";

auto both(const StreamRef& stream, const BufferRef& buffer) {
    return [&] { return describe(stream) + ", " + describe(buffer); };
}

// What came of a call with such a word.
void check_word(CUresult result, const char* driver_function, const char* operation, const StreamRef& stream,
                const BufferRef& buffer) {
    if (result == CUDA_ERROR_INVALID_VALUE && is_pooled_or_managed(buffer.handle(), operation)) {
        throw InvalidArgument(operation, both(stream, buffer)(),
                              "streams neither wait for nor write words of managed memory or of a pool's memory",
                              "use page-locked memory, or a device's memory that was allocated without a stream");
    }
    check_reach(result, driver_function, operation, both(stream, buffer), stream, buffer);
}

CUdeviceptr word_for(const StreamRef& stream, const BufferRef& buffer, uint64_t offset, uint64_t size,
                     const char* operation) {
    require_valid(stream, operation);
    return word_in(buffer, offset, size, operation, both(stream, buffer));
}

unsigned int flags_of(const StreamRef& stream, WaitCondition condition, bool flush) {
    return wait_flags(condition, flush, waiting, [&] { return describe(stream); });
}

}  // namespace

bool is_pooled_or_managed(CUdeviceptr address, const char* operation) {
    const auto ask = [&](void* answer, CUpointer_attribute which) {
        const CUresult result = driver::cuPointerGetAttribute(answer, which, address);
        if (result == CUDA_ERROR_INVALID_VALUE) return discard_driver_log();  // no memory that the driver knows
        check(result, "cuPointerGetAttribute", operation, [address] { return hexadecimal(address); });
    };
    CUmemoryPool pool = nullptr;
    unsigned int is_managed = 0;
    ask(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE);
    ask(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED);
    return pool != nullptr || is_managed != 0;
}

void StreamRef::wait_value32(const BufferRef& buffer, uint64_t offset, uint32_t value, WaitCondition condition,
                             bool flush) const {
    const CUdeviceptr word = word_for(*this, buffer, offset, sizeof value, waiting);
    const unsigned int flags = flags_of(*this, condition, flush);
    const ContextScope scope(*this);
    keep_memory_in_current_context(*this, {word}, waiting);
    check_word(driver::cuStreamWaitValue32(handle_, word, value, flags), "cuStreamWaitValue32", waiting, *this, buffer);
}

void StreamRef::wait_value64(const BufferRef& buffer, uint64_t offset, uint64_t value, WaitCondition condition,
                             bool flush) const {
    const CUdeviceptr word = word_for(*this, buffer, offset, sizeof value, waiting);
    const unsigned int flags = flags_of(*this, condition, flush);
    const ContextScope scope(*this);
    keep_memory_in_current_context(*this, {word}, waiting);
    check_word(driver::cuStreamWaitValue64(handle_, word, value, flags), "cuStreamWaitValue64", waiting, *this, buffer);
}

void StreamRef::write_value32(const BufferRef& buffer, uint64_t offset, uint32_t value) const {
    const CUdeviceptr word = word_for(*this, buffer, offset, sizeof value, writing);
    const ContextScope scope(*this);
    keep_memory_in_current_context(*this, {word}, writing);
    check_word(driver::cuStreamWriteValue32(handle_, word, value, CU_STREAM_WRITE_VALUE_DEFAULT),
               "cuStreamWriteValue32", writing, *this, buffer);
}

void StreamRef::write_value64(const BufferRef& buffer, uint64_t offset, uint64_t value) const {
    const CUdeviceptr word = word_for(*this, buffer, offset, sizeof value, writing);
    const ContextScope scope(*this);
    keep_memory_in_current_context(*this, {word}, writing);
    check_word(driver::cuStreamWriteValue64(handle_, word, value, CU_STREAM_WRITE_VALUE_DEFAULT),
               "cuStreamWriteValue64", writing, *this, buffer);
}

}  // namespace cuprum::core
