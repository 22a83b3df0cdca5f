#include <numeric>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

class LaunchTest : public DriverTest {};

TEST_F(LaunchTest, SaxpyGivesWhatTheHostComputes) {
    constexpr unsigned count = 1 << 20;
    std::vector<float> x(count), y(count);
    for (unsigned index = 0; index < count; ++index) {
        x[index] = static_cast<float>(index % 1000);
        y[index] = static_cast<float>(index % 77);
    }
    CUdeviceptr device_x = upload(x), device_y = upload(y);
    const CUstream stream = new_stream();
    float a = 2.5f;
    unsigned n = count;
    ASSERT_OK(launch(function("saxpy"), (count + 255) / 256, 256, stream, {&a, &device_x, &device_y, &n}));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    const std::vector<float> result = download<float>(device_y, count);
    // All values are small multiples of 0.5, so the arithmetic is exact.
    for (unsigned index = 0; index < count; ++index) {
        ASSERT_EQ(result[index], a * x[index] + y[index]) << index;
    }
}

TEST_F(LaunchTest, ArgumentsOfEveryWidthArrive) {
    struct Pair {
        short first;
        double second;
    };
    char a = 1;
    double b = 2;
    short c = 3;
    Pair d{4, 5};
    float e = 6;
    CUdeviceptr out = allocate(48);
    ASSERT_OK(launch(function("mixed"), 1, 1, nullptr, {&a, &b, &c, &d, &e, &out}));
    EXPECT_EQ(download<unsigned long long>(out, 6), (std::vector<unsigned long long>{1, 2, 3, 4, 5, 6}));
}

