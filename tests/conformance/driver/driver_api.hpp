// The CUDA driver under test: a libcuda opened at run time, the simulator's or a GPU's.
//
// CUPRUM_TEST_DRIVER names the library; without it the simulator of this build is used.
#pragma once

#include <cuda.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cuprum::test {

// Functions that the tests call, under the names that cuda.h's macros give them (cuMemAlloc is cuMemAlloc_v2).
// clang-format off: it does not settle on a layout
#define CUPRUM_TESTED_FUNCTIONS(VISIT)                                                                                                     \
    VISIT(cuInit)                                                                                                                          \
    VISIT(cuDriverGetVersion)                                                                                                              \
    VISIT(cuGetErrorName)                                                                                                                  \
    VISIT(cuGetErrorString)                                                                                                                \
    VISIT(cuDeviceGet)                                                                                                                     \
    VISIT(cuDeviceGetCount)                                                                                                                \
    VISIT(cuDeviceGetName)                                                                                                                 \
    VISIT(cuDeviceGetUuid) VISIT(cuDeviceTotalMem) VISIT(cuDeviceGetAttribute) VISIT(cuDeviceGetPCIBusId) VISIT(                           \
        cuDeviceGetByPCIBusId) VISIT(cuDeviceGetDefaultMemPool) VISIT(cuDeviceGetMemPool) VISIT(cuDeviceSetMemPool)                        \
        VISIT(cuDevicePrimaryCtxRetain) VISIT(cuDevicePrimaryCtxRelease) VISIT(cuDevicePrimaryCtxReset) VISIT(                             \
            cuDevicePrimaryCtxSetFlags) VISIT(cuDevicePrimaryCtxGetState) VISIT(cuCtxCreate) VISIT(cuCtxDestroy)                           \
            VISIT(cuCtxPushCurrent) VISIT(cuCtxPopCurrent) VISIT(cuCtxSetCurrent) VISIT(cuCtxGetCurrent) VISIT(                            \
                cuCtxGetDevice) VISIT(cuCtxGetFlags) VISIT(cuCtxGetId) VISIT(cuCtxSynchronize) VISIT(cuCtxGetLimit)                        \
                VISIT(cuCtxSetLimit) VISIT(cuCtxGetApiVersion) VISIT(cuCtxGetStreamPriorityRange) VISIT(                                   \
                    cuCtxGetCacheConfig) VISIT(cuCtxSetCacheConfig) VISIT(cuModuleLoadData) VISIT(cuModuleLoadDataEx)                      \
                    VISIT(cuModuleLoad) VISIT(cuModuleUnload) VISIT(cuModuleGetFunction) VISIT(cuModuleGetGlobal) VISIT(                   \
                        cuModuleGetFunctionCount) VISIT(cuModuleEnumerateFunctions) VISIT(cuLibraryLoadData)                               \
                        VISIT(cuLibraryLoadFromFile) VISIT(cuLibraryUnload) VISIT(cuLibraryGetKernel) VISIT(                               \
                            cuLibraryGetModule) VISIT(cuLibraryGetGlobal) VISIT(cuLibraryGetKernelCount)                                   \
                            VISIT(cuLibraryEnumerateKernels) VISIT(cuKernelGetFunction) VISIT(cuKernelGetAttribute) VISIT(                 \
                                cuKernelSetAttribute) VISIT(cuKernelGetName) VISIT(cuKernelGetParamInfo)                                   \
                                VISIT(cuKernelGetLibrary) VISIT(cuFuncGetAttribute) VISIT(cuFuncSetAttribute) VISIT(                       \
                                    cuFuncGetModule) VISIT(cuFuncGetName) VISIT(cuFuncGetParamInfo) VISIT(cuFuncIsLoaded)                  \
                                    VISIT(cuFuncLoad) VISIT(cuMemGetInfo) VISIT(cuMemAlloc) VISIT(cuMemAllocPitch) VISIT(                  \
                                        cuMemFree) VISIT(cuMemGetAddressRange) VISIT(cuMemAllocHost) VISIT(cuMemHostAlloc)                 \
                                        VISIT(cuMemFreeHost) VISIT(cuMemHostGetDevicePointer) VISIT(cuMemHostGetFlags) VISIT(              \
                                            cuMemHostRegister) VISIT(cuMemHostUnregister) VISIT(cuMemAllocManaged)                         \
                                            VISIT(cuPointerGetAttribute) VISIT(cuPointerGetAttributes) VISIT(cuMemcpy) VISIT(              \
                                                cuMemcpyAsync) VISIT(cuMemcpyHtoD) VISIT(cuMemcpyDtoH) VISIT(cuMemcpyDtoD)                 \
                                                VISIT(cuMemcpyHtoDAsync) VISIT(cuMemcpyDtoHAsync) VISIT(                                   \
                                                    cuMemcpyDtoDAsync) VISIT(cuMemcpy2D) VISIT(cuMemcpy3D) VISIT(cuMemsetD8)               \
                                                    VISIT(cuMemsetD16) VISIT(cuMemsetD32) VISIT(cuMemsetD2D32) VISIT(                      \
                                                        cuMemsetD8Async) VISIT(cuMemsetD32Async) VISIT(cuMemAllocAsync)                    \
                                                        VISIT(cuMemFreeAsync) VISIT(cuMemAllocFromPoolAsync) VISIT(                        \
                                                            cuMemPoolCreate) VISIT(cuMemPoolDestroy)                                       \
                                                            VISIT(cuMemPoolGetAttribute) VISIT(cuMemPoolSetAttribute) VISIT(               \
                                                                cuMemPoolTrimTo) VISIT(cuStreamCreate) VISIT(cuStreamCreateWithPriority)   \
                                                                VISIT(cuStreamDestroy) VISIT(cuStreamSynchronize) VISIT(                   \
                                                                    cuStreamQuery) VISIT(cuStreamWaitEvent)                                \
                                                                    VISIT(cuStreamAddCallback) VISIT(cuLaunchHostFunc) VISIT(              \
                                                                        cuStreamGetCtx) VISIT(cuStreamGetFlags) VISIT(cuStreamGetPriority) \
                                                                        VISIT(cuStreamGetId) VISIT(cuStreamGetDevice) VISIT(               \
                                                                            cuStreamIsCapturing) VISIT(cuEventCreate)                      \
                                                                            VISIT(cuEventDestroy) VISIT(cuEventRecord) VISIT(              \
                                                                                cuEventQuery) VISIT(cuEventSynchronize)                    \
                                                                                VISIT(cuEventElapsedTime) VISIT(                           \
                                                                                    cuLaunchKernel) VISIT(cuLaunchKernelEx)                \
                                                                                    VISIT(cuLaunchCooperativeKernel) VISIT(                \
                                                                                        cuOccupancyMaxActiveBlocksPerMultiprocessor)       \
                                                                                        VISIT(                                             \
                                                                                            cuOccupancyMaxPotentialBlockSize)              \
                                                                                            VISIT(                                         \
                                                                                                cuOccupancyAvailableDynamicSMemPerBlock)   \
                                                                                                VISIT(cuGetProcAddress) VISIT(             \
                                                                                                    cuLogsRegisterCallback)                \
                                                                                                    VISIT(                                 \
                                                                                                        cuLogsUnregisterCallback)          \
                                                                                                        VISIT(                             \
                                                                                                            cuLogsCurrent)                 \
                                                                                                            VISIT(                         \
                                                                                                                cuLogsDumpToMemory)        \
                                                                                                                VISIT(                     \
                                                                                                                    cuLogsDumpToFile)
