#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cuprum/core/handles.hpp"

namespace cuprum::core {

class Device;

// How multiprocessors are split.
struct SMResourceOptions {
    int32_t count = 0;      // multiprocessors in each group, at least; 0: as few as a group can have
    int32_t groups = 1;     // how many groups
    bool backfill = false;  // finer counts, of multiprocessors that need not be able to run one cluster together
};

struct SMResourceSplit;

// A part of a device's multiprocessors, or all of them. A value.
class SMResource {
public:
    SMResource() = default;  // none
    // All of a device's. Throws Unsupported where the driver knows no such resources (before CUDA 12.4).
    static SMResource of(const Device& device);
    // Those of a context, which may be a green one.
    static SMResource of(int32_t device_id, CUcontext context);

    bool is_valid() const { return device_id_ >= 0; }
    int32_t device_id() const { return device_id_; }
    int32_t sm_count() const { return sm_count_; }  // multiprocessors
    // The fewest that a part can have, and what the number of each part is a multiple of: those run a cluster together.
    // 0 for what a split has made.
    int32_t min_partition_size() const { return min_partition_size_; }
    int32_t coscheduled_alignment() const { return coscheduled_alignment_; }
    // The driver's CUdevResource.
    const void* handle() const { return storage_.data(); }

    // Groups that have no multiprocessor in common, and what is left. The driver may give a group more multiprocessors
    // than were asked for (sm_count). Throws InvalidArgument when there are not enough for all groups, DriverError for
    // what a split has made: that is split again only as the resources of a context.
    SMResourceSplit split(const SMResourceOptions& options) const;

private:
    static constexpr size_t storage_size = 192;

    friend struct SMResourceAccess;
    int32_t device_id_ = -1;
    int32_t sm_count_ = 0, min_partition_size_ = 0, coscheduled_alignment_ = 0;
    alignas(8) std::array<std::byte, storage_size> storage_{};
};

struct SMResourceSplit {
    std::vector<SMResource> groups;
    SMResource remainder;  // may have no multiprocessor
};

// Which contexts share the hardware queues that a green context's streams put their work into. The driver's numbers
// (CUdevWorkqueueConfigScope).
enum class WorkqueueSharingScope : int32_t {
    device_context = 0,          // all contexts share all of them
    green_context_balanced = 1,  // where possible, no other balanced green context uses the same
};

struct WorkqueueResourceOptions {
    std::optional<WorkqueueSharingScope> sharing_scope = std::nullopt;  // none: as it is
    std::optional<int32_t> concurrency_limit = std::nullopt;            // streams at work at once; none: as it is
};

// How the streams of a green context get at the device's queues, so that work of one need not wait for that of another.
// A value: what it says holds for the contexts that are made with it.
class WorkqueueResource {
public:
    WorkqueueResource() = default;  // none
    // Throws Unsupported where the driver has no such resources (before CUDA 13.1).
    static WorkqueueResource of(const Device& device);
    // That of a context, which may be a green one.
    static WorkqueueResource of(int32_t device_id, CUcontext context);

    bool is_valid() const { return device_id_ >= 0; }
    int32_t device_id() const { return device_id_; }
    WorkqueueSharingScope sharing_scope() const { return sharing_scope_; }
    // How many streams are expected to be at work at once, at most. The device's own is what
    // CUDA_DEVICE_MAX_CONNECTIONS allows; beyond that, streams share queues.
    int32_t concurrency_limit() const { return concurrency_limit_; }
    // Throws InvalidArgument for a limit below 1, and changes nothing then.
    void configure(const WorkqueueResourceOptions& options);

private:
    friend struct WorkqueueResourceAccess;
    int32_t device_id_ = -1;
    WorkqueueSharingScope sharing_scope_ = WorkqueueSharingScope::device_context;
    int32_t concurrency_limit_ = 0;
};

}  // namespace cuprum::core
