#include "fake_driver.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

namespace cuprum::test {

namespace {

FakeDriver* the_driver = nullptr;
thread_local std::vector<CUcontext> context_stack;

FakeDriver& fake() {
    return FakeDriver::instance();
}

// Kernel handles are addresses of the names.
const std::string* kernel_name(CUkernel kernel) {
    return reinterpret_cast<const std::string*>(kernel);
}

CUresult fake_cuInit(unsigned int) {
    return fake().enter("cuInit");
}
CUresult fake_cuDeviceGetCount(int* count) {
    *count = FakeDriver::device_count;
    return fake().enter("cuDeviceGetCount");
}
CUresult fake_cuDeviceGet(CUdevice* device, int ordinal) {
    *device = ordinal;
    return fake().enter("cuDeviceGet");
}
CUresult fake_cuDeviceGetName(char* name, int size, CUdevice device) {
    std::snprintf(name, static_cast<size_t>(size), "Fake %d", device);
    return fake().enter("cuDeviceGetName");
}
CUresult fake_cuDeviceGetUuid(CUuuid* uuid, CUdevice) {
    for (int i = 0; i < 16; ++i)
        uuid->bytes[i] = static_cast<char>(0xf0 - 0x10 * i);
    return fake().enter("cuDeviceGetUuid");
}
CUresult fake_cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
    switch (attribute) {
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
            *value = 9;
            break;
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
            *value = 0;
            break;
        case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
            *value = 64;
            break;
        case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
            *value = 2147483647;
            break;
        case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
        case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
            *value = 65535;
            break;
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
            *value = 49152;
            break;
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
            *value = 100000;
            break;
        case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
            *value = 0;
            break;
        default:
            *value = 1024;
            break;
    }
    return fake().enter("cuDeviceGetAttribute");
}
CUresult fake_cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    *context = FakeDriver::primary_context(device);
    return fake().enter("cuDevicePrimaryCtxRetain");
}
CUresult fake_cuCtxGetCurrent(CUcontext* context) {
    *context = current_context();
    return fake().enter("cuCtxGetCurrent");
}
CUresult fake_cuCtxPushCurrent(CUcontext context) {
    const CUresult result = fake().enter("cuCtxPushCurrent");
    if (result == CUDA_SUCCESS) context_stack.push_back(context);
    return result;
}
CUresult fake_cuCtxPopCurrent(CUcontext* context) {
    const CUresult result = fake().enter("cuCtxPopCurrent");
    if (result != CUDA_SUCCESS) return result;
    if (context_stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    *context = context_stack.back();
    context_stack.pop_back();
    return CUDA_SUCCESS;
}
CUresult fake_cuCtxSetCurrent(CUcontext context) {
    const CUresult result = fake().enter("cuCtxSetCurrent");
    if (result == CUDA_SUCCESS) make_current(context);
    return result;
}
CUresult fake_cuCtxSynchronize() {
    return fake().enter("cuCtxSynchronize");
}
CUresult fake_cuCtxGetDevice(CUdevice* device) {
    *device = current_context() == FakeDriver::primary_context(1) ? 1 : 0;
    return fake().enter("cuCtxGetDevice");
}
CUresult fake_cuGetErrorName(CUresult result, const char** name) {
    switch (result) {
        case CUDA_ERROR_INVALID_VALUE:
            *name = "CUDA_ERROR_INVALID_VALUE";
            break;
        case CUDA_ERROR_OUT_OF_MEMORY:
            *name = "CUDA_ERROR_OUT_OF_MEMORY";
            break;
        case CUDA_ERROR_ILLEGAL_ADDRESS:
            *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
            break;
        case CUDA_ERROR_UNKNOWN:
            *name = "CUDA_ERROR_UNKNOWN";
            break;
        default:
            *name = nullptr;
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}
CUresult fake_cuGetErrorString(CUresult result, const char** text) {
    *text = result == CUDA_ERROR_INVALID_VALUE ? "invalid argument" : "some description";
    return CUDA_SUCCESS;
}
CUresult fake_cuLogsCurrent(CUlogIterator*, unsigned int) {
    fake().take_log();
    return CUDA_SUCCESS;
}
CUresult fake_cuLogsDumpToMemory(CUlogIterator*, char* buffer, size_t* size, unsigned int) {
    const std::string log = fake().take_log();
    const size_t length = std::min(*size - 1, log.size());
    std::memcpy(buffer, log.data(), length);
    buffer[length] = '\0';
    *size = length;
    return CUDA_SUCCESS;
}
CUresult fake_cuStreamCreateWithPriority(CUstream* stream, unsigned int, int) {
    const CUresult result = fake().enter("cuStreamCreateWithPriority");
    if (result == CUDA_SUCCESS) *stream = reinterpret_cast<CUstream>(fake().create("stream"));
    return result;
}
CUresult fake_cuStreamDestroy(CUstream stream) {
    const CUresult result = fake().enter("cuStreamDestroy");
    return result != CUDA_SUCCESS ? result : fake().destroy("stream", reinterpret_cast<uint64_t>(stream));
}
CUresult fake_cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode*) {
    return CUDA_SUCCESS;
}
CUresult fake_cuStreamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}
CUresult fake_cuStreamSynchronize(CUstream) {
    return fake().enter("cuStreamSynchronize");
}
CUresult fake_cuStreamQuery(CUstream) {
    return fake().enter("cuStreamQuery");
}
CUresult fake_cuStreamGetCtx(CUstream, CUcontext* context) {
    *context = FakeDriver::primary_context(1);
    return fake().enter("cuStreamGetCtx");
}
CUresult fake_cuStreamGetFlags(CUstream, unsigned int* flags) {
    *flags = CU_STREAM_NON_BLOCKING;
    return fake().enter("cuStreamGetFlags");
}
CUresult fake_cuStreamGetPriority(CUstream, int* priority) {
    *priority = -1;
    return fake().enter("cuStreamGetPriority");
}
CUresult fake_cuStreamWaitEvent(CUstream, CUevent, unsigned int) {
    return fake().enter("cuStreamWaitEvent");
}
CUresult fake_cuEventCreate(CUevent* event, unsigned int) {
    const CUresult result = fake().enter("cuEventCreate");
    if (result == CUDA_SUCCESS) *event = reinterpret_cast<CUevent>(fake().create("event"));
    return result;
}
CUresult fake_cuEventDestroy(CUevent event) {
    const CUresult result = fake().enter("cuEventDestroy");
    return result != CUDA_SUCCESS ? result : fake().destroy("event", reinterpret_cast<uint64_t>(event));
}
CUresult fake_cuEventRecord(CUevent, CUstream) {
    return fake().enter("cuEventRecord");
}
CUresult fake_cuEventQuery(CUevent) {
    return fake().enter("cuEventQuery");
}
CUresult fake_cuEventSynchronize(CUevent) {
    return fake().enter("cuEventSynchronize");
}
CUresult fake_cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
    *milliseconds = 1.5F;
    return fake().enter("cuEventElapsedTime");
}
CUresult fake_cuMemAlloc(CUdeviceptr* address, size_t) {
    const CUresult result = fake().enter("cuMemAlloc");
    if (result == CUDA_SUCCESS) *address = fake().create("memory");
    return result;
}
CUresult fake_cuMemFree(CUdeviceptr address) {
    const CUresult result = fake().enter("cuMemFree");
    return result != CUDA_SUCCESS ? result : fake().destroy("memory", address);
}
CUresult fake_cuMemHostAlloc(void** memory, size_t, unsigned int) {
    const CUresult result = fake().enter("cuMemHostAlloc");
    if (result == CUDA_SUCCESS) *memory = reinterpret_cast<void*>(fake().create("memory"));
    return result;
}
CUresult fake_cuMemFreeHost(void* memory) {
    const CUresult result = fake().enter("cuMemFreeHost");
    return result == CUDA_SUCCESS ? fake().destroy("memory", reinterpret_cast<uintptr_t>(memory)) : result;
}
CUresult fake_cuMemAllocAsync(CUdeviceptr* address, size_t, CUstream) {
    const CUresult result = fake().enter("cuMemAllocAsync");
    if (result == CUDA_SUCCESS) *address = fake().create("memory");
    return result;
}
CUresult fake_cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
    fake().last_stream = stream;
    const CUresult result = fake().enter("cuMemFreeAsync");
    return result != CUDA_SUCCESS ? result : fake().destroy("memory", address);
}
CUresult fake_cuMemGetInfo(size_t* free, size_t* total) {
    *free = FakeDriver::free_bytes;
    *total = FakeDriver::total_bytes;
    return fake().enter("cuMemGetInfo");
}
CUresult fake_cuMemcpyHtoD(CUdeviceptr, const void*, size_t) {
    return fake().enter("cuMemcpyHtoD");
}
CUresult fake_cuMemcpyDtoH(void*, CUdeviceptr, size_t) {
    return fake().enter("cuMemcpyDtoH");
}
CUresult fake_cuMemcpyHtoDAsync(CUdeviceptr, const void*, size_t, CUstream) {
    return fake().enter("cuMemcpyHtoDAsync");
}
CUresult fake_cuMemcpyDtoHAsync(void*, CUdeviceptr, size_t, CUstream) {
    return fake().enter("cuMemcpyDtoHAsync");
}
CUresult fake_cuMemcpyDtoDAsync(CUdeviceptr, CUdeviceptr, size_t, CUstream) {
    return fake().enter("cuMemcpyDtoDAsync");
}
CUresult fake_cuMemsetD8Async(CUdeviceptr, unsigned char, size_t, CUstream) {
    return fake().enter("cuMemsetD8Async");
}
CUresult fake_cuLibraryLoadData(CUlibrary* library, const void*, CUjit_option* options, void** values,
                                unsigned int count, CUlibraryOption*, void**, unsigned int) {
    if (fake().while_loading) fake().while_loading();
    const CUresult result = fake().enter("cuLibraryLoadData");
    if (result == CUDA_SUCCESS) {
        *library = reinterpret_cast<CUlibrary>(fake().create("library"));
        return result;
    }
    for (unsigned int i = 0; i < count; ++i) {
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER) std::strcpy(static_cast<char*>(values[i]), fake().jit_log.c_str());
    }
    return result;
}
CUresult fake_cuLibraryUnload(CUlibrary library) {
    const CUresult result = fake().enter("cuLibraryUnload");
    return result != CUDA_SUCCESS ? result : fake().destroy("library", reinterpret_cast<uint64_t>(library));
}
CUresult fake_cuLibraryGetKernel(CUkernel* kernel, CUlibrary, const char* name) {
    const CUresult result = fake().enter("cuLibraryGetKernel");
    if (result != CUDA_SUCCESS) return result;
    const auto found = fake().kernels.find(name);
    if (found == fake().kernels.end()) return CUDA_ERROR_NOT_FOUND;
    *kernel = reinterpret_cast<CUkernel>(const_cast<std::string*>(&found->first));
    return CUDA_SUCCESS;
}
CUresult fake_cuLibraryGetKernelCount(unsigned int* count, CUlibrary) {
    *count = static_cast<unsigned int>(fake().kernels.size());
    return fake().enter("cuLibraryGetKernelCount");
}
CUresult fake_cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int count, CUlibrary) {
    for (const auto& [name, parameters] : fake().kernels) {
        if (count-- == 0) break;
        *kernels++ = reinterpret_cast<CUkernel>(const_cast<std::string*>(&name));
    }
    return fake().enter("cuLibraryEnumerateKernels");
}
CUresult fake_cuKernelGetName(const char** name, CUkernel kernel) {
    *name = kernel_name(kernel)->c_str();
    return fake().enter("cuKernelGetName");
}
CUresult fake_cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* size) {
    const CUresult result = fake().enter("cuKernelGetParamInfo");
    if (result != CUDA_SUCCESS) return result;
    const std::vector<size_t>& sizes = fake().kernels.at(*kernel_name(kernel));
    if (index >= sizes.size()) return CUDA_ERROR_INVALID_VALUE;
    *offset = 8 * index;
    *size = sizes[index];
    return CUDA_SUCCESS;
}
CUresult fake_cuKernelGetAttribute(int* value, CUfunction_attribute, CUkernel, CUdevice) {
    *value = 512;
    return fake().enter("cuKernelGetAttribute");
}
// The function stands for the kernel's name, too, and is another handle.
std::map<const void*, std::string>& functions() {
    static std::map<const void*, std::string> known;
    return known;
}
CUresult fake_cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
    const CUresult result = fake().enter("cuKernelGetFunction");
    if (result != CUDA_SUCCESS) return result;
    const void* const handle = reinterpret_cast<const char*>(kernel) + 1;
    functions()[handle] = *kernel_name(kernel);
    *function = static_cast<CUfunction>(const_cast<void*>(handle));
    return CUDA_SUCCESS;
}
CUresult fake_cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                     const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                     CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
    return fake().enter("cuTensorMapEncodeTiled");
}
CUresult fake_cuTensorMapEncodeIm2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                      const cuuint64_t*, const int*, const int*, cuuint32_t, cuuint32_t,
                                      const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                      CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
    return fake().enter("cuTensorMapEncodeIm2col");
}
#if CUDA_VERSION >= 12080
CUresult fake_cuTensorMapEncodeIm2colWide(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                          const cuuint64_t*, int, int, cuuint32_t, cuuint32_t, const cuuint32_t*,
                                          CUtensorMapInterleave, CUtensorMapIm2ColWideMode, CUtensorMapSwizzle,
                                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
    return fake().enter("cuTensorMapEncodeIm2colWide");
}
#endif
CUresult fake_cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void**) {
    const CUresult result = fake().enter("cuLaunchKernelEx");
    if (result != CUDA_SUCCESS) return result;
    const auto found = functions().find(function);
    fake().last_was_function = found != functions().end();
    const std::string name =
        fake().last_was_function ? found->second : *kernel_name(reinterpret_cast<CUkernel>(function));
    const size_t count = fake().kernels.at(name).size();
    fake().last_parameters.assign(parameters, parameters + count);
    fake().last_parameter_array = static_cast<const void*>(parameters);
    fake().last_stream = config->hStream;
    return CUDA_SUCCESS;
}

}  // namespace

