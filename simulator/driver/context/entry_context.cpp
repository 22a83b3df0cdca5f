// Contexts, primary and own, and peer access.
#include "driver/context/green_context.hpp"
#include "driver/device/device_fault.hpp"
#include "driver/graph/capture.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

constexpr unsigned int context_flags = CU_CTX_SCHED_MASK | CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX |
                                       CU_CTX_COREDUMP_ENABLE | CU_CTX_USER_COREDUMP_ENABLE | CU_CTX_SYNC_MEMOPS;

void require_context_flags(unsigned int flags) {
    require_flags(flags, context_flags, "flags");
    const unsigned int scheduling = flags & CU_CTX_SCHED_MASK;
    if (scheduling != CU_CTX_SCHED_AUTO && scheduling != CU_CTX_SCHED_SPIN && scheduling != CU_CTX_SCHED_YIELD &&
        scheduling != CU_CTX_SCHED_BLOCKING_SYNC) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("flags 0x%x name more than one scheduling", flags));
    }
}

CUresult create_context(const char* call, CUcontext* handle, unsigned int flags, CUdevice dev,
                        unsigned int api_version) {
    return entry(call, [&] {
        require_pointer(handle, "pctx");
        require_context_flags(flags);
        require_working_device(driver().device(dev).ordinal());
        auto context = std::make_shared<Context>(driver().device(dev), false, flags, api_version);
        context->set_handle(handles().contexts.insert(context));
        context->activate();
        *handle = context->handle();
        ContextStack::push({std::move(context)});
    });
}

// A context that may be out of service: what only looks at it or puts it away must still work.
std::shared_ptr<Context> current_even_if_failed() {
    std::shared_ptr<Context> context = ContextStack::current();
    if (!context) throw DriverError(CUDA_ERROR_INVALID_CONTEXT, "no context is current to the calling thread");
    return context;
}

std::shared_ptr<Context> find_peer(CUcontext handle) {
    if (handle == nullptr) throw DriverError(CUDA_ERROR_INVALID_CONTEXT, "peerContext is null");
    std::shared_ptr<Context> peer = find_context(handle);
    require_usable(*peer);
    return peer;
}

// False if that was so already.
bool set_peer_access(const Context& from, const Context& to, bool enabled) {
    return driver().addresses().set_peer_access(reinterpret_cast<uint64_t>(from.handle()), from.device().ordinal(),
                                                reinterpret_cast<uint64_t>(to.handle()), enabled);
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuCtxCreate(CUcontext* pctx, unsigned int flags, CUdevice dev) {
    return create_context("cuCtxCreate", pctx, flags, dev, 3010);
}

CUresult CUDAAPI cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev) {
    return create_context("cuCtxCreate", pctx, flags, dev, 3020);
}

CUresult CUDAAPI cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam*, int numParams, unsigned int flags,
                                CUdevice dev) {
    if (numParams != 0) {
        return entry("cuCtxCreate", [] {
            throw DriverError(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "the simulated device has no execution affinity");
        });
    }
    return create_context("cuCtxCreate", pctx, flags, dev, 3020);
}

CUresult CUDAAPI cuCtxCreate_v4(CUcontext* pctx, CUctxCreateParams* params, unsigned int flags, CUdevice dev) {
    if (params != nullptr && (params->numExecAffinityParams != 0 || params->cigParams != nullptr)) {
        return entry("cuCtxCreate", [] {
            throw DriverError(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY,
                              "the simulated device has neither execution affinity nor CUDA in graphics");
        });
    }
    return create_context("cuCtxCreate", pctx, flags, dev, 3020);
}

CUresult CUDAAPI cuCtxDestroy_v2(CUcontext ctx) {
    return entry("cuCtxDestroy", [&] {
        const std::shared_ptr<Context> context = find_context(ctx);
        if (context->primary()) {
            throw DriverError(CUDA_ERROR_INVALID_CONTEXT,
                              "this is a primary context, which cuDevicePrimaryCtxRelease gives back");
        }
        context->deactivate();
        handles().contexts.remove(ctx);
        if (ContextStack::current() == context) ContextStack::pop();
    });
}

CUresult CUDAAPI cuCtxDestroy(CUcontext ctx) {
    return cuCtxDestroy_v2(ctx);
}

CUresult CUDAAPI cuCtxAttach(CUcontext* pctx, unsigned int flags) {
    return entry("cuCtxAttach", [&] {
        require_pointer(pctx, "pctx");
        require_flags(flags, 0, "flags");
        const std::shared_ptr<Context> context = current_context();
        ++context->uses;
        *pctx = context->handle();
    });
}

