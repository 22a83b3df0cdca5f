#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "cuprum/core/event.hpp"
#include "cuprum/core/handles.hpp"

namespace cuprum::core {

class BufferRef;
class Context;
class Device;

// How a stream compares a word of memory with the value that it waits for. The driver's numbers
// (CU_STREAM_WAIT_VALUE_*).
enum class WaitCondition : int32_t {
    greater_or_equal = 0,  // word - value, taken as a signed number, is not negative: a counter may wrap around
    equal = 1,
    bitwise_and = 2,  // word & value is not 0
    bitwise_nor = 3,  // ~(word | value) is not 0
};

struct StreamOptions {
    bool nonblocking = true;  // does not synchronise with the legacy default stream
    int32_t priority = 0;     // lower numbers first; clamped to the device's range by the driver
};

// A stream that somebody else owns. Copyable and cheap; valid as long as its owner keeps the stream.
//
// A default-constructed or moved-from reference is invalid, which is not the same as the default stream (whose handle
// is null): using it throws InvalidArgument. Integers and nullptr do not convert.
class StreamRef {
public:
    StreamRef() = default;
    StreamRef(std::nullptr_t) = delete;
    StreamRef(int) = delete;

    // Borrows a driver handle. nullptr, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD are the default streams.
    // `device_id` says whose default stream is meant; without it, that of the context that is current on the
    // calling thread. For other streams the driver knows the device.
    static StreamRef from_handle(CUstream handle, std::optional<int32_t> device_id = {});

    bool is_valid() const { return valid_; }
    CUstream handle() const { return handle_; }
    int32_t device_id() const { return device_id_; }
    Device device() const;
    // What its work runs in: a default stream's is the device's primary context.
    Context context() const;

    bool is_nonblocking() const;
    int32_t priority() const;
    bool is_done() const;  // all work so far has finished (cuStreamQuery)
    // Its work is captured into a graph instead of run, since other code has begun a capture; also once that has
    // failed.
    bool is_capturing() const;
    // Waits for all work so far. Throws DeviceFault when a kernel in it failed.
    void sync() const;
    Event record(const EventOptions& options = {}) const;
    void record(EventRef event) const;
    // Later work in this stream waits for the event, or for all work so far in the other stream.
    void wait(EventRef event) const;
    void wait(StreamRef other) const;

    // Calls `function` on one of the driver's threads when all work so far is done; later work waits until it returns.
    // It must not use CUDA, which the driver refuses or which deadlocks, nor wait for work that does. What it throws
    // goes to the handler of cleanup errors (set_cleanup_error_handler). It is destroyed, with all that it holds, on a
    // thread that uses Cuprum: at the latest in the next sync() of a stream or device, or launch_host_function(), that
    // ends after it has been called.
    // Where the context is lost first, and when the process ends, it is never called, and leaks.
    // Throws InvalidState while the stream's work is captured into a graph: GraphBuilder::callback().
    void launch_host_function(std::function<void()> function) const;

    // Later work waits until the word at byte `offset` of the buffer meets the condition, whoever writes it: the CPU,
    // a kernel, another stream or another device; put work of the device that writes it into its stream before this, as
    // streams may share a queue of the hardware. `flush`: what other devices have written before is then visible, too
    // (CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES). The buffer must live until the stream has passed this.
    // Throws InvalidArgument where the word is not aligned to its size or not inside the buffer, and for memory of a
    // pool and managed memory, which the driver refuses.
    void wait_value32(const BufferRef& buffer, uint64_t offset, uint32_t value,
                      WaitCondition condition = WaitCondition::greater_or_equal, bool flush = false) const;
    void wait_value64(const BufferRef& buffer, uint64_t offset, uint64_t value,
                      WaitCondition condition = WaitCondition::greater_or_equal, bool flush = false) const;
    // Writes the word after all work so far, and after the memory that it wrote has become visible. Buffer and errors
    // as above.
    void write_value32(const BufferRef& buffer, uint64_t offset, uint32_t value) const;
    void write_value64(const BufferRef& buffer, uint64_t offset, uint64_t value) const;

    friend bool operator==(const StreamRef& left, const StreamRef& right) {
        return left.handle_ == right.handle_ && left.device_id_ == right.device_id_ && left.valid_ == right.valid_;
    }

protected:
    friend struct StreamAccess;
    StreamRef(CUstream handle, int32_t device_id, bool is_of_primary_context)
        : handle_(handle), device_id_(device_id), valid_(true), is_of_primary_context_(is_of_primary_context) {}
    CUstream handle_ = nullptr;
    int32_t device_id_ = 0;
    bool valid_ = false;
    bool is_of_primary_context_ = false;  // known to be; of a borrowed stream it is not known
};

// Owns a stream. Destruction does not wait: the driver frees the stream when its work is done.
class Stream : public StreamRef {
public:
    Stream() = default;  // invalid
    // Throws what Device::create_stream throws.
    explicit Stream(const Device& device, const StreamOptions& options = {});
    Stream(Stream&& other) noexcept;
    Stream& operator=(Stream&& other) noexcept;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream();

    // Releases the handle to the caller, who destroys it after all buffers that are freed in this stream.
    [[nodiscard]] CUstream release();
    void close() noexcept;  // idempotent; buffers that are freed in this stream keep the driver's stream until then

private:
    // In a green context, which it keeps.
    Stream(CUcontext context, int32_t device_id, const StreamOptions& options);
    Stream(std::shared_ptr<const void> context_owner, CUgreenCtx context, int32_t device_id,
           const StreamOptions& options);
    friend class Context;
    friend class Device;
    friend class Buffer;
    friend class GraphBuilder;
    friend class MemoryResource;
    struct State;  // shared with the buffers that are freed in this stream
    std::shared_ptr<State> state_;
};

}  // namespace cuprum::core
