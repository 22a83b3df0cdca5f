// What every exported function shares: the checks before it, the report of what failed, and how handles are looked up.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <type_traits>

#include "driver/error/driver_error.hpp"
#include "driver/process/cuda_api.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

// CUDA_SUCCESS, or why no call may be made now: not initialised, in a forked child, inside a host function.
CUresult check_callable(const char* call);
// Logs "<call>: <message>" and returns the code.
CUresult report_failure(const char* call, CUresult code, const char* message);

// Runs the body of an exported function. No exception leaves it: a DriverError becomes its code and a log line. The
// body returns nothing, or a CUresult for outcomes that are no failures, such as CUDA_ERROR_NOT_READY.
template <typename Body>
CUresult entry_unchecked(const char* call, Body&& body) {
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
            body();
            return CUDA_SUCCESS;
        } else {
            return body();
        }
    } catch (const DriverError& error) {
        return report_failure(call, error.code(), error.what());
    } catch (const std::bad_alloc&) {
        return report_failure(call, CUDA_ERROR_OUT_OF_MEMORY, "the simulator itself is out of host memory");
    } catch (const std::system_error& error) {
        return report_failure(call, CUDA_ERROR_OPERATING_SYSTEM, error.what());
    } catch (const std::exception& error) {
        return report_failure(call, CUDA_ERROR_UNKNOWN, error.what());
    }
}

template <typename Body>
CUresult entry(const char* call, Body&& body) {
    const CUresult callable = check_callable(call);
    if (callable != CUDA_SUCCESS) return callable;
    return entry_unchecked(call, static_cast<Body&&>(body));
}

// Throws the context's sticky error if it has one, CUDA_ERROR_CONTEXT_IS_DESTROYED if it is inactive.
void require_usable(const Context& context);
// The same of the stream's context, and of its green context if it has one.
void require_usable(const Stream& stream);
// The calling thread's context. Throws CUDA_ERROR_INVALID_CONTEXT if there is none, and as require_usable.
std::shared_ptr<Context> current_context();
// The same with its green context, if it has one.
CurrentContext current_context_with_green();

// Each throws CUDA_ERROR_INVALID_HANDLE (INVALID_CONTEXT for contexts) for what is no live object, and as
// require_usable for the object's context.
std::shared_ptr<Context> find_context(CUcontext handle);
CurrentContext resolve_context(CUcontext handle);      // with the green context that it was made from
std::shared_ptr<Stream> find_stream(CUstream handle);  // null, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD included
std::shared_ptr<Event> find_event(CUevent handle);
std::shared_ptr<Module> find_module(CUmodule handle);
std::shared_ptr<Library> find_library(CUlibrary handle);
std::shared_ptr<Kernel> find_kernel_object(CUkernel handle);
std::shared_ptr<MemoryPool> find_pool(CUmemoryPool handle);
// Also takes a CUkernel in a CUfunction's clothes, as the driver does: then the kernel as function of `context`.
std::shared_ptr<Function> find_function(CUfunction handle, const std::shared_ptr<Context>& context);

// How many multiprocessors its kernels run on.
uint32_t multiprocessors_of(const CurrentContext& context);

// Waits for the work, then throws the context's sticky error if it has one.
void wait_for(const Stream& stream, uint64_t ticket);

}  // namespace cuprum::simulator::libcuda
