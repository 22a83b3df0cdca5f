#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "cuprum/core/event.hpp"
#include "cuprum/core/handles.hpp"

namespace cuprum::core {

class Device;

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
    // `device_id` tells whose default stream is meant; for other streams the driver knows.
    static StreamRef from_handle(CUstream handle, int32_t device_id = 0);

    bool is_valid() const { return valid_; }
    CUstream handle() const { return handle_; }
    int32_t device_id() const { return device_id_; }
    Device device() const;

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

    friend bool operator==(const StreamRef&, const StreamRef&) = default;

protected:
    StreamRef(CUstream handle, int32_t device_id) : handle_(handle), device_id_(device_id), valid_(true) {}
    CUstream handle_ = nullptr;
    int32_t device_id_ = 0;
    bool valid_ = false;
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

    // Gives the handle up: the caller destroys it, after all buffers that are freed in this stream.
    [[nodiscard]] CUstream release();
    void close() noexcept;  // idempotent; buffers that are freed in this stream keep the driver's stream until then

private:
    friend class Device;
    friend class Buffer;
    struct State;  // shared with the buffers that are freed in this stream
    std::shared_ptr<State> state_;
};

}  // namespace cuprum::core