// clang-format on

struct DriverApi {
#define CUPRUM_MEMBER(name) decltype(&::name) name = nullptr;
    CUPRUM_TESTED_FUNCTIONS(CUPRUM_MEMBER)
#undef CUPRUM_MEMBER

    void* library = nullptr;
    std::string path;
    bool simulated = false;  // the device's name says so
    // Any exported symbol; null if there is none.
    void* symbol(const char* name) const;
};

// Opened and initialised at the first call; ends the program with a message if that fails.
const DriverApi& cu();

// "CUDA_ERROR_INVALID_VALUE (1)".
std::string name_of(CUresult code);

// For EXPECT_THAT-free checks that show both codes by name.
testing::AssertionResult is_code(const char* expression, const char* expected_text, CUresult actual, CUresult expected);

#define EXPECT_CU(expected, call) EXPECT_PRED_FORMAT2(::cuprum::test::is_code, call, expected)
#define ASSERT_CU(expected, call) ASSERT_PRED_FORMAT2(::cuprum::test::is_code, call, expected)
#define EXPECT_OK(call) EXPECT_CU(CUDA_SUCCESS, call)
#define ASSERT_OK(call) ASSERT_CU(CUDA_SUCCESS, call)

// tests/data.
std::string data_folder();
// The text of tests/data/ptx/<name>.
std::string ptx(const std::string& name);

// A retained and current primary context of device 0, the tests' kernels loaded on demand.
class DriverTest : public testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    CUfunction function(const char* name);
    CUmodule module();
    CUstream new_stream(unsigned int flags = CU_STREAM_NON_BLOCKING);
    CUevent new_event(unsigned int flags = CU_EVENT_DEFAULT);
    CUdeviceptr allocate(size_t bytes);
    template <typename Value>
    CUdeviceptr upload(const std::vector<Value>& values) {
        const CUdeviceptr pointer = allocate(values.size() * sizeof(Value));
        EXPECT_OK(cu().cuMemcpyHtoD(pointer, values.data(), values.size() * sizeof(Value)));
        return pointer;
    }
    template <typename Value>
    std::vector<Value> download(CUdeviceptr pointer, size_t count) {
        std::vector<Value> values(count);
        EXPECT_OK(cu().cuMemcpyDtoH(values.data(), pointer, count * sizeof(Value)));
        return values;
    }
    CUresult launch(CUfunction kernel, unsigned int grid, unsigned int block, CUstream stream,
                    std::vector<void*> parameters, unsigned int shared_bytes = 0) {
        return cu().cuLaunchKernel(kernel, grid, 1, 1, block, 1, 1, shared_bytes, stream, parameters.data(), nullptr);
    }

    CUdevice device = 0;
    CUcontext context = nullptr;

private:
    CUmodule module_ = nullptr;
    std::vector<CUstream> streams_;
    std::vector<CUevent> events_;
    std::vector<CUdeviceptr> memory_;
};

// A host function in a stream that waits until the gate is opened: what is behind it cannot start before.
class Gate {
public:
    Gate();
    // Opens the gate. The stream must have been synchronised before the next call of close_in.
    ~Gate();
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    void close_in(CUstream stream);
    void open();

private:
    struct State;
    std::shared_ptr<State> state_;
};

// A fault of a kernel puts a GPU out of service for the rest of the process, so tests of faults run in processes of
// their own: true in such a process; elsewhere runs the current test in one, expects it to pass there, and returns
// false. `environment` is added to the new process's.
bool in_process_of_its_own(const std::vector<std::string>& environment = {});

}  // namespace cuprum::test