CUresult CUDAAPI cuCtxDetach(CUcontext ctx) {
    return entry("cuCtxDetach", [&]() -> CUresult {
        const std::shared_ptr<Context> context = find_context(ctx);
        if (ContextStack::current() != context) {
            throw DriverError(CUDA_ERROR_INVALID_CONTEXT, "only a context that is current can be detached from");
        }
        return --context->uses == 0 ? cuCtxDestroy_v2(ctx) : CUDA_SUCCESS;
    });
}

CUresult CUDAAPI cuCtxPushCurrent_v2(CUcontext ctx) {
    return entry("cuCtxPushCurrent", [&] { ContextStack::push(resolve_context(ctx)); });
}

CUresult CUDAAPI cuCtxPushCurrent(CUcontext ctx) {
    return cuCtxPushCurrent_v2(ctx);
}

CUresult CUDAAPI cuCtxPopCurrent_v2(CUcontext* pctx) {
    return entry("cuCtxPopCurrent", [&] {
        const CurrentContext popped = ContextStack::pop();
        if (!popped.context)
            throw DriverError(CUDA_ERROR_INVALID_CONTEXT, "no context is current to the calling thread");
        if (pctx != nullptr) *pctx = popped.handle();
    });
}

CUresult CUDAAPI cuCtxPopCurrent(CUcontext* pctx) {
    return cuCtxPopCurrent_v2(pctx);
}

CUresult CUDAAPI cuCtxSetCurrent(CUcontext ctx) {
    return entry("cuCtxSetCurrent", [&] { ContextStack::set_current(ctx ? resolve_context(ctx) : CurrentContext{}); });
}

CUresult CUDAAPI cuCtxGetCurrent(CUcontext* pctx) {
    return entry("cuCtxGetCurrent", [&] {
        require_pointer(pctx, "pctx");
        *pctx = ContextStack::current_with_green().handle();
    });
}

CUresult CUDAAPI cuCtxGetDevice(CUdevice* device) {
    return entry("cuCtxGetDevice", [&] {
        require_pointer(device, "device");
        *device = static_cast<CUdevice>(current_even_if_failed()->device().ordinal());
    });
}

CUresult CUDAAPI cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx) {
    return entry("cuCtxGetDevice", [&] {
        require_pointer(device, "device");
        const std::shared_ptr<Context> context = ctx ? find_context(ctx) : current_even_if_failed();
        *device = static_cast<CUdevice>(context->device().ordinal());
    });
}

CUresult CUDAAPI cuCtxGetFlags(unsigned int* flags) {
    return entry("cuCtxGetFlags", [&] {
        require_pointer(flags, "flags");
        *flags = current_even_if_failed()->flags;
    });
}

CUresult CUDAAPI cuCtxSetFlags(unsigned int flags) {
    return entry("cuCtxSetFlags", [&] {
        require_context_flags(flags);
        current_context()->flags = flags;
    });
}

CUresult CUDAAPI cuCtxGetId(CUcontext ctx, unsigned long long* identifier) {
    return entry("cuCtxGetId", [&] {
        require_pointer(identifier, "ctxId");
        const CurrentContext found =
            ctx ? resolve_context(ctx) : (current_even_if_failed(), ContextStack::current_with_green());
        if (!found.context->active()) {
            throw DriverError(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the device's primary context was reset or released");
        }
        *identifier = found.green ? found.green->identifier() : found.context->identifier();
    });
}

CUresult CUDAAPI cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
    return entry("cuCtxGetApiVersion", [&] {
        require_pointer(version, "version");
        const std::shared_ptr<Context> context = ctx ? find_context(ctx) : current_even_if_failed();
        *version = context->api_version();
    });
}

CUresult CUDAAPI cuCtxSynchronize() {
    return entry("cuCtxSynchronize", [&] {
        const std::shared_ptr<Context> context = current_context();
        refuse_captured(*context, "a context cannot be waited for");
        context->synchronize();
        require_usable(*context);
    });
}

CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext ctx) {
    return entry("cuCtxSynchronize", [&] {
        const std::shared_ptr<Context> context = ctx ? find_context(ctx) : current_context();
        require_usable(*context);
        refuse_captured(*context, "a context cannot be waited for");
        context->synchronize();
        require_usable(*context);
    });
}

CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value) {
    return entry("cuCtxSetLimit", [&] { current_context()->set_limit(limit, value); });
}

CUresult CUDAAPI cuCtxGetLimit(size_t* value, CUlimit limit) {
    return entry("cuCtxGetLimit", [&] {
        require_pointer(value, "pvalue");
        *value = current_context()->limit(limit);
    });
}

