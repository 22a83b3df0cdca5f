#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cuprum/core/device_resources.hpp"
#include "cuprum/core/handles.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

class Device;

struct ContextOptions {
    // What a green context's work may use: parts of one split.
    std::vector<SMResource> resources;
    // How its streams get at the device's queues; none: as the device's other contexts.
    std::optional<WorkqueueResource> workqueue = std::nullopt;
};

// What work runs in: a device's primary context, or a green one, which has a part of the device's multiprocessors and
// shares everything else with the primary context. Copies are cheap. Thread-safe.
//
// A green context that was created is destroyed with the last of its copies and its streams.
class Context {
public:
    Context() = default;  // invalid
    // A green context of the device. Throws InvalidArgument without resources or for another device's, Unsupported
    // where the driver has no green contexts (before CUDA 12.4).
    Context(const Device& device, const ContextOptions& options);
    // Borrows a context that other code has made, which keeps it. Throws InvalidArgument for null.
    static Context from_handle(CUcontext handle);

    // The one that is current on the calling thread, whoever made it so; invalid where none is.
    static Context current();

    bool is_valid() const { return state_ != nullptr; }
    CUcontext handle() const;
    int32_t device_id() const;
    Device device() const;
    bool is_green() const;
    // The multiprocessors that its work may use.
    SMResource sm_resource() const;
    // How its streams get at the device's queues. Throws Unsupported before CUDA 13.1.
    WorkqueueResource workqueue_resource() const;
    // A stream whose work uses the multiprocessors of this context, which it keeps. A green context has only
    // nonblocking ones: InvalidArgument otherwise.
    Stream create_stream(const StreamOptions& options = {}) const;
    // Makes it current on the calling thread, for code outside Cuprum that relies on it.
    void set_current() const;

    // The same context of the driver.
    friend bool operator==(const Context& left, const Context& right) {
        return left.is_valid() == right.is_valid() && (!left.is_valid() || left.handle() == right.handle());
    }

    struct State;

private:
    friend class StreamRef;
    friend class Device;
    static Context known_green(CUcontext handle);
    explicit Context(std::shared_ptr<const State> state) : state_(std::move(state)) {}
    std::shared_ptr<const State> state_;
};

}  // namespace cuprum::core
