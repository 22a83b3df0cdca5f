// The driver's process-wide state: initialisation, devices, their primary contexts, and the end of the process.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "circumstances.hpp"
#include "cleanup.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/event.hpp"
#include "cuprum/core/stream.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// One device's lasting state. Never freed, so that it may be used while the process exits.
struct DeviceState {
    CUdevice device = 0;
    std::atomic<CUcontext> context = nullptr;  // the retained primary context
    uint64_t context_id = 0;                   // of that context, set before it; 0: the driver does not say it
    std::atomic<const DeviceProperties*> properties = nullptr;
    std::mutex mutex;  // taken only to fill the above, and for what follows
    // The pool that is the device's current one, once it was asked for or chosen.
    std::shared_ptr<const MemoryResourceState> memory_resource;
    std::shared_ptr<const MemoryResourceState> user_resource;  // chosen instead of that pool; else null
};

// Loads and initialises the driver at the first call that succeeds; a failure is tried again by the next call.
// Returns the number of devices.
int32_t initialize_driver();

// The device's state. Throws InvalidArgument when there is no such device.
DeviceState& device_state(int32_t device_id);

// The device's primary context, retained by the first call and for the life of the process.
CUcontext primary_context(int32_t device_id);

// For destructors: the number of devices, 0 before the driver is initialised; whether a device's primary context is
// retained, so that there may be work of ours.
int32_t initialized_device_count() noexcept;
bool has_primary_context(int32_t device_id) noexcept;

// The devices' states; null until the driver is initialised, which a valid StreamRef shows that it is.
extern std::atomic<DeviceState*> known_devices;

// Of a clock that is read in a few nanoseconds; always 0 where there is none.
inline uint64_t ticks() noexcept {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

// The device whose context this thread has last found as it was, and when. A fork of the process has asked nothing.
struct ContextAnswer {
    int32_t device_id = -1;
    uint64_t at = 0;  // ticks
};
// In libraries, too, at an offset that is known when they are loaded: reading it calls nothing.
extern constinit thread_local ContextAnswer last_answer [[gnu::tls_model("initial-exec")]];

inline bool was_usable_lately(int32_t device_id) noexcept {
    constexpr uint64_t lately = 100'000;  // 20 to 50 microseconds
    const uint64_t now = ticks();
    return last_answer.device_id == device_id && now - last_answer.at < lately && now != 0;
}

// Whether other code has reset a device's primary context since it was retained (cuDevicePrimaryCtxReset,
// cudaDeviceReset), with all that was made in it. A driver (580, on an H200) does not notice a stream or an executable
// graph from before, and ends the process with a segmentation fault. Asked before each use of a stream: a thread asks
// the driver once in some microseconds, of which a reset takes thousands.
bool is_context_reset_now(int32_t device_id) noexcept;
inline bool is_context_reset(int32_t device_id) noexcept {
    return !was_usable_lately(device_id) && is_context_reset_now(device_id);
}
// Throws DriverError (CUDA_ERROR_CONTEXT_IS_DESTROYED) then, and InvalidState in a fork of the process.
void refuse_unusable_context_now(int32_t device_id);
inline void refuse_unusable_context(int32_t device_id) {
    if (!was_usable_lately(device_id)) [[unlikely]]
        refuse_unusable_context_now(device_id);
}

// A device whose primary context is retained already, else device 0: for calls that need a current context, but no
// particular one.
int32_t device_with_context();

// Whether the driver may no longer be called for cleaning up: the process is exiting (the driver may be gone already)
// or it is a fork of the one that initialised the driver (whose objects are not its own). What is left then leaks.
inline bool must_leak() noexcept {
    return holds(Circumstance::exiting, Circumstance::forked);
}

// Whether this process is such a fork; what a use of the driver throws then.
inline bool is_forked() noexcept {
    return holds(Circumstance::forked);
}
[[noreturn]] void throw_forked_child(std::string operation, std::string object);

// Whether it is one of the driver's own streams, which every context has.
inline bool is_default_stream(CUstream stream) noexcept {
    return stream == nullptr || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

// Makes a device's primary context current on this thread for the life of the object, unless it is current already,
// and puts back what was there.
class ContextScope {
public:
    // Throws DriverError (CUDA_ERROR_CONTEXT_IS_DESTROYED) where the context was reset.
    explicit ContextScope(int32_t device_id);
    // A context that other code has made, or one that may have been reset.
    ContextScope(CUcontext context, int32_t device_id);
    // For work in a stream, and for waiting for it or for an event. A default stream is the current context's. All
    // others and events bring their own context along: whatever is current, or nothing, stays. Throws as above for a
    // stream.
    explicit ContextScope(const StreamRef& stream) {
        refuse_unusable_context(stream.device_id());
        if (is_default_stream(stream.handle())) push(primary_context(stream.device_id()), stream.device_id());
    }
    explicit ContextScope(const EventRef& event);
    // For a copy of a device's memory in a stream: the driver asks whether the current context's device, not the
    // stream's, may touch memory of a pool, and without a current context it finds no more than the first of several
    // mappings side by side (580, on an H200).
    ContextScope(const StreamRef& stream, int32_t memory_device_id);
    ~ContextScope() {
        if (pushed_) pop();
    }
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;

private:
    void push(CUcontext wanted, int32_t device_id);
    static void pop() noexcept;

    bool pushed_ = false;
};

// For clean-up that waits or frees at once, which a capture in this thread would forbid and not survive: it is no part
// of what is captured.
class OutsideOfCaptures {
public:
    OutsideOfCaptures() noexcept { exchange(); }
    ~OutsideOfCaptures() { exchange(); }
    OutsideOfCaptures(const OutsideOfCaptures&) = delete;
    OutsideOfCaptures& operator=(const OutsideOfCaptures&) = delete;

private:
    void exchange() noexcept {
        if (must_leak()) return;
        report_cleanup(driver::cuThreadExchangeStreamCaptureMode(&mode_), "cuThreadExchangeStreamCaptureMode",
                       "cleaning up beside a capture", "the thread's capture mode");
    }
    CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

// For destructors: runs `destroy` with the device's context current, unless the process is ending. Where the context
// cannot be made current, `destroy` runs all the same: most handles know their own.
template <class Destroy>
void clean_up(int32_t device_id, const Destroy& destroy) noexcept {
    if (must_leak()) return;
    std::optional<ContextScope> scope;
    try {
        scope.emplace(primary_context(device_id), device_id);
    } catch (const Error& error) {
        report_cleanup_error(error);
    } catch (...) {
        // No memory for the error: the clean-up itself needs none.
    }
    destroy();
}

// The same for what a reset of the context has destroyed, and the driver does not bear to see destroyed again.
template <class Destroy>
void clean_up_unless_reset(int32_t device_id, const Destroy& destroy) noexcept {
    if (!must_leak() && !is_context_reset(device_id)) clean_up(device_id, destroy);
}

}  // namespace cuprum::core
