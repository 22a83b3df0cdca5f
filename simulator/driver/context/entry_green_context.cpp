// Green contexts, and the resources of devices that they are made of.
#include <algorithm>

#include "driver/context/device_resource.hpp"
#include "driver/context/green_context.hpp"
#include "driver/graph/capture.hpp"
#include "driver/process/cuda_version.hpp"
#include "driver/process/entry.hpp"
#include "driver/process/newer_api.hpp"

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

// Of what is asked for: multiprocessors, or the workqueue.
CUdevResource of_type(CUdevResourceType type, const CUdevResource& multiprocessors, const WorkqueueConfig& workqueue) {
    if (type == CU_DEV_RESOURCE_TYPE_SM) return multiprocessors;
    if (number_of(type) == workqueue_config_type && has_workqueues()) return make_resource(workqueue);
    throw DriverError(CUDA_ERROR_INVALID_RESOURCE_TYPE,
                      format("the simulator's driver for CUDA %d.%d has no resources of type %u", cuda_version() / 1000,
                             cuda_version() % 1000 / 10, number_of(type)));
}

CUdevResource resource_of(const Device& device, CUdevResourceType type) {
    return of_type(type, whole_resource(device), whole_workqueue(device));
}

CUdevResource resource_of(const GreenContext& green, CUdevResourceType type) {
    const Device& device = green.primary()->device();
    return of_type(type, make_resource(device, {device.ordinal(), false, *green.multiprocessors()}, true),
                   green.workqueue());
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
        *resource = resource_of(driver().device(dev), type);
    });
}

CUresult CUDAAPI cuCtxGetDevResource(CUcontext handle, CUdevResource* resource, CUdevResourceType type) {
    return entry("cuCtxGetDevResource", [&] {
        require_pointer(resource, "resource");
        const CurrentContext found = resolve_context(handle);
        *resource = found.green ? resource_of(*found.green, type) : resource_of(found.context->device(), type);
    });
}

CUresult CUDAAPI cuGreenCtxGetDevResource(CUgreenCtx handle, CUdevResource* resource, CUdevResourceType type) {
    return entry("cuGreenCtxGetDevResource", [&] {
        require_pointer(resource, "resource");
        *resource = resource_of(*find_green_context(handle), type);
    });
}

// A stream has no workqueue of its own.
CUresult CUDAAPI cuStreamGetDevResource(CUstream handle, CUdevResource* resource, CUdevResourceType type) {
    return entry("cuStreamGetDevResource", [&] {
        require_pointer(resource, "resource");
        const std::shared_ptr<Stream> stream = find_stream(handle);
        if (type != CU_DEV_RESOURCE_TYPE_SM) {
            throw DriverError(CUDA_ERROR_INVALID_RESOURCE_TYPE,
                              format("streams have no resources of type %u", number_of(type)));
        }
        *resource =
            stream->green() ? resource_of(*stream->green(), type) : resource_of(stream->context()->device(), type);
    });
}

CUresult CUDAAPI cuStreamGetDevResource_ptsz(CUstream handle, CUdevResource* resource, CUdevResourceType type) {
    return cuStreamGetDevResource(per_thread_stream(handle), resource, type);
}

CUresult CUDAAPI cuDevSmResourceSplit(CUdevResource* result, unsigned int count, const CUdevResource* input,
                                      CUdevResource* remainder, unsigned int flags,
                                      CU_DEV_SM_RESOURCE_GROUP_PARAMS* groups) {
    return entry("cuDevSmResourceSplit", [&] {
        require_pointer(input, "input");
        require_pointer(groups, "groupParams");
        require_flags(flags, 0, "flags");
        if (count == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, "nbGroups is 0");
        split_into_groups(*input, {reinterpret_cast<SplitGroup*>(groups), count}, result, remainder);
    });
}

CUresult CUDAAPI cuDevSmResourceSplitByCount(CUdevResource* result, unsigned int* groups, const CUdevResource* input,
                                             CUdevResource* remaining, unsigned int flags, unsigned int least) {
    return entry("cuDevSmResourceSplitByCount", [&] {
        require_pointer(groups, "nbGroups");
        require_pointer(input, "input");
        split_resource(*input, flags, least, {result, groups, remaining});
    });
}

CUresult CUDAAPI cuDevResourceGenerateDesc(CUdevResourceDesc* description, CUdevResource* resources,
                                           unsigned int count) {
    return entry("cuDevResourceGenerateDesc", [&] {
        require_pointer(description, "phDesc");
        require_pointer(resources, "resources");
        if (count == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, "nbResources is 0");
        *description = describe_resources({resources, count});
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
        const std::shared_ptr<ResourceDescription> described = find_description(description, device);
        const auto green =
            std::make_shared<GreenContext>(device.retain_primary(), described->multiprocessors, described->workqueue);
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
        if (!completion) return;
        if (completion->ready()) {
            completion->pass();
        } else {
            green->primary()->hold_back_until(completion, green);
        }
    });
}

}  // extern "C"