FakeDriver::FakeDriver() {
    if (the_driver != nullptr) throw std::logic_error("one fake driver at a time");
    the_driver = this;
    make_current(nullptr);
    const auto put = [this](const char* name, auto* function) {
        overrides_.emplace_back(bindings::driver::library(), name, function);
    };
    put("cuInit", &fake_cuInit);
    put("cuDeviceGetCount", &fake_cuDeviceGetCount);
    put("cuDeviceGet", &fake_cuDeviceGet);
    put("cuDeviceGetName", &fake_cuDeviceGetName);
    put("cuDeviceGetUuid", &fake_cuDeviceGetUuid);
    put("cuDeviceGetAttribute", &fake_cuDeviceGetAttribute);
    put("cuDevicePrimaryCtxRetain", &fake_cuDevicePrimaryCtxRetain);
    put("cuCtxGetCurrent", &fake_cuCtxGetCurrent);
    put("cuCtxPushCurrent", &fake_cuCtxPushCurrent);
    put("cuCtxPopCurrent", &fake_cuCtxPopCurrent);
    put("cuCtxSetCurrent", &fake_cuCtxSetCurrent);
    put("cuCtxSynchronize", &fake_cuCtxSynchronize);
    put("cuCtxGetDevice", &fake_cuCtxGetDevice);
    put("cuGetErrorName", &fake_cuGetErrorName);
    put("cuGetErrorString", &fake_cuGetErrorString);
    put("cuLogsCurrent", &fake_cuLogsCurrent);
    put("cuLogsDumpToMemory", &fake_cuLogsDumpToMemory);
    put("cuStreamCreateWithPriority", &fake_cuStreamCreateWithPriority);
    put("cuStreamDestroy", &fake_cuStreamDestroy);
    put("cuThreadExchangeStreamCaptureMode", &fake_cuThreadExchangeStreamCaptureMode);
    put("cuStreamIsCapturing", &fake_cuStreamIsCapturing);
    put("cuStreamSynchronize", &fake_cuStreamSynchronize);
    put("cuStreamQuery", &fake_cuStreamQuery);
    put("cuStreamGetCtx", &fake_cuStreamGetCtx);
    put("cuStreamGetFlags", &fake_cuStreamGetFlags);
    put("cuStreamGetPriority", &fake_cuStreamGetPriority);
    put("cuStreamWaitEvent", &fake_cuStreamWaitEvent);
    put("cuEventCreate", &fake_cuEventCreate);
    put("cuEventDestroy", &fake_cuEventDestroy);
    put("cuEventRecord", &fake_cuEventRecord);
    put("cuEventQuery", &fake_cuEventQuery);
    put("cuEventSynchronize", &fake_cuEventSynchronize);
    put("cuEventElapsedTime", &fake_cuEventElapsedTime);
    put("cuMemAlloc", &fake_cuMemAlloc);
    put("cuMemFree", &fake_cuMemFree);
    put("cuMemHostAlloc", &fake_cuMemHostAlloc);
    put("cuMemFreeHost", &fake_cuMemFreeHost);
    put("cuMemAllocAsync", &fake_cuMemAllocAsync);
    put("cuMemFreeAsync", &fake_cuMemFreeAsync);
    put("cuMemGetInfo", &fake_cuMemGetInfo);
    put("cuMemcpyHtoD", &fake_cuMemcpyHtoD);
    put("cuMemcpyDtoH", &fake_cuMemcpyDtoH);
    put("cuMemcpyHtoDAsync", &fake_cuMemcpyHtoDAsync);
    put("cuMemcpyDtoHAsync", &fake_cuMemcpyDtoHAsync);
    put("cuMemcpyDtoDAsync", &fake_cuMemcpyDtoDAsync);
    put("cuMemsetD8Async", &fake_cuMemsetD8Async);
    put("cuLibraryLoadData", &fake_cuLibraryLoadData);
    put("cuLibraryUnload", &fake_cuLibraryUnload);
    put("cuLibraryGetKernel", &fake_cuLibraryGetKernel);
    put("cuLibraryGetKernelCount", &fake_cuLibraryGetKernelCount);
    put("cuLibraryEnumerateKernels", &fake_cuLibraryEnumerateKernels);
    put("cuKernelGetName", &fake_cuKernelGetName);
    put("cuKernelGetParamInfo", &fake_cuKernelGetParamInfo);
    put("cuKernelGetAttribute", &fake_cuKernelGetAttribute);
    put("cuKernelGetFunction", &fake_cuKernelGetFunction);
    put("cuTensorMapEncodeTiled", &fake_cuTensorMapEncodeTiled);
    put("cuTensorMapEncodeIm2col", &fake_cuTensorMapEncodeIm2col);
#if CUDA_VERSION >= 12080
    put("cuTensorMapEncodeIm2colWide", &fake_cuTensorMapEncodeIm2colWide);
#endif
    put("cuLaunchKernelEx", &fake_cuLaunchKernelEx);
}