CUresult CUDAAPI cuCtxGetCacheConfig(CUfunc_cache* config) {
    return entry("cuCtxGetCacheConfig", [&] {
        require_pointer(config, "pconfig");
        *config = static_cast<CUfunc_cache>(current_context()->cache_config.load());
    });
}

CUresult CUDAAPI cuCtxSetCacheConfig(CUfunc_cache config) {
    return entry("cuCtxSetCacheConfig", [&] {
        if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown cache configuration %d", config));
        }
        current_context()->cache_config = config;
    });
}

CUresult CUDAAPI cuCtxGetSharedMemConfig(CUsharedconfig* config) {
    return entry("cuCtxGetSharedMemConfig", [&] {
        require_pointer(config, "pConfig");
        current_context();
        *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;  // the only one since compute capability 5.0
    });
}

CUresult CUDAAPI cuCtxSetSharedMemConfig(CUsharedconfig config) {
    return entry("cuCtxSetSharedMemConfig", [&] {
        if (config < CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE || config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown shared memory configuration %d", config));
        }
        current_context()->shared_memory_config = config;
    });
}

CUresult CUDAAPI cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    return entry("cuCtxGetStreamPriorityRange", [&] {
        current_context();
        if (least != nullptr) *least = DeviceLimits::least_priority;
        if (greatest != nullptr) *greatest = DeviceLimits::greatest_priority;
    });
}

CUresult CUDAAPI cuCtxResetPersistingL2Cache() {
    return entry("cuCtxResetPersistingL2Cache", [&] { current_context(); });
}

CUresult CUDAAPI cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
    return entry("cuCtxEnablePeerAccess", [&] {
        require_flags(flags, 0, "Flags");
        const std::shared_ptr<Context> context = current_context();
        const std::shared_ptr<Context> other = find_peer(peer);
        if (&context->device() == &other->device()) {
            throw DriverError(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "both contexts are on one device");
        }
        if (!set_peer_access(*context, *other, true)) {
            throw DriverError(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is enabled already");
        }
    });
}

CUresult CUDAAPI cuCtxDisablePeerAccess(CUcontext peer) {
    return entry("cuCtxDisablePeerAccess", [&] {
        const std::shared_ptr<Context> context = current_context();
        const std::shared_ptr<Context> other = find_peer(peer);
        if (!set_peer_access(*context, *other, false)) {
            throw DriverError(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "peer access is not enabled");
        }
    });
}

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
    return entry("cuDevicePrimaryCtxRetain", [&] {
        require_pointer(pctx, "pctx");
        *pctx = driver().device(dev).retain_primary()->handle();
    });
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
    return entry("cuDevicePrimaryCtxRelease", [&] {
        if (!driver().device(dev).release_primary()) {
            throw DriverError(CUDA_ERROR_INVALID_CONTEXT,
                              format("the primary context of device %d is not retained", dev));
        }
    });
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice dev) {
    return cuDevicePrimaryCtxRelease_v2(dev);
}

CUresult CUDAAPI cuDevicePrimaryCtxReset_v2(CUdevice dev) {
    return entry("cuDevicePrimaryCtxReset", [&] {
        Device& device = driver().device(dev);
        for (const std::shared_ptr<GreenContext>& green : handles().green_contexts.all()) {
            if (green->closed() || &green->primary()->device() != &device) continue;
            throw DriverError(CUDA_ERROR_NOT_PERMITTED,
                              "the device has green contexts, which must be destroyed first (cuGreenCtxDestroy)");
        }
        device.reset_primary();
    });
}

CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice dev) {
    return cuDevicePrimaryCtxReset_v2(dev);
}

CUresult CUDAAPI cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
    return entry("cuDevicePrimaryCtxSetFlags", [&] {
        Device& device = driver().device(dev);
        require_context_flags(flags);
        device.set_primary_flags(flags);
    });
}

CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) {
    return cuDevicePrimaryCtxSetFlags_v2(dev, flags);
}

CUresult CUDAAPI cuCtxGetExecAffinity(CUexecAffinityParam* affinity, CUexecAffinityType type) {
    return entry("cuCtxGetExecAffinity", [&] {
        require_pointer(affinity, "pExecAffinity");
        if (type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown execution affinity type %d", type));
        }
        *affinity = {};
        affinity->type = type;
        affinity->param.smCount.val = multiprocessors_of(current_context_with_green());
    });
}

CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
    return entry("cuDevicePrimaryCtxGetState", [&] {
        require_pointer(flags, "flags");
        require_pointer(active, "active");
        const Device& device = driver().device(dev);
        *flags = device.primary_flags();
        *active = device.primary_active() ? 1 : 0;
    });
}

}  // extern "C"
