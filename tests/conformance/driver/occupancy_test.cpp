// Occupancy, against the formulas that NVIDIA publishes in cuda_occupancy.h.
#include <cuda_occupancy.h>

#include <sstream>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

// A kernel that holds `live` values at once, so that it needs at least as many registers.
std::string kernel_with_live_values(int live) {
    std::ostringstream text;
    text << ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry many(.param .u64 p) .maxntid 256\n{\n"
         << ".reg .b64 %d;\n.reg .b32 %r<" << live + 1 << ">;\nld.param.u64 %d, [p];\n";
    for (int value = 0; value < live; ++value) {
        text << "ld.volatile.global.u32 %r" << value << ", [%d+" << 4 * value << "];\n";
    }
    for (int value = 0; value < live; ++value) {
        text << "st.volatile.global.u32 [%d+" << 4 * (live - value) << "], %r" << value << ";\n";
    }
    text << "ret;\n}\n";
    return text.str();
}

// Each parameter is a compute capability that the simulator stands for; a GPU has its own.
class OccupancyTest : public DriverTest, public testing::WithParamInterface<const char*> {
protected:
    bool in_its_process() { return in_process_of_its_own({std::string("CUPRUM_SIM=cc=") + GetParam()}); }

    int attribute(CUdevice_attribute which) {
        int value = 0;
        EXPECT_OK(cu().cuDeviceGetAttribute(&value, which, device));
        return value;
    }

    size_t bytes(CUdevice_attribute which) { return static_cast<size_t>(attribute(which)); }

    cudaOccDeviceProp properties() {
        cudaOccDeviceProp all;
        all.computeMajor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        all.computeMinor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        all.maxThreadsPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
        all.maxThreadsPerMultiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
        all.regsPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
        all.regsPerMultiprocessor = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
        all.warpSize = attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
        all.sharedMemPerBlock = bytes(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
        all.sharedMemPerMultiprocessor = bytes(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
        all.numSms = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
        all.sharedMemPerBlockOptin = bytes(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
        all.reservedSharedMemPerBlock = bytes(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
        return all;
    }

    cudaOccFuncAttributes attributes_of(CUfunction kernel) {
        const auto one = [&](CUfunction_attribute which) {
            int value = 0;
            EXPECT_OK(cu().cuFuncGetAttribute(&value, which, kernel));
            return value;
        };
        cudaOccFuncAttributes all;
        all.maxThreadsPerBlock = one(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
        all.numRegs = one(CU_FUNC_ATTRIBUTE_NUM_REGS);
        all.sharedSizeBytes = static_cast<size_t>(one(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
        all.partitionedGCConfig = PARTITIONED_GC_OFF;
        all.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        all.maxDynamicSharedSizeBytes = static_cast<size_t>(one(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
        all.numBlockBarriers = 1;
        return all;
    }

    void compare(CUfunction kernel, const char* name) {
        const cudaOccDeviceProp device_properties = properties();
        const cudaOccFuncAttributes function_attributes = attributes_of(kernel);
        const cudaOccDeviceState state;
        for (const size_t shared : {0, 1, 127, 128, 1024, 1025, 5000, 10000, 16384, 24576, 40000, 49152, 60000}) {
            for (const int threads : {1, 32, 33, 64, 96, 128, 160, 256, 300, 384, 512, 640, 768, 1000, 1024}) {
                cudaOccResult expected{};
                const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
                    &expected, &device_properties, &function_attributes, &state, threads, shared);
                ASSERT_EQ(error, CUDA_OCC_SUCCESS);
                int blocks = -1;
                ASSERT_OK(cu().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
                EXPECT_EQ(blocks, expected.activeBlocksPerMultiprocessor)
                    << name << " with " << function_attributes.numRegs << " registers, " << threads << " threads, "
                    << shared << " bytes of dynamic shared memory";
            }
            int grid = 0, threads = 0, expected_grid = 0, expected_threads = 0;
            ASSERT_OK(cu().cuOccupancyMaxPotentialBlockSize(&grid, &threads, kernel, nullptr, shared, 0));
            ASSERT_EQ(cudaOccMaxPotentialOccupancyBlockSize(&expected_grid, &expected_threads, &device_properties,
                                                            &function_attributes, &state, nullptr, shared),
                      CUDA_OCC_SUCCESS);
            EXPECT_EQ(threads, expected_threads) << name << " with " << shared << " bytes";
            EXPECT_EQ(grid, expected_grid) << name << " with " << shared << " bytes";
        }
        for (const int threads : {32, 128, 256, 1024}) {
            int most = 0;
            ASSERT_OK(cu().cuOccupancyMaxActiveBlocksPerMultiprocessor(&most, kernel, threads, 0));
            for (int blocks = 1; blocks <= most; ++blocks) {
                size_t available = 0, expected = 0;
                ASSERT_OK(cu().cuOccupancyAvailableDynamicSMemPerBlock(&available, kernel, blocks, threads));
                ASSERT_EQ(cudaOccAvailableDynamicSMemPerBlock(&expected, &device_properties, &function_attributes,
                                                              &state, blocks, threads),
                          CUDA_OCC_SUCCESS);
                EXPECT_EQ(available, expected) << name << ", " << blocks << " blocks of " << threads;
            }
        }
    }
};

TEST_P(OccupancyTest, IsWhatNvidiasFormulasGive) {
    if (!in_its_process()) return;
    for (const char* const name : {"saxpy", "static_shared", "bounded"}) {
        compare(function(name), name);
    }
    const CUfunction raised = function("reverse");
    ASSERT_OK(cu().cuFuncSetAttribute(raised, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60 * 1024));
    compare(raised, "reverse");
    for (const int live : {20, 40, 60, 100, 160, 220}) {
        CUmodule loaded = nullptr;
        CUfunction many = nullptr;
        ASSERT_OK(cu().cuModuleLoadData(&loaded, kernel_with_live_values(live).c_str()));
        ASSERT_OK(cu().cuModuleGetFunction(&many, loaded, "many"));
        compare(many, "many");
        EXPECT_OK(cu().cuModuleUnload(loaded));
    }
}

INSTANTIATE_TEST_SUITE_P(Capabilities, OccupancyTest, testing::Values("7.5", "8.0", "8.6", "8.7", "8.9", "9.0"),
                         [](const auto& tested) {
                             const std::string name = tested.param;
                             return name.substr(0, 1) + name.substr(2);
                         });

}  // namespace
}  // namespace cuprum::test
