// Streams, and host functions in them.
#include <algorithm>

#include "driver/context/green_context.hpp"
#include "driver/graph/capture.hpp"
#include "driver/launch/launch_attribute.hpp"
#include "driver/process/entry.hpp"
#include "driver/process/newer_api.hpp"
#include "driver/process/process_end.hpp"
#include "driver/stream/host_task.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

CUresult create_stream(const char* call, CUstream* handle, unsigned int flags, int priority) {
    return entry(call, [&] {
        require_pointer(handle, "phStream");
        require_flags(flags, CU_STREAM_NON_BLOCKING, "Flags");
        const CurrentContext current = current_context_with_green();
        const std::shared_ptr<Context>& context = current.context;
        // Priorities out of range are taken to the nearest one in it, as documented.
        const int clamped = std::clamp(priority, DeviceLimits::greatest_priority, DeviceLimits::least_priority);
        const std::shared_ptr<Stream> stream = context->create_stream(
            flags == CU_STREAM_NON_BLOCKING ? Stream::Kind::non_blocking : Stream::Kind::blocking, clamped,
            current.green);
        *handle = handles().streams.insert(stream);
        context->own(*handle);
    });
}

void require_attribute(CUstreamAttrID attribute) {
    switch (attribute) {
        case CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        case CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        case CU_STREAM_ATTRIBUTE_PRIORITY:
        case CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        case CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN:
            return;
        default:
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown stream attribute %d", attribute));
    }
}

void require_attribute_value(CUstreamAttrID attribute, const CUstreamAttrValue& value) {
    switch (attribute) {
        case CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW:
            return require_access_policy(value.accessPolicyWindow);
        case CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY:
            return require_synchronization_policy(value.syncPolicy);
        case CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
            return require_memory_domains(value.memSyncDomainMap);
        case CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN:
            return require_memory_domain(value.memSyncDomain);
        default:
            return;
    }
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuStreamCreate(CUstream* stream, unsigned int flags) {
    return create_stream("cuStreamCreate", stream, flags, 0);
}

CUresult CUDAAPI cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
    return create_stream("cuStreamCreateWithPriority", stream, flags, priority);
}

CUresult CUDAAPI cuStreamDestroy_v2(CUstream handle) {
    return entry("cuStreamDestroy", [&] {
        if (handle == nullptr || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
            throw DriverError(CUDA_ERROR_INVALID_HANDLE, "a default stream cannot be destroyed");
        }
        const std::shared_ptr<Stream> stream = handles().streams.remove(handle);
        if (!stream) {
            throw DriverError(CUDA_ERROR_INVALID_HANDLE,
                              describe_bad_handle(HandleKind::stream, reinterpret_cast<uint64_t>(handle)));
        }
        abandon_capture(stream);
        // What is queued still runs.
        stream->abandon();
        stream->context()->disown(handle);
        require_usable(*stream);
    });
}

CUresult CUDAAPI cuStreamDestroy(CUstream handle) {
    return cuStreamDestroy_v2(handle);
}

CUresult CUDAAPI cuStreamGetPriority(CUstream handle, int* priority) {
    return entry("cuStreamGetPriority", [&] {
        require_pointer(priority, "priority");
        *priority = find_stream(handle)->priority();
    });
}

CUresult CUDAAPI cuStreamGetFlags(CUstream handle, unsigned int* flags) {
    return entry("cuStreamGetFlags", [&] {
        require_pointer(flags, "flags");
        *flags = find_stream(handle)->flags();
    });
}

CUresult CUDAAPI cuStreamGetId(CUstream handle, unsigned long long* identifier) {
    return entry("cuStreamGetId", [&] {
        require_pointer(identifier, "streamId");
        *identifier = find_stream(handle)->identifier();
    });
}

CUresult CUDAAPI cuStreamGetDevice(CUstream handle, CUdevice* device) {
    return entry("cuStreamGetDevice", [&] {
        require_pointer(device, "device");
        *device = static_cast<CUdevice>(find_stream(handle)->context()->device().ordinal());
    });
}

CUresult CUDAAPI cuStreamGetCtx(CUstream handle, CUcontext* context) {
    return entry("cuStreamGetCtx", [&] {
        require_pointer(context, "pctx");
        const std::shared_ptr<Stream> stream = find_stream(handle);
        *context = CurrentContext{stream->context(), stream->green()}.handle();
    });
}

CUresult CUDAAPI cuStreamGetCtx_v2(CUstream handle, CUcontext* context, CUgreenCtx* green) {
    return entry("cuStreamGetCtx", [&] {
        require_pointer(context, "pCtx");
        require_pointer(green, "pGreenCtx");
        const std::shared_ptr<Stream> stream = find_stream(handle);
        *context = stream->context()->handle();
        *green = stream->green() ? stream->green()->handle() : nullptr;
    });
}

CUresult CUDAAPI cuStreamSynchronize(CUstream handle) {
    return entry("cuStreamSynchronize", [&] {
        const std::shared_ptr<Stream> stream = find_stream(handle);
        refuse_captured(stream, "the stream cannot be waited for");
        if (stream->kind() == Stream::Kind::legacy_default) {
            // It waits for the blocking streams as well: an empty piece of work puts that into its queue.
            wait_for(*stream, stream->context()->submit(stream, [] {}));
        } else {
            wait_for(*stream, stream->last_ticket());
        }
    });
}

