// The CUDA runtime: libcudart on a GPU, its companion on the simulator.
#include "cuprum/bindings/runtime.hpp"

#include <chrono>
#include <numeric>
#include <thread>

#include "fixture.hpp"

namespace cuprum::bindings::test {
namespace {

TEST(Runtime, SaysItsVersionWithoutADevice) {
    const Shows shows{"cudaGetErrorString"};
    int version = 0;
    ASSERT_OK(runtime::cudaRuntimeGetVersion(&version));
    EXPECT_EQ(version, runtime::version());
    EXPECT_STREQ(runtime::cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
    EXPECT_STREQ(runtime::cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
    const cudaChannelFormatDesc description = runtime::cudaCreateChannelDesc(32, 8, 0, 0, cudaChannelFormatKindFloat);
    EXPECT_EQ(description.y, 8);
    EXPECT_EQ(description.f, cudaChannelFormatKindFloat);
}

TEST(Runtime, DevicesAreChosen) {
    const Shows shows{"cudaGetDeviceCount",     "cudaSetDevice",    "cudaGetDevice",
                      "cudaDeviceGetAttribute", "cudaGetLastError", "cudaPeekAtLastError"};
    int count = 0;
    ASSERT_OK(runtime::cudaGetDeviceCount(&count));
    EXPECT_GE(count, 1);
    ASSERT_OK(runtime::cudaSetDevice(count - 1));
    int device = -1;
    ASSERT_OK(runtime::cudaGetDevice(&device));
    EXPECT_EQ(device, count - 1);
    ASSERT_OK(runtime::cudaSetDevice(0));
    ASSERT_OK(runtime::cudaGetDevice(&device));
    EXPECT_EQ(device, 0);
    int warp = 0;
    ASSERT_OK(runtime::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
    EXPECT_EQ(warp, 32);
    EXPECT_EQ(runtime::cudaSetDevice(4711), cudaErrorInvalidDevice);
    EXPECT_EQ(runtime::cudaPeekAtLastError(), cudaErrorInvalidDevice);
    EXPECT_EQ(runtime::cudaGetLastError(), cudaErrorInvalidDevice);
    EXPECT_EQ(runtime::cudaPeekAtLastError(), cudaSuccess);
    EXPECT_EQ(runtime::cudaGetLastError(), cudaSuccess);
}

TEST(Runtime, DevicesHaveProperties) {
    const Shows shows{"cudaGetDeviceProperties"};
    cudaDeviceProp properties{};
    // CUDA 13 has rearranged them: a libcudart of another major version would fill other members.
    if (runtime::version() / 1000 != CUDART_VERSION / 1000) {
        EXPECT_EQ(runtime::cudaGetDeviceProperties(&properties, 0), cudaErrorSymbolNotFound);
        GTEST_SKIP() << "libcudart has another major version than the headers, and is refused";
    }
    ASSERT_OK(runtime::cudaGetDeviceProperties(&properties, 0));
    EXPECT_EQ(properties.warpSize, 32);
}

TEST(Runtime, StreamsCopyAndFillMemory) {
    const Shows shows{
        "cudaStreamCreateWithFlags", "cudaStreamSynchronize", "cudaStreamDestroy", "cudaMalloc", "cudaFree",
        "cudaMemcpyAsync",           "cudaMemsetAsync",       "cudaMemGetInfo"};
    std::vector<int> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::size_t bytes = numbers.size() * sizeof numbers[0];
    cudaStream_t stream = nullptr;
    void* memory = nullptr;
    ASSERT_OK(runtime::cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    ASSERT_OK(runtime::cudaMalloc(&memory, bytes));
    EXPECT_OK(runtime::cudaMemcpyAsync(memory, numbers.data(), bytes, cudaMemcpyHostToDevice, stream));
    EXPECT_OK(runtime::cudaMemsetAsync(memory, 0, 400, stream));
    std::vector<int> back(numbers.size());
    EXPECT_OK(runtime::cudaMemcpyAsync(back.data(), memory, bytes, cudaMemcpyDeviceToHost, stream));
    EXPECT_OK(runtime::cudaStreamSynchronize(stream));
    EXPECT_EQ(back[99], 0);
    EXPECT_EQ(back[100], 100);
    cudaPointerAttributes attributes{};
    EXPECT_OK(runtime::cudaPointerGetAttributes(&attributes, memory));
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
    std::size_t available = 0;
    std::size_t total = 0;
    EXPECT_OK(runtime::cudaMemGetInfo(&available, &total));
    EXPECT_LT(available, total);
    EXPECT_OK(runtime::cudaFree(memory));
    EXPECT_EQ(runtime::cudaFree(memory), cudaErrorInvalidValue);
    EXPECT_EQ(runtime::cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_OK(runtime::cudaStreamDestroy(stream));
}

TEST(Runtime, HostMemoryIsPageLocked) {
    const Shows shows{"cudaMallocHost", "cudaFreeHost", "cudaHostRegister", "cudaHostUnregister"};
    cudaPointerAttributes attributes{};
    void* host = nullptr;
    ASSERT_OK(runtime::cudaMallocHost(&host, 64));
    EXPECT_OK(runtime::cudaPointerGetAttributes(&attributes, host));
    EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
    EXPECT_OK(runtime::cudaFreeHost(host));
    alignas(4096) static unsigned char existing[8192];
    EXPECT_OK(runtime::cudaPointerGetAttributes(&attributes, existing));
    EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
    ASSERT_OK(runtime::cudaHostRegister(existing, sizeof existing, cudaHostRegisterDefault));
    EXPECT_OK(runtime::cudaPointerGetAttributes(&attributes, existing));
    EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
    EXPECT_OK(runtime::cudaHostUnregister(existing));
    EXPECT_OK(runtime::cudaPointerGetAttributes(&attributes, existing));
    EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
}

TEST(Runtime, EventsOrderStreamsAndTellTime) {
    const Shows shows{"cudaEventCreateWithFlags", "cudaEventRecord",   "cudaEventDestroy",
                      "cudaStreamWaitEvent",      "cudaMallocManaged", "cudaDeviceSynchronize"};
    cudaStream_t first = nullptr;
    cudaStream_t second = nullptr;
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    unsigned char* memory = nullptr;
    ASSERT_OK(runtime::cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    ASSERT_OK(runtime::cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    ASSERT_OK(runtime::cudaEventCreate(&begin));
    ASSERT_OK(runtime::cudaEventCreateWithFlags(&end, cudaEventDefault));
    ASSERT_OK(runtime::cudaMallocManaged(reinterpret_cast<void**>(&memory), 64, cudaMemAttachGlobal));
    EXPECT_OK(runtime::cudaEventRecord(begin, first));
    EXPECT_OK(runtime::cudaLaunchHostFunc(
        first, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }, nullptr));
    EXPECT_OK(runtime::cudaMemsetAsync(memory, 3, 64, first));
    EXPECT_OK(runtime::cudaEventRecord(end, first));
    EXPECT_OK(runtime::cudaStreamWaitEvent(second, end, 0));
    EXPECT_OK(runtime::cudaMemsetAsync(memory, 4, 32, second));
    EXPECT_OK(runtime::cudaDeviceSynchronize());
    EXPECT_EQ(memory[31], 4);  // the second stream has waited for the first
    EXPECT_EQ(memory[32], 3);
    float milliseconds = -1;
    EXPECT_OK(runtime::cudaEventElapsedTime(&milliseconds, begin, end));
    EXPECT_GE(milliseconds, 19.0F);
    EXPECT_OK(runtime::cudaFree(memory));
    EXPECT_OK(runtime::cudaEventDestroy(begin));
    EXPECT_OK(runtime::cudaEventDestroy(end));
    EXPECT_OK(runtime::cudaStreamDestroy(first));
    EXPECT_OK(runtime::cudaStreamDestroy(second));
}

TEST(Runtime, ACapturedFillIsDoneWhenItsGraphIsLaunched) {
    const Shows shows{"cudaStreamBeginCapture", "cudaStreamEndCapture"};
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    unsigned char* memory = nullptr;
    ASSERT_OK(runtime::cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    ASSERT_OK(runtime::cudaMallocManaged(reinterpret_cast<void**>(&memory), 64, cudaMemAttachGlobal));
    memory[0] = 1;
    ASSERT_OK(runtime::cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    EXPECT_OK(runtime::cudaMemsetAsync(memory, 7, 64, stream));
    ASSERT_OK(runtime::cudaStreamEndCapture(stream, &graph));
    ASSERT_OK(runtime::cudaGraphInstantiate(&executable, graph, 0));
    EXPECT_EQ(memory[0], 1) << "capturing does nothing yet";
    EXPECT_OK(runtime::cudaGraphLaunch(executable, stream));
    EXPECT_OK(runtime::cudaStreamSynchronize(stream));
    EXPECT_EQ(memory[0], 7);
    EXPECT_OK(runtime::cudaGraphExecDestroy(executable));
    EXPECT_OK(runtime::cudaGraphDestroy(graph));
    EXPECT_OK(runtime::cudaFree(memory));
    EXPECT_OK(runtime::cudaStreamDestroy(stream));
}

#if CUDA_VERSION >= 12080
TEST(Runtime, LibrariesOfKernelsAreLaunched) {
    const std::string ptx = compiled_to_ptx(add_source);
    cudaLibrary_t library = nullptr;
    cudaKernel_t kernel = nullptr;
    ASSERT_OK(runtime::cudaLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASSERT_OK(runtime::cudaLibraryGetKernel(&kernel, library, "add"));
    int* numbers = nullptr;
    unsigned int count = 10;
    int amount = 5;
    ASSERT_OK(runtime::cudaMallocManaged(reinterpret_cast<void**>(&numbers), count * sizeof(int), cudaMemAttachGlobal));
    std::fill(numbers, numbers + count, 1);
    void* arguments[] = {&numbers, &amount, &count};
    EXPECT_OK(
        runtime::cudaLaunchKernel(reinterpret_cast<const void*>(kernel), {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr));
    EXPECT_OK(runtime::cudaDeviceSynchronize());
    EXPECT_EQ(numbers[9], 6);
    EXPECT_OK(runtime::cudaFree(numbers));
    EXPECT_OK(runtime::cudaLibraryUnload(library));
}
#endif

}  // namespace
}  // namespace cuprum::bindings::test