FakeDriver::~FakeDriver() {
    while (!overrides_.empty())
        overrides_.pop_back();
    make_current(nullptr);
    the_driver = nullptr;
}

FakeDriver& FakeDriver::instance() {
    return *the_driver;
}

CUcontext FakeDriver::primary_context(int device) {
    static char contexts[device_count];
    return reinterpret_cast<CUcontext>(&contexts[device]);
}

CUcontext FakeDriver::foreign_context() {
    static char context;
    return reinterpret_cast<CUcontext>(&context);
}

void FakeDriver::fail(const std::string& function, CUresult result, const std::string& log_line, int skip) {
    const std::lock_guard lock(mutex);
    failures_[function] = {result, log_line, skip, false};
}

void FakeDriver::fail_always(const std::string& function, CUresult result) {
    const std::lock_guard lock(mutex);
    failures_[function] = {result, "", 0, true};
}

std::vector<Call> FakeDriver::calls() const {
    const std::lock_guard lock(mutex);
    return calls_;
}

int FakeDriver::count(const std::string& function) const {
    const std::lock_guard lock(mutex);
    return static_cast<int>(
        std::count_if(calls_.begin(), calls_.end(), [&](const Call& call) { return call.function == function; }));
}

void FakeDriver::forget_calls() {
    const std::lock_guard lock(mutex);
    calls_.clear();
}

