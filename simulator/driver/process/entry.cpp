#include "driver/process/entry.hpp"

#include "driver/context/green_context.hpp"
#include "driver/error/error_table.hpp"
#include "driver/error/log.hpp"
#include "driver/process/checkpoint.hpp"
#include "driver/process/process_end.hpp"

namespace cuprum::simulator::libcuda {

namespace {

[[noreturn]] void throw_bad_handle(HandleKind kind, const void* handle, CUresult code = CUDA_ERROR_INVALID_HANDLE) {
    throw DriverError(code, describe_bad_handle(kind, reinterpret_cast<uint64_t>(handle)));
}

}  // namespace

CUresult check_callable(const char* call) {
    // Before anything that takes a lock: in a forked child a lock may be held by a thread that is not there.
    if (driver().forked()) return CUDA_ERROR_NOT_INITIALIZED;
    if (!driver().callable()) {
        if (!driver().initialised()) {
            return report_failure(call, CUDA_ERROR_NOT_INITIALIZED, "cuInit has not been called");
        }
        checkpoint().wait_until_running();
    }
    if (inside_host_function()) {
        return report_failure(call, CUDA_ERROR_NOT_PERMITTED,
                              "host functions and callbacks of a stream must not call the driver");
    }
    return CUDA_SUCCESS;
}

CUresult report_failure(const char* call, CUresult code, const char* message) {
    note_told(call, code);
    try {
        log().write(CU_LOG_LEVEL_ERROR, std::string(call) + ": " + error_name(code) + ": " + message);
    } catch (const std::bad_alloc&) {
        // Then the code has to do.
    }
    return code;
}

void require_usable(const Context& context) {
    if (!context.active())
        throw DriverError(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context has been destroyed or reset");
    if (const CUresult sticky = context.sticky_error(); sticky != CUDA_SUCCESS) {
        throw DriverError(sticky, "the context is out of service since an earlier error: " + context.sticky_report());
    }
}

void require_usable(const Stream& stream) {
    if (stream.green() && stream.green()->closed()) {
        throw DriverError(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the stream's green context has been destroyed");
    }
    require_usable(*stream.context());
}

CurrentContext current_context_with_green() {
    CurrentContext current = ContextStack::current_with_green();
    if (!current.context) {
        throw DriverError(CUDA_ERROR_INVALID_CONTEXT,
                          "no context is current to the calling thread (cuCtxSetCurrent, cuCtxCreate)");
    }
    if (current.green && current.green->closed()) {
        throw DriverError(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the current green context has been destroyed");
    }
    require_usable(*current.context);
    return current;
}

std::shared_ptr<Context> current_context() {
    return current_context_with_green().context;
}

std::shared_ptr<Context> find_context(CUcontext handle) {
    return resolve_context(handle).context;
}

CurrentContext resolve_context(CUcontext handle) {
    // A null handle is an invalid value for contexts and pools, an invalid handle for everything else: so does driver
    // 580.
    if (handle == nullptr) throw_bad_handle(HandleKind::context, handle, CUDA_ERROR_INVALID_VALUE);
    std::shared_ptr<Context> context = handles().contexts.find(handle);
    if (context) return {std::move(context)};
    std::shared_ptr<GreenContext> green = handles().green_contexts_as_contexts.find(handle);
    if (!green) throw_bad_handle(HandleKind::context, handle, CUDA_ERROR_INVALID_CONTEXT);
    return {green->primary(), std::move(green)};
}

std::shared_ptr<Stream> find_stream(CUstream handle) {
    if (handle == nullptr || handle == CU_STREAM_LEGACY) {
        const CurrentContext current = current_context_with_green();
        return current.green ? current.green->default_stream() : current.context->legacy_default_stream();
    }
    if (handle == CU_STREAM_PER_THREAD) {
        const CurrentContext current = current_context_with_green();
        if (current.green) {
            throw DriverError(CUDA_ERROR_INVALID_HANDLE, "green contexts have no per-thread default streams");
        }
        return current.context->per_thread_default_stream();
    }
    std::shared_ptr<Stream> stream = handles().streams.find(handle);
    if (!stream) throw_bad_handle(HandleKind::stream, handle);
    require_usable(*stream);
    return stream;
}

std::shared_ptr<Event> find_event(CUevent handle) {
    std::shared_ptr<Event> event = handles().events.find(handle);
    if (!event) throw_bad_handle(HandleKind::event, handle);
    require_usable(*event->context());
    return event;
}

std::shared_ptr<Module> find_module(CUmodule handle) {
    std::shared_ptr<Module> module = handles().modules.find(handle);
    if (!module) throw_bad_handle(HandleKind::module, handle);
    require_usable(*module->context());
    return module;
}

std::shared_ptr<Library> find_library(CUlibrary handle) {
    std::shared_ptr<Library> library = handles().libraries.find(handle);
    if (!library) throw_bad_handle(HandleKind::library, handle);
    return library;
}

std::shared_ptr<Kernel> find_kernel_object(CUkernel handle) {
    std::shared_ptr<Kernel> kernel = handles().kernels.find(handle);
    if (!kernel) throw_bad_handle(HandleKind::kernel, handle);
    return kernel;
}

std::shared_ptr<MemoryPool> find_pool(CUmemoryPool handle) {
    if (handle == nullptr) throw_bad_handle(HandleKind::memory_pool, handle, CUDA_ERROR_INVALID_VALUE);
    std::shared_ptr<MemoryPool> pool = handles().pools.find(handle);
    if (!pool) throw_bad_handle(HandleKind::memory_pool, handle);
    return pool;
}

std::shared_ptr<Function> find_function(CUfunction handle, const std::shared_ptr<Context>& context) {
    std::shared_ptr<Function> function = handles().functions.find(handle);
    if (!function) {
        const std::shared_ptr<Kernel> kernel = handles().kernels.find(reinterpret_cast<CUkernel>(handle));
        if (kernel) {
            const CUfunction in_context = kernel->library()->module_in(context)->function(kernel->index());
            function = handles().functions.find(in_context);
        }
    }
    if (!function) throw_bad_handle(HandleKind::function, handle);
    require_usable(*function->module()->context());
    return function;
}

uint32_t multiprocessors_of(const CurrentContext& context) {
    return context.green ? static_cast<uint32_t>(context.green->multiprocessors()->size())
                         : context.context->device().model().multiprocessors;
}

void wait_for(const Stream& stream, uint64_t ticket) {
    stream.wait(ticket);
    learn_order(stream.order());
    const Context& context = *stream.context();
    if (const CUresult sticky = context.sticky_error(); sticky != CUDA_SUCCESS) {
        throw DriverError(sticky, context.sticky_report());
    }
}

}  // namespace cuprum::simulator::libcuda
