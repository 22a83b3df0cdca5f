// Events.
#include <chrono>

#include "driver/event/shared_event.hpp"
#include "driver/graph/capture.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

constexpr unsigned int event_flags = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;

void record(CUevent handle, CUstream stream_handle, bool external = false) {
    const std::shared_ptr<Event> event = find_event(handle);
    const std::shared_ptr<Stream> stream = find_stream(stream_handle);
    if (event->context() != stream->context()) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE, "the event and the stream belong to different contexts");
    }
    if (capture_record(stream, handle, event, external)) return;
    if (external) throw DriverError(CUDA_ERROR_ILLEGAL_STATE, "CU_EVENT_RECORD_EXTERNAL is for streams that capture");
    event->record(stream);
}

// The context and event of cuCtxRecordEvent and cuCtxWaitEvent, which no stream of the context may capture.
std::shared_ptr<Event> event_of(const std::shared_ptr<Context>& context, CUevent handle) {
    std::shared_ptr<Event> event = find_event(handle);
    refuse_captured(*context, "the context's work cannot be recorded or held back");
    return event;
}

std::shared_ptr<Context> usable_context(CUcontext handle) {
    if (handle == nullptr) throw DriverError(CUDA_ERROR_INVALID_CONTEXT, "hCtx is null");
    std::shared_ptr<Context> context = find_context(handle);
    require_usable(*context);
    return context;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuEventCreate(CUevent* handle, unsigned int flags) {
    return entry("cuEventCreate", [&] {
        require_pointer(handle, "phEvent");
        require_flags(flags, event_flags, "Flags");
        if ((flags & CU_EVENT_INTERPROCESS) != 0 && (flags & CU_EVENT_DISABLE_TIMING) == 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "CU_EVENT_INTERPROCESS needs CU_EVENT_DISABLE_TIMING");
        }
        const std::shared_ptr<Context> context = current_context();
        const std::shared_ptr<SharedEvent> shared =
            (flags & CU_EVENT_INTERPROCESS) != 0 ? SharedEvent::create() : nullptr;
        *handle = handles().events.insert(std::make_shared<Event>(context, flags, shared));
        context->own(*handle);
    });
}

CUresult CUDAAPI cuEventDestroy_v2(CUevent handle) {
    return entry("cuEventDestroy", [&] {
        const std::shared_ptr<Event> event = handles().events.remove(handle);
        if (!event) {
            throw DriverError(CUDA_ERROR_INVALID_HANDLE,
                              describe_bad_handle(HandleKind::event, reinterpret_cast<uint64_t>(handle)));
        }
        event->context()->disown(handle);
        require_usable(*event->context());
    });
}

CUresult CUDAAPI cuEventDestroy(CUevent handle) {
    return cuEventDestroy_v2(handle);
}

CUresult CUDAAPI cuEventRecord(CUevent handle, CUstream stream) {
    return entry("cuEventRecord", [&] { record(handle, stream); });
}

CUresult CUDAAPI cuEventRecordWithFlags(CUevent handle, CUstream stream, unsigned int flags) {
    return entry("cuEventRecordWithFlags", [&] {
        require_flags(flags, CU_EVENT_RECORD_EXTERNAL, "flags");
        record(handle, stream, flags == CU_EVENT_RECORD_EXTERNAL);
    });
}

CUresult CUDAAPI cuCtxRecordEvent(CUcontext context_handle, CUevent handle) {
    return entry("cuCtxRecordEvent", [&] {
        const std::shared_ptr<Context> context = usable_context(context_handle);
        const std::shared_ptr<Event> event = event_of(context, handle);
        if (event->context() != context) {
            throw DriverError(CUDA_ERROR_INVALID_HANDLE, "the event belongs to another context");
        }
        event->record_context();
    });
}

CUresult CUDAAPI cuCtxWaitEvent(CUcontext context_handle, CUevent handle) {
    return entry("cuCtxWaitEvent", [&] {
        const std::shared_ptr<Context> context = usable_context(context_handle);
        const std::shared_ptr<Completion> completion = event_of(context, handle)->last();
        if (!completion) return;
        if (completion->ready()) {
            completion->pass();
        } else {
            context->hold_back_until(completion);
        }
    });
}

CUresult CUDAAPI cuEventQuery(CUevent handle) {
    return entry("cuEventQuery", [&]() -> CUresult {
        const std::shared_ptr<Event> event = find_event(handle);
        refuse_captured_event(*event);
        refuse_unsafe_call("an event cannot be queried");
        const std::shared_ptr<Completion> completion = event->last();
        if (completion && !completion->ready()) return CUDA_ERROR_NOT_READY;
        require_usable(*event->context());
        if (completion) completion->pass();
        return CUDA_SUCCESS;
    });
}

CUresult CUDAAPI cuEventSynchronize(CUevent handle) {
    return entry("cuEventSynchronize", [&] {
        const std::shared_ptr<Event> event = find_event(handle);
        refuse_captured_event(*event);
        refuse_unsafe_call("an event cannot be waited for");
        if (const std::shared_ptr<Completion> completion = event->last()) completion->wait();
        require_usable(*event->context());
    });
}

CUresult CUDAAPI cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
    return entry("cuEventElapsedTime", [&]() -> CUresult {
        require_pointer(milliseconds, "pMilliseconds");
        const std::shared_ptr<Event> first = find_event(start);
        const std::shared_ptr<Event> last = find_event(end);
        const std::optional<float> elapsed = elapsed_milliseconds(*first, *last);
        if (!elapsed) return CUDA_ERROR_NOT_READY;
        *milliseconds = *elapsed;
        return CUDA_SUCCESS;
    });
}

CUresult CUDAAPI cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
    return cuEventElapsedTime_v2(milliseconds, start, end);
}

}  // extern "C"
