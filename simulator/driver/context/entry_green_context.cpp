// Green contexts, and the resources of devices that they are made of.
#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "driver/context/green_context.hpp"
#include "driver/graph/capture.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

std::shared_ptr<GreenContext> find_green_context(CUgreenCtx handle) {
    std::shared_ptr<GreenContext> green = handles().green_contexts.find(handle);
    if (!green) {
        throw DriverError(CUDA_ERROR_INVALID_CONTEXT,
                          describe_bad_handle(HandleKind::green_context, reinterpret_cast<uint64_t>(handle)));
    }
    return green;
}

std::shared_ptr<GreenContext> usable_green_context(CUgreenCtx handle) {
    std::shared_ptr<GreenContext> green = find_green_context(handle);
    require_usable(*green->primary());
    return green;
}

void require_multiprocessors(CUdevResourceType type) {
    if (type == CU_DEV_RESOURCE_TYPE_SM) return;
    throw DriverError(CUDA_ERROR_INVALID_RESOURCE_TYPE,
                      format("there are no resources of type %d (CU_DEV_RESOURCE_TYPE_SM is the only one)", type));
}

CUdevResource whole(const Device& device) {
    MultiprocessorSet all(device.model().multiprocessors);
    for (uint32_t number = 0; number < all.size(); ++number) {
        all[number] = number;
    }
    return make_resource(device, {device.ordinal(), false, std::move(all)}, true);
}

// The one descriptor of these multiprocessors: nothing destroys descriptors, so that equal ones must be the same.
CUdevResourceDesc description_of(uint32_t device, const std::set<uint32_t>& multiprocessors) {
    static std::mutex mutex;
    static auto* const made = new std::map<std::pair<uint32_t, std::set<uint32_t>>, CUdevResourceDesc>;
    const std::lock_guard lock(mutex);
    CUdevResourceDesc& description = (*made)[{device, multiprocessors}];
    if (description == nullptr) {
        description = handles().resource_descriptions.insert(std::make_shared<ResourceDescription>(ResourceDescription{
            device, std::make_shared<const MultiprocessorSet>(multiprocessors.begin(), multiprocessors.end())}));
    }
    return description;
}

CUdevResource resource_of(const GreenContext& green) {
    const Device& device = green.primary()->device();
    return make_resource(device, {device.ordinal(), false, *green.multiprocessors()}, true);
}

// The event of cuGreenCtxRecordEvent and cuGreenCtxWaitEvent, while no stream of the green context captures.
std::shared_ptr<Event> event_of_green(const std::shared_ptr<GreenContext>& green, CUevent handle) {
    std::shared_ptr<Event> event = find_event(handle);
    for (const std::shared_ptr<Stream>& stream : green->primary()->streams()) {
        if (stream->green() == green && stream->kind() != Stream::Kind::legacy_default) {
            refuse_captured(stream, "the green context's work cannot be recorded or held back");
        }
    }
    return event;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuDeviceGetDevResource(CUdevice dev, CUdevResource* resource, CUdevResourceType type) {
    return entry("cuDeviceGetDevResource", [&] {
        require_pointer(resource, "resource");
        const Device& device = driver().device(dev);
        require_multiprocessors(type);
        *resource = whole(device);
    });
}

CUresult CUDAAPI cuCtxGetDevResource(CUcontext handle, CUdevResource* resource, CUdevResourceType type) {
    return entry("cuCtxGetDevResource", [&] {
        require_pointer(resource, "resource");
        const CurrentContext found = resolve_context(handle);
        require_multiprocessors(type);
        *resource = found.green ? resource_of(*found.green) : whole(found.context->device());
    });
}

CUresult CUDAAPI cuGreenCtxGetDevResource(CUgreenCtx handle, CUdevResource* resource, CUdevResourceType type) {
    return entry("cuGreenCtxGetDevResource", [&] {
        require_pointer(resource, "resource");
        const std::shared_ptr<GreenContext> green = find_green_context(handle);
        require_multiprocessors(type);
        *resource = resource_of(*green);
    });
}

CUresult CUDAAPI cuDevSmResourceSplitByCount(CUdevResource* result, unsigned int* groups, const CUdevResource* input,
                                             CUdevResource* remaining, unsigned int flags, unsigned int least) {
    return entry("cuDevSmResourceSplitByCount", [&] {
        require_pointer(groups, "nbGroups");
        require_pointer(input, "input");
        constexpr unsigned int fine = CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING;
        constexpr unsigned int contradicting = fine | CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE;
        if ((flags & contradicting) == contradicting) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "useFlags asks for large clusters, and to ignore coscheduling");
        }
        const MultiprocessorResource whole_resource = read_resource(*input);
        const Device& device = driver().device(static_cast<CUdevice>(whole_resource.device));
        if (result != nullptr && *groups == 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "nbGroups is 0, and result is not null");
        }
        if (whole_resource.divided) {
            throw DriverError(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
                              "what a split has made is not split again, but for the resource of a green context made "
                              "of it (cuGreenCtxGetDevResource)");
        }
        const auto count = static_cast<uint32_t>(whole_resource.multiprocessors.size());
        if (least > count) {
            throw DriverError(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
                              format("minCount is %u, and the resource has %u multiprocessors", least, count));
        }
        const SplitRule rule = split_rule(device, (flags & fine) != 0);
        const uint32_t wanted = std::max(least, rule.least);
        const uint32_t size = std::min((wanted + rule.multiple - 1) / rule.multiple * rule.multiple, count);
        const uint32_t possible = count / size;
        if (result == nullptr) {
            *groups = possible;
            return;
        }
        *groups = std::min(*groups, possible);
        const auto part = [&](uint32_t begin, uint32_t end) {
            const auto first = whole_resource.multiprocessors.begin();
            return make_resource(device, {whole_resource.device, true, {first + begin, first + end}}, false);
        };
        for (uint32_t group = 0; group < *groups; ++group) {
            result[group] = part(group * size, (group + 1) * size);
        }
        if (remaining != nullptr) *remaining = part(*groups * size, count);
    });
}

