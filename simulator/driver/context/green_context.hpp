// Green contexts: parts of a device's multiprocessors, with streams of their own, in the device's primary context.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "driver/context/workqueue.hpp"
#include "driver/process/cuda_api.hpp"
#include "driver/stream/stream.hpp"

namespace cuprum::simulator::libcuda {

class Context;
class Device;

// Numbers of multiprocessors of one device, ascending.
using MultiprocessorSet = std::vector<uint32_t>;

// Thread-safe.
class GreenContext : public std::enable_shared_from_this<GreenContext> {
public:
    // The workqueue is kept, and changes nothing: there are as many queues as streams.
    GreenContext(std::shared_ptr<Context> primary, std::shared_ptr<const MultiprocessorSet> multiprocessors,
                 const WorkqueueConfig& workqueue);

    // Makes the default stream, and the handles. To be called once, before anything else.
    void open();
    // Waits for the work of its streams, which are of no use from then on.
    void close();
    bool closed() const { return closed_.load(std::memory_order_acquire); }

    // Everything but multiprocessors and streams is the primary context's.
    const std::shared_ptr<Context>& primary() const { return primary_; }
    const std::shared_ptr<const MultiprocessorSet>& multiprocessors() const { return multiprocessors_; }
    const WorkqueueConfig& workqueue() const { return workqueue_; }
    uint64_t identifier() const { return identifier_; }
    CUgreenCtx handle() const { return handle_; }
    CUcontext context_handle() const { return context_handle_; }
    // Throws DriverError(CUDA_ERROR_CONTEXT_IS_DESTROYED) once it is closed.
    std::shared_ptr<Stream> default_stream() const;

private:
    const std::shared_ptr<Context> primary_;
    const std::shared_ptr<const MultiprocessorSet> multiprocessors_;
    const WorkqueueConfig workqueue_;
    const uint64_t identifier_;
    CUgreenCtx handle_ = nullptr;
    CUcontext context_handle_ = nullptr;
    std::atomic<bool> closed_{false};
    mutable std::mutex mutex_;
    std::shared_ptr<Stream> default_stream_;  // null once it is closed
};

// What cuDevResourceGenerateDesc makes.
struct ResourceDescription {
    uint32_t device = 0;
    std::shared_ptr<const MultiprocessorSet> multiprocessors;
    WorkqueueConfig workqueue{};
};

// A CUdevResource is the program's: what the driver knows of it is inside, where the header has padding.
struct MultiprocessorResource {
    uint32_t device = 0;
    bool divided = false;  // what a split has made is not split again
    MultiprocessorSet multiprocessors;
};

// `with_rules`: fills in how the resource may be split, too.
CUdevResource make_resource(const Device& device, const MultiprocessorResource& resource, bool with_rules);
// Throws DriverError(CUDA_ERROR_INVALID_RESOURCE_TYPE) for what make_resource has not made.
MultiprocessorResource read_resource(const CUdevResource& resource);

// The smallest part of a device, and the number that the size of each part is a multiple of. `fine`: with
// CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING.
struct SplitRule {
    uint32_t least = 0, multiple = 0;
};
SplitRule split_rule(const Device& device, bool fine);

}  // namespace cuprum::simulator::libcuda