int FakeDriver::position_of(const std::string& function) const {
    const std::lock_guard lock(mutex);
    const auto found =
        std::find_if(calls_.begin(), calls_.end(), [&](const Call& call) { return call.function == function; });
    return found == calls_.end() ? -1 : static_cast<int>(std::distance(calls_.begin(), found));
}

CUresult FakeDriver::enter(const char* function) {
    const std::lock_guard lock(mutex);
    calls_.push_back({function, current_context()});
    const auto found = failures_.find(function);
    if (found == failures_.end()) return CUDA_SUCCESS;
    if (found->second.skip-- > 0) return CUDA_SUCCESS;
    const Failure failure = found->second;
    if (!failure.always) failures_.erase(found);
    if (!failure.log_line.empty()) log_ += failure.log_line + "\n";
    return failure.result;
}

uint64_t FakeDriver::create(const std::string& kind) {
    const std::lock_guard lock(mutex);
    next_handle_ += 0x100;
    live_[kind].insert(next_handle_);
    return next_handle_;
}

CUresult FakeDriver::destroy(const std::string& kind, uint64_t handle) {
    const std::lock_guard lock(mutex);
    return live_[kind].erase(handle) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

std::string FakeDriver::take_log() {
    const std::lock_guard lock(mutex);
    return std::exchange(log_, {});
}

CUcontext current_context() {
    return context_stack.empty() ? nullptr : context_stack.back();
}

void make_current(CUcontext context) {
    context_stack.clear();
    if (context != nullptr) context_stack.push_back(context);
}

}  // namespace cuprum::test
