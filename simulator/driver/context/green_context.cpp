#include "driver/context/green_context.hpp"

#include <algorithm>
#include <cstring>

#include "driver/context/context.hpp"
#include "driver/device/device.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// Laid over CUdevResource::_internal_padding.
struct Inside {
    static constexpr uint32_t expected_mark = 0x43755265;
    static constexpr uint32_t most_multiprocessors = 512;

    uint32_t mark = expected_mark;
    uint32_t device = 0;
    uint32_t divided = 0;
    std::array<uint8_t, most_multiprocessors / 8> bits{};
};
static_assert(sizeof(Inside) <= sizeof(CUdevResource::_internal_padding));
static_assert(DeviceLimits::most_multiprocessors <= Inside::most_multiprocessors);

}  // namespace

GreenContext::GreenContext(std::shared_ptr<Context> primary, std::shared_ptr<const MultiprocessorSet> multiprocessors,
                           const WorkqueueConfig& workqueue)
    : primary_(std::move(primary)),
      multiprocessors_(std::move(multiprocessors)),
      workqueue_(workqueue),
      identifier_(next_context_identifier()) {}

void GreenContext::open() {
    default_stream_ = primary_->create_stream(Stream::Kind::legacy_default, 0, shared_from_this());
    handle_ = handles().green_contexts.insert(shared_from_this());
    context_handle_ = handles().green_contexts_as_contexts.insert(shared_from_this());
}

void GreenContext::close() {
    handles().green_contexts.remove(handle_);
    handles().green_contexts_as_contexts.remove(context_handle_);
    for (const std::shared_ptr<Stream>& stream : primary_->streams()) {
        if (stream->green().get() != this) continue;
        stream->wait(stream->last_ticket());
        learn_order(stream->order());
    }
    closed_.store(true, std::memory_order_release);
    const std::lock_guard lock(mutex_);
    if (default_stream_) default_stream_->abandon();
    default_stream_ = nullptr;  // it holds this: here the cycle ends
}

std::shared_ptr<Stream> GreenContext::default_stream() const {
    const std::lock_guard lock(mutex_);
    if (!default_stream_) throw DriverError(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the green context has been destroyed");
    return default_stream_;
}

CUdevResource make_resource(const Device& device, const MultiprocessorResource& resource, bool with_rules) {
    CUdevResource made{};
    if (resource.multiprocessors.empty()) return made;  // of type CU_DEV_RESOURCE_TYPE_INVALID
    made.type = CU_DEV_RESOURCE_TYPE_SM;
    made.sm.smCount = static_cast<unsigned int>(resource.multiprocessors.size());
    if (with_rules) {
        const SplitRule rule = split_rule(device, false);
        made.sm.minSmPartitionSize = rule.least;
        made.sm.smCoscheduledAlignment = rule.multiple;
    }
    Inside inside;
    inside.device = device.ordinal();
    inside.divided = resource.divided ? 1 : 0;
    for (const uint32_t number : resource.multiprocessors) {
        inside.bits[number / 8] = static_cast<uint8_t>(inside.bits[number / 8] | 1u << number % 8);
    }
    std::memcpy(made._internal_padding, &inside, sizeof inside);
    return made;
}

MultiprocessorResource read_resource(const CUdevResource& resource) {
    Inside inside;
    std::memcpy(&inside, resource._internal_padding, sizeof inside);
    if (resource.type != CU_DEV_RESOURCE_TYPE_SM || inside.mark != Inside::expected_mark) {
        throw DriverError(
            CUDA_ERROR_INVALID_RESOURCE_TYPE,
            format("a resource of type %d is not a multiprocessor resource that this driver gave out", resource.type));
    }
    MultiprocessorResource read{inside.device, inside.divided != 0, {}};
    for (uint32_t number = 0; number < Inside::most_multiprocessors; ++number) {
        if ((inside.bits[number / 8] >> number % 8 & 1) != 0) read.multiprocessors.push_back(number);
    }
    return read;
}

// cuda.h, section "Green Contexts"; the fine ones as an H200 has them.
SplitRule split_rule(const Device& device, bool fine) {
    if (fine) return {2, 2};
    switch (device.model().compute_capability_major) {
        case 7:
            return {2, 2};
        case 8:
            return {4, 2};
        default:
            return {8, 8};
    }
}

}  // namespace cuprum::simulator::libcuda
