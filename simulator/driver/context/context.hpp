// Contexts: what owns streams, events, modules and memory, and what a kernel's fault puts out of service.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "driver/images/image_objects.hpp"
#include "driver/process/cuda_api.hpp"
#include "driver/stream/stream.hpp"
#include "engine/memory/device_heap.hpp"

namespace cuprum::simulator::libcuda {

class Device;
class GreenContext;

// Thread-safe. A primary context is one object for good and is active between its first retain and its last release or
// reset; the others are active from creation to destruction. The objects of a context are invalid once it is inactive.
class Context : public std::enable_shared_from_this<Context> {
public:
    Context(Device& device, bool primary, unsigned int flags, unsigned int api_version);

    Device& device() const { return device_; }
    bool primary() const { return primary_; }
    // A new one each time that it becomes active.
    uint64_t identifier() const { return identifier_.load(std::memory_order_acquire); }
    unsigned int api_version() const { return api_version_; }
    CUcontext handle() const { return handle_; }
    void set_handle(CUcontext handle) { handle_ = handle; }

    bool active() const { return active_.load(std::memory_order_acquire); }
    void activate();
    // Waits for all work, then invalidates the streams, events and modules and frees the memory.
    void deactivate();

    // CUDA_SUCCESS, or the code of the fault that put the context out of service.
    CUresult sticky_error() const { return static_cast<CUresult>(sticky_.load(std::memory_order_acquire)); }
    // Says what the sticky error was, for the log lines of the calls that fail with it.
    std::string sticky_report() const;
    // Puts the context out of service and logs `report`; only the first call has an effect.
    void fail(CUresult code, const std::string& report);
    // Set together with the sticky error, so that other kernels of the context stop.
    const std::atomic<bool>& cancelled() const { return cancelled_; }
    // Runs `operation` unless the context is out of service; what it throws puts the context out of service.
    void run_unless_failed(const std::function<void()>& operation);

    // Appends work to a stream of this context, behind what CUDA's rules for the legacy default stream put before it.
    // `after`: what it must wait for besides.
    uint64_t submit(const std::shared_ptr<Stream>& stream, std::function<void()> run,
                    const Dependency& after = Dependency());
    // Waits for everything that has been submitted.
    void synchronize();
    // Calls `run` once everything that has been submitted is done; of a green context alone if one is given.
    void submit_behind_all(std::function<void()> run, const std::shared_ptr<GreenContext>& green = nullptr);
    // Lets what is submitted from now on, to whatever stream, wait until the completion is ready; to streams of a green
    // context alone if one is given.
    void hold_back_until(const std::shared_ptr<Completion>& completion,
                         const std::shared_ptr<GreenContext>& green = nullptr);
    // Those that have not been forgotten.
    std::vector<std::shared_ptr<Stream>> streams() const;
    // Whether work submitted now to a legacy default stream, the context's or a green context's, could start at once.
    bool legacy_order_idle(const Stream& legacy) const;

    std::shared_ptr<Stream> legacy_default_stream();
    std::shared_ptr<Stream> per_thread_default_stream();
    std::shared_ptr<Stream> create_stream(Stream::Kind kind, int priority,
                                          const std::shared_ptr<GreenContext>& green = nullptr);

    // The handles that become invalid with the context.
    void own(CUstream handle);
    void own(CUevent handle);
    void own(CUmodule handle);
    void disown(CUstream handle);
    void disown(CUevent handle);
    void disown(CUmodule handle);

    // cuCtxAttach, cuCtxDetach: how many uses there are.
    std::atomic<uint32_t> uses{1};
    // cuCtxGetFlags, cuCtxSetFlags.
    std::atomic<unsigned int> flags;
    std::atomic<int> cache_config{CU_FUNC_CACHE_PREFER_NONE};
    std::atomic<int> shared_memory_config{CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE};

    // Throws DriverError for a limit that this device has not, or a value out of its range.
    size_t limit(CUlimit limit) const;
    void set_limit(CUlimit limit, size_t value);
    // The heap of malloc in kernels, as large as CU_LIMIT_MALLOC_HEAP_SIZE was when a kernel was first launched.
    std::shared_ptr<DeviceHeap> heap();
    // The texture and surface objects that its kernels can use.
    ImageObjects& images() { return images_; }

private:
    void require_synchronisable_kernels(CUlimit limit) const;

    Device& device_;
    const bool primary_;
    const unsigned int api_version_;
    std::atomic<uint64_t> identifier_ = 0;
    CUcontext handle_ = nullptr;
    std::atomic<bool> active_{false};

    std::atomic<int> sticky_{CUDA_SUCCESS};
    std::atomic<bool> cancelled_{false};
    mutable std::mutex report_mutex_;
    std::string report_;

    // Guards the order of submission across streams, and the lists below.
    mutable std::mutex order_mutex_;
    std::shared_ptr<Stream> legacy_;
    std::vector<std::shared_ptr<Stream>> streams_;
    // What streams of later days wait for, those of the green context alone where there is one.
    struct HoldBack {
        std::shared_ptr<Completion> completion;
        std::shared_ptr<GreenContext> green;
    };
    std::vector<HoldBack> held_back_until_;
    std::unordered_set<CUstream> owned_streams_;
    std::unordered_set<CUevent> owned_events_;
    std::unordered_set<CUmodule> owned_modules_;

    mutable std::mutex limits_mutex_;
    std::map<CUlimit, size_t> limits_;
    std::shared_ptr<DeviceHeap> heap_;
    ImageObjects images_;
};

// What a CUcontext stands for: a context, or a primary context with a green context's resources.
struct CurrentContext {
    std::shared_ptr<Context> context;
    std::shared_ptr<GreenContext> green = nullptr;

    // Null if there is none.
    CUcontext handle() const;
};

// Of contexts and green contexts alike.
uint64_t next_context_identifier();

// The calling thread's stack of contexts. The current one is the last; null entries are possible at the bottom alone.
class ContextStack {
public:
    static std::shared_ptr<Context> current() { return current_with_green().context; }
    static CurrentContext current_with_green();
    static void set_current(CurrentContext context);
    static void push(CurrentContext context);
    // Without a context if the stack is empty.
    static CurrentContext pop();
};

}  // namespace cuprum::simulator::libcuda