CUresult CUDAAPI cuStreamQuery(CUstream handle) {
    return entry("cuStreamQuery", [&]() -> CUresult {
        const std::shared_ptr<Stream> stream = find_stream(handle);
        refuse_captured(stream, "the stream cannot be queried");
        const bool idle = stream->kind() == Stream::Kind::legacy_default ? stream->context()->legacy_order_idle(*stream)
                                                                         : stream->idle();
        if (!idle) return CUDA_ERROR_NOT_READY;
        require_usable(*stream->context());
        if (stream->kind() == Stream::Kind::legacy_default) {
            for (const std::shared_ptr<Stream>& other : stream->context()->streams()) {
                if (other->follows_legacy_default() && other->green() == stream->green()) learn_order(other->order());
            }
        }
        learn_order(stream->order());
        return CUDA_SUCCESS;
    });
}

CUresult CUDAAPI cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned int flags) {
    return entry("cuStreamWaitEvent", [&] {
        require_flags(flags, CU_EVENT_WAIT_EXTERNAL, "Flags");
        const std::shared_ptr<Stream> stream = find_stream(handle);
        // The recording that is the last one now is what is waited for; an event never recorded has happened.
        const std::shared_ptr<Event> event = find_event(event_handle);
        if (capture_wait(stream, event_handle, event, flags == CU_EVENT_WAIT_EXTERNAL)) return;
        if (flags == CU_EVENT_WAIT_EXTERNAL) {
            throw DriverError(CUDA_ERROR_ILLEGAL_STATE, "CU_EVENT_WAIT_EXTERNAL is for streams that capture");
        }
        const std::shared_ptr<Completion> completion = event->last();
        if (!completion) return;
        // The stream, and not the host, is what knows of it then.
        if (completion->ready() && stream_races() == nullptr) return;
        stream->context()->submit(stream, [completion] { completion->wait(); });
    });
}

CUresult CUDAAPI cuLaunchHostFunc_v2(CUstream handle, CUhostFn function, void* user_data, unsigned int sync_mode) {
    return entry("cuLaunchHostFunc", [&] {
        if (function == nullptr) throw DriverError(CUDA_ERROR_INVALID_VALUE, "fn is null");
        require_sync_mode(sync_mode);
        const std::shared_ptr<Stream> stream = find_stream(handle);
        const std::shared_ptr<Context> context = stream->context();
        if (captures(stream)) {
            add_captured(stream, HostOperation{{function, user_data}, context, sync_mode});
            return;
        }
        context->submit(stream, [context, function, user_data] {
            // As documented: host functions do not run in a context with an error.
            if (context->sticky_error() == CUDA_SUCCESS) call_host_function([&] { function(user_data); });
        });
    });
}

CUresult CUDAAPI cuLaunchHostFunc_v2_ptsz(CUstream handle, CUhostFn function, void* user_data, unsigned int sync_mode) {
    return cuLaunchHostFunc_v2(per_thread_stream(handle), function, user_data, sync_mode);
}

CUresult CUDAAPI cuLaunchHostFunc(CUstream handle, CUhostFn function, void* user_data) {
    return cuLaunchHostFunc_v2(handle, function, user_data, host_task_blocking);
}

CUresult CUDAAPI cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void* user_data, unsigned int flags) {
    return entry("cuStreamAddCallback", [&] {
        require_flags(flags, 0, "flags");
        if (callback == nullptr) throw DriverError(CUDA_ERROR_INVALID_VALUE, "callback is null");
        const std::shared_ptr<Stream> stream = find_stream(handle);
        refuse_captured(stream, "callbacks (but not cuLaunchHostFunc) are not possible");
        const std::shared_ptr<Context> context = stream->context();
        context->submit(stream, [context, handle, callback, user_data] {
            const CUresult status = context->sticky_error();
            note_told("cuStreamAddCallback", status);
            call_host_function([&] { callback(handle, status, user_data); });
        });
    });
}

CUresult CUDAAPI cuStreamAttachMemAsync(CUstream handle, CUdeviceptr pointer, size_t, unsigned int flags) {
    return entry("cuStreamAttachMemAsync", [&] {
        refuse_captured(find_stream(handle), "managed memory cannot be attached");
        if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown attach flag 0x%x", flags));
        }
        const std::optional<Allocation> found = driver().addresses().find(pointer);
        if (!found || found->kind != Allocation::Kind::managed) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) + " is not managed memory");
        }
    });
}

CUresult CUDAAPI cuStreamGetAttribute(CUstream handle, CUstreamAttrID attribute, CUstreamAttrValue* value) {
    return entry("cuStreamGetAttribute", [&] {
        require_pointer(value, "value_out");
        require_attribute(attribute);
        *value = find_stream(handle)->attribute(attribute);
    });
}

CUresult CUDAAPI cuStreamSetAttribute(CUstream handle, CUstreamAttrID attribute, const CUstreamAttrValue* value) {
    return entry("cuStreamSetAttribute", [&] {
        require_pointer(value, "value");
        require_attribute(attribute);
        require_attribute_value(attribute, *value);
        find_stream(handle)->set_attribute(attribute, *value);
    });
}

CUresult CUDAAPI cuStreamCopyAttributes(CUstream destination, CUstream source) {
    return entry("cuStreamCopyAttributes", [&] {
        const std::shared_ptr<Stream> to = find_stream(destination);
        to->copy_attributes(*find_stream(source));
    });
}

CUresult CUDAAPI cuStreamCopyAttributes_ptsz(CUstream destination, CUstream source) {
    return cuStreamCopyAttributes(destination ? destination : CU_STREAM_PER_THREAD,
                                  source ? source : CU_STREAM_PER_THREAD);
}

}  // extern "C"