TEST_F(LaunchTest, ArgumentsMayComeInOneBuffer) {
    CUdeviceptr out = allocate(40);
    struct {
        CUdeviceptr pointer;
        unsigned value;
        unsigned n;
    } packed{out, 21, 10};
    size_t size = sizeof packed;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    ASSERT_OK(cu().cuLaunchKernel(function("fill"), 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
    EXPECT_EQ(download<unsigned>(out, 10), std::vector<unsigned>(10, 21));
}

TEST_F(LaunchTest, BothFormsOfArgumentsAtOnceAreRefused) {
    CUdeviceptr out = allocate(40);
    unsigned value = 1, n = 1;
    void* parameters[] = {&out, &value, &n};
    size_t size = 16;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &out, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuLaunchKernel(function("fill"), 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, extra));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuLaunchKernel(function("fill"), 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
}

TEST_F(LaunchTest, GridsAndBlocksHaveThreeDimensions) {
    CUdeviceptr out = allocate(24 * 4);
    void* parameters[] = {&out};
    ASSERT_OK(cu().cuLaunchKernel(function("copy_dimensions"), 2, 3, 4, 4, 2, 3, 0, nullptr, parameters, nullptr));
    EXPECT_EQ(download<unsigned>(out, 24), std::vector<unsigned>(24, 40203));
}

TEST_F(LaunchTest, DimensionsBeyondTheDevicesAreInvalidValues) {
    const CUfunction nothing = function("nothing");
    const auto dimensions = [&](unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz) {
        return cu().cuLaunchKernel(nothing, gx, gy, gz, bx, by, bz, 0, nullptr, nullptr, nullptr);
    };
    EXPECT_OK(dimensions(1, 1, 1, 1024, 1, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, dimensions(1, 1, 1, 1025, 1, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, dimensions(1, 1, 1, 64, 32, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, dimensions(1, 1, 1, 1, 1, 65));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, dimensions(1, 65536, 1, 1, 1, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, dimensions(1, 1, 65536, 1, 1, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, dimensions(0, 1, 1, 1, 1, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, dimensions(1, 1, 1, 0, 1, 1));
    EXPECT_OK(cu().cuCtxSynchronize());
}

TEST_F(LaunchTest, AKernelsOwnBoundIsALimit) {
    CUdeviceptr out = allocate(4096);
    EXPECT_OK(launch(function("bounded"), 1, 128, nullptr, {&out}));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch(function("bounded"), 1, 256, nullptr, {&out}));
    EXPECT_OK(cu().cuCtxSynchronize());
}

TEST_F(LaunchTest, SharedMemoryOfTheLaunchIsUsed) {
    std::vector<unsigned> values(512);
    std::iota(values.begin(), values.end(), 0u);
    CUdeviceptr pointer = upload(values);
    ASSERT_OK(launch(function("reverse"), 1, 512, nullptr, {&pointer}, 2048));
    const std::vector<unsigned> result = download<unsigned>(pointer, 512);
    for (unsigned index = 0; index < 512; ++index) {
        EXPECT_EQ(result[index], 511 - index);
    }
}

TEST_F(LaunchTest, SharedMemoryOfTheKernelIsUsed) {
    std::vector<unsigned> values(256);
    std::iota(values.begin(), values.end(), 0u);
    CUdeviceptr pointer = upload(values);
    ASSERT_OK(launch(function("static_shared"), 1, 256, nullptr, {&pointer}));
    const std::vector<unsigned> result = download<unsigned>(pointer, 256);
    for (unsigned index = 0; index < 256; ++index) {
        EXPECT_EQ(result[index], (index + 1) % 256);
    }
}

TEST_F(LaunchTest, MuchSharedMemoryMustBeAskedFor) {
    std::vector<unsigned> values(256, 1);
    CUdeviceptr pointer = upload(values);
    const CUfunction reverse = function("reverse");
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch(reverse, 1, 256, nullptr, {&pointer}, 60 * 1024));
    ASSERT_OK(cu().cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60 * 1024));
    EXPECT_OK(launch(reverse, 1, 256, nullptr, {&pointer}, 60 * 1024));
    EXPECT_OK(cu().cuCtxSynchronize());
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
}

TEST_F(LaunchTest, TheExtendedFormTakesAttributes) {
    CUdeviceptr out = allocate(400);
    unsigned value = 31, n = 100;
    void* parameters[] = {&out, &value, &n};
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
    CUlaunchConfig config{};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 128;
    config.blockDimY = config.blockDimZ = 1;
    config.hStream = new_stream();
    config.attrs = &attribute;
    config.numAttrs = 1;
    ASSERT_OK(cu().cuLaunchKernelEx(&config, function("fill"), parameters, nullptr));
    ASSERT_OK(cu().cuStreamSynchronize(config.hStream));
    EXPECT_EQ(download<unsigned>(out, 100), std::vector<unsigned>(100, 31));
}

TEST_F(LaunchTest, RecordsTheEventsOfItsAttributes) {
    for (const CUlaunchAttributeID kind :
         {CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT}) {
        CUdeviceptr out = allocate(4);
        unsigned value = 31, n = 1;
        void* parameters[] = {&out, &value, &n};
        const CUevent event = new_event(CU_EVENT_DISABLE_TIMING);
        CUlaunchAttribute attribute{};
        attribute.id = kind;
        if (kind == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT) {
            attribute.value.programmaticEvent = {event, 0, 1};
        } else {
            attribute.value.launchCompletionEvent = {event, 0};
        }
        CUlaunchConfig config{};
        config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
        config.blockDimX = 32;
        config.hStream = new_stream();
        config.attrs = &attribute;
        config.numAttrs = 1;
        // A kernel's first launch may load it, which waits for the work before it.
        ASSERT_OK(cu().cuLaunchKernelEx(&config, function("fill"), parameters, nullptr));
        ASSERT_OK(cu().cuStreamSynchronize(config.hStream));
        Gate gate;
        gate.close_in(config.hStream);
        ASSERT_OK(cu().cuLaunchKernelEx(&config, function("fill"), parameters, nullptr));
        EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuEventQuery(event));
        gate.open();
        ASSERT_OK(cu().cuEventSynchronize(event));
        ASSERT_OK(cu().cuStreamSynchronize(config.hStream));
    }
}

TEST_F(LaunchTest, CooperativeGridsMustBeResident) {
    CUdeviceptr out = allocate(4);
    unsigned value = 1, n = 1;
    void* parameters[] = {&out, &value, &n};
    EXPECT_OK(cu().cuLaunchCooperativeKernel(function("fill"), 2, 1, 1, 64, 1, 1, 0, nullptr, parameters));
    EXPECT_CU(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
              cu().cuLaunchCooperativeKernel(function("fill"), 1 << 20, 1, 1, 64, 1, 1, 0, nullptr, parameters));
    EXPECT_OK(cu().cuCtxSynchronize());
}

TEST_F(LaunchTest, OccupancyFitsTheDevice) {
    int blocks = 0, threads_per_multiprocessor = 0, multiprocessors = 0;
    ASSERT_OK(cu().cuDeviceGetAttribute(&threads_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
                                        device));
    ASSERT_OK(cu().cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
    const CUfunction saxpy = function("saxpy");
    ASSERT_OK(cu().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, saxpy, 256, 0));
    EXPECT_EQ(blocks, threads_per_multiprocessor / 256);
    ASSERT_OK(cu().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, saxpy, 256, 40 * 1024));
    EXPECT_GE(blocks, 1);
    EXPECT_LE(blocks, 5);
    int min_grid = 0, block_size = 0;
    ASSERT_OK(cu().cuOccupancyMaxPotentialBlockSize(&min_grid, &block_size, saxpy, nullptr, 0, 0));
    EXPECT_EQ(block_size, 1024);
    EXPECT_EQ(min_grid, threads_per_multiprocessor / 1024 * multiprocessors);
    size_t bytes = 0;
    ASSERT_OK(cu().cuOccupancyAvailableDynamicSMemPerBlock(&bytes, saxpy, 2, 256));
    EXPECT_GE(bytes, size_t{16} * 1024);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, saxpy, 0, 0));
    blocks = 77;
    EXPECT_OK(cu().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, saxpy, 1025, 0));
    EXPECT_EQ(blocks, 0) << "larger than a block can be";
}

TEST_F(LaunchTest, AFunctionAndItsStreamShareAContext) {
    const CUfunction nothing = function("nothing");
    CUcontext own = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&own, nullptr, 0, device));
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&stream, 0));
    EXPECT_NE(cu().cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr), CUDA_SUCCESS);
    ASSERT_OK(cu().cuCtxDestroy(own));
}

TEST_F(LaunchTest, OccupancyTakesFlags) {
    const CUfunction saxpy = function("saxpy");
    int plain = 0, flagged = 0, grid = 0, block = 0, flagged_grid = 0, flagged_block = 0;
    ASSERT_OK(cu().cuOccupancyMaxActiveBlocksPerMultiprocessor(&plain, saxpy, 128, 0));
    ASSERT_OK(cu().cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&flagged, saxpy, 128, 0,
                                                                        CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE));
    EXPECT_EQ(plain, flagged);
    const auto shared_for = [](int threads) { return static_cast<size_t>(threads) * 16; };
    ASSERT_OK(cu().cuOccupancyMaxPotentialBlockSize(&grid, &block, saxpy, shared_for, 0, 512));
    ASSERT_OK(cu().cuOccupancyMaxPotentialBlockSizeWithFlags(&flagged_grid, &flagged_block, saxpy, shared_for, 0, 512,
                                                             CU_OCCUPANCY_DEFAULT));
    EXPECT_EQ(grid, flagged_grid);
    EXPECT_EQ(block, flagged_block);
    EXPECT_LE(block, 512);
}

}  // namespace
}  // namespace cuprum::test
