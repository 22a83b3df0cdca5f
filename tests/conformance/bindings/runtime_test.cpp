// The CUDA runtime. It opens the system's own driver, so there are effects where there is a GPU.
#include "cuprum/bindings/runtime.hpp"

#include <cstdlib>
#include <numeric>

#include "fixture.hpp"

namespace cuprum::bindings::test {
namespace {

TEST(Runtime, SaysItsVersionWithoutADevice) {
    int version = 0;
    ASSERT_OK(runtime::cudaRuntimeGetVersion(&version));
    EXPECT_EQ(version, runtime::version());
    EXPECT_STREQ(runtime::cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
    EXPECT_NE(runtime::cudaGetErrorString(cudaErrorInvalidValue), nullptr);
    const cudaChannelFormatDesc description = runtime::cudaCreateChannelDesc(32, 8, 0, 0, cudaChannelFormatKindFloat);
    EXPECT_EQ(description.y, 8);
    EXPECT_EQ(description.f, cudaChannelFormatKindFloat);
}

class RuntimeOnGpu : public testing::Test {
protected:
    void SetUp() override {
        if (driver::is_simulator()) {
            GTEST_SKIP() << "libcudart starts on a GPU's driver only";
        }
    }
};

TEST_F(RuntimeOnGpu, DevicesHaveProperties) {
    int count = 0;
    ASSERT_OK(runtime::cudaGetDeviceCount(&count));
    EXPECT_GE(count, 1);
    ASSERT_OK(runtime::cudaSetDevice(0));
    int device = -1;
    ASSERT_OK(runtime::cudaGetDevice(&device));
    EXPECT_EQ(device, 0);
    cudaDeviceProp properties{};
    ASSERT_OK(runtime::cudaGetDeviceProperties(&properties, 0));
    EXPECT_EQ(properties.warpSize, 32);
    int warp = 0;
    ASSERT_OK(runtime::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
    EXPECT_EQ(warp, 32);
    EXPECT_EQ(runtime::cudaSetDevice(4711), cudaErrorInvalidDevice);
    EXPECT_EQ(runtime::cudaPeekAtLastError(), cudaErrorInvalidDevice);
    EXPECT_EQ(runtime::cudaGetLastError(), cudaErrorInvalidDevice);
    EXPECT_EQ(runtime::cudaGetLastError(), cudaSuccess);
}

TEST_F(RuntimeOnGpu, StreamsCopyAndFillMemory) {
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
    EXPECT_OK(runtime::cudaStreamDestroy(stream));
}

TEST_F(RuntimeOnGpu, EventsTellTime) {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    ASSERT_OK(runtime::cudaEventCreate(&begin));
    ASSERT_OK(runtime::cudaEventCreateWithFlags(&end, cudaEventDefault));
    EXPECT_OK(runtime::cudaEventRecord(begin, nullptr));
    EXPECT_OK(runtime::cudaEventRecord(end, nullptr));
    EXPECT_OK(runtime::cudaEventSynchronize(end));
    float milliseconds = -1;
    EXPECT_OK(runtime::cudaEventElapsedTime(&milliseconds, begin, end));
    EXPECT_GE(milliseconds, 0);
    EXPECT_OK(runtime::cudaEventDestroy(begin));
    EXPECT_OK(runtime::cudaEventDestroy(end));
}

#if CUDA_VERSION >= 12080
TEST_F(RuntimeOnGpu, LibrariesOfKernelsAreLaunched) {
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