CUresult CUDAAPI cuDevResourceGenerateDesc(CUdevResourceDesc* description, CUdevResource* resources,
                                           unsigned int count) {
    return entry("cuDevResourceGenerateDesc", [&] {
        require_pointer(description, "phDesc");
        require_pointer(resources, "resources");
        if (count == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, "nbResources is 0");
        std::set<uint32_t> all;
        const uint32_t device = read_resource(resources[0]).device;
        for (unsigned int index = 0; index < count; ++index) {
            const MultiprocessorResource resource = read_resource(resources[index]);
            if (resource.device != device) {
                throw DriverError(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, "the resources are of several devices");
            }
            all.insert(resource.multiprocessors.begin(), resource.multiprocessors.end());
        }
        *description = description_of(device, all);
    });
}

CUresult CUDAAPI cuGreenCtxCreate(CUgreenCtx* handle, CUdevResourceDesc description, CUdevice dev, unsigned int flags) {
    return entry("cuGreenCtxCreate", [&] {
        require_pointer(handle, "phCtx");
        Device& device = driver().device(dev);
        if (flags != CU_GREEN_CTX_DEFAULT_STREAM) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("flags is 0x%x; it must be CU_GREEN_CTX_DEFAULT_STREAM", flags));
        }
        const std::shared_ptr<ResourceDescription> described = handles().resource_descriptions.find(description);
        if (!described) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "desc was not made by cuDevResourceGenerateDesc");
        }
        if (described->device != device.ordinal()) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("the resources are of device %u, not of device %d", described->device, dev));
        }
        const auto green = std::make_shared<GreenContext>(device.retain_primary(), described->multiprocessors);
        green->open();
        *handle = green->handle();
    });
}

CUresult CUDAAPI cuGreenCtxDestroy(CUgreenCtx handle) {
    return entry("cuGreenCtxDestroy", [&] {
        const std::shared_ptr<GreenContext> green = find_green_context(handle);
        green->close();
        green->primary()->device().release_primary();
    });
}

CUresult CUDAAPI cuCtxFromGreenCtx(CUcontext* context, CUgreenCtx handle) {
    return entry("cuCtxFromGreenCtx", [&] {
        require_pointer(context, "pContext");
        *context = find_green_context(handle)->context_handle();
    });
}

CUresult CUDAAPI cuGreenCtxGetId(CUgreenCtx handle, unsigned long long* identifier) {
    return entry("cuGreenCtxGetId", [&] {
        require_pointer(identifier, "greenCtxId");
        *identifier = find_green_context(handle)->identifier();
    });
}

CUresult CUDAAPI cuGreenCtxStreamCreate(CUstream* handle, CUgreenCtx green_handle, unsigned int flags, int priority) {
    return entry("cuGreenCtxStreamCreate", [&] {
        require_pointer(handle, "phStream");
        const std::shared_ptr<GreenContext> green = usable_green_context(green_handle);
        if (flags != CU_STREAM_NON_BLOCKING) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("flags is 0x%x; it must be CU_STREAM_NON_BLOCKING", flags));
        }
        const std::shared_ptr<Stream> stream = green->primary()->create_stream(
            Stream::Kind::non_blocking,
            std::clamp(priority, DeviceLimits::greatest_priority, DeviceLimits::least_priority), green);
        *handle = handles().streams.insert(stream);
        green->primary()->own(*handle);
    });
}

CUresult CUDAAPI cuStreamGetGreenCtx(CUstream handle, CUgreenCtx* green) {
    return entry("cuStreamGetGreenCtx", [&] {
        require_pointer(green, "phCtx");
        const std::shared_ptr<Stream> stream = find_stream(handle);
        *green = stream->green() ? stream->green()->handle() : nullptr;
    });
}

CUresult CUDAAPI cuGreenCtxRecordEvent(CUgreenCtx green_handle, CUevent handle) {
    return entry("cuGreenCtxRecordEvent", [&] {
        const std::shared_ptr<GreenContext> green = usable_green_context(green_handle);
        const std::shared_ptr<Event> event = event_of_green(green, handle);
        if (event->context() != green->primary()) {
            throw DriverError(CUDA_ERROR_INVALID_HANDLE, "the event is not of the green context's primary context");
        }
        event->record_context(green);
    });
}

CUresult CUDAAPI cuGreenCtxWaitEvent(CUgreenCtx green_handle, CUevent handle) {
    return entry("cuGreenCtxWaitEvent", [&] {
        const std::shared_ptr<GreenContext> green = usable_green_context(green_handle);
        const std::shared_ptr<Completion> completion = event_of_green(green, handle)->last();
        if (completion && !completion->ready()) green->primary()->hold_back_until(completion, green);
    });
}

}  // extern "C"
