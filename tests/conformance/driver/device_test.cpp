#include <cstring>
#include <set>
#include <string>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

int attribute(CUdevice_attribute which, CUdevice device = 0) {
    int value = -1;
    EXPECT_OK(cu().cuDeviceGetAttribute(&value, which, device));
    return value;
}

TEST(DeviceTest, ThereIsAtLeastOneWithANameAndMemory) {
    int count = 0;
    ASSERT_OK(cu().cuDeviceGetCount(&count));
    ASSERT_GE(count, 1);
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        CUdevice device = -1;
        ASSERT_OK(cu().cuDeviceGet(&device, ordinal));
        char name[100] = "";
        EXPECT_OK(cu().cuDeviceGetName(name, sizeof name, device));
        EXPECT_STRNE(name, "");
        size_t bytes = 0;
        EXPECT_OK(cu().cuDeviceTotalMem(&bytes, device));
        EXPECT_GE(bytes, size_t{16} << 20);
    }
}

TEST(DeviceTest, TheDriversVersionIsThatOfThisToolkitOrNewer) {
    int version = 0;
    ASSERT_OK(cu().cuDriverGetVersion(&version));
    EXPECT_GE(version, 13000);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuDriverGetVersion(nullptr));
}

TEST(DeviceTest, OrdinalsBeyondTheLastAreInvalid) {
    int count = 0;
    ASSERT_OK(cu().cuDeviceGetCount(&count));
    CUdevice device = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu().cuDeviceGet(&device, count));
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu().cuDeviceGet(&device, -1));
    int value = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu().cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, count));
    size_t bytes = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu().cuDeviceTotalMem(&bytes, count));
}

TEST(DeviceTest, NullPointersAreInvalidValues) {
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuDeviceGetCount(nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuDeviceGet(nullptr, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
}

TEST(DeviceTest, NamesAreCutToTheRoomThereIs) {
    char name[9] = "";
    ASSERT_OK(cu().cuDeviceGetName(name, sizeof name, 0));
    EXPECT_EQ(std::strlen(name), sizeof name - 1);
}

TEST(DeviceTest, AttributesFitTogether) {
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE), 32);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z), 64);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), 2147483647);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y), 65535);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK), 48 * 1024);
    EXPECT_GE(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), 64 * 1024);
    EXPECT_GE(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), 7);
    EXPECT_GE(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), 1);
    EXPECT_GE(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR), 1024);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING), 1);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED), 1);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH), 1);
}

TEST(DeviceTest, AttributesThatDoNotExistAreInvalidValues) {
    int value = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(250), 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), 0));
}

TEST(DeviceTest, EveryAttributeOfTheHeaderCanBeAskedFor) {
    for (int which = 1; which < CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED; ++which) {
        int value = 0;
        EXPECT_OK(cu().cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(which), 0)) << which;
    }
}

TEST(DeviceTest, UniversalIdentifiersDiffer) {
    int count = 0;
    ASSERT_OK(cu().cuDeviceGetCount(&count));
    std::set<std::string> seen;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        CUuuid uuid{};
        ASSERT_OK(cu().cuDeviceGetUuid(&uuid, ordinal));
        seen.insert(std::string(uuid.bytes, sizeof uuid.bytes));
    }
    EXPECT_EQ(seen.size(), static_cast<size_t>(count));
}

TEST(DeviceTest, IsFoundAgainByItsBusIdentifier) {
    char identifier[32] = "";
    ASSERT_OK(cu().cuDeviceGetPCIBusId(identifier, sizeof identifier, 0));
    CUdevice found = -1;
    ASSERT_OK(cu().cuDeviceGetByPCIBusId(&found, identifier));
    EXPECT_EQ(found, 0);
    EXPECT_NE(cu().cuDeviceGetByPCIBusId(&found, "no bus"), CUDA_SUCCESS);
}

TEST(ErrorTest, CodesHaveNamesAndDescriptions) {
    const char* text = nullptr;
    ASSERT_OK(cu().cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
    ASSERT_OK(cu().cuGetErrorName(CUDA_SUCCESS, &text));
    EXPECT_STREQ(text, "CUDA_SUCCESS");
    ASSERT_OK(cu().cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    EXPECT_STREQ(text, "an illegal memory access was encountered");
    ASSERT_OK(cu().cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    EXPECT_STREQ(text, "invalid argument");
}

class DeviceQueryTest : public DriverTest {};

TEST_F(DeviceQueryTest, AtomicsOnTheHostsMemoryAreListed) {
    const CUatomicOperation operations[] = {CU_ATOMIC_OPERATION_INTEGER_ADD, CU_ATOMIC_OPERATION_CAS};
    unsigned int capabilities[2] = {1000, 1000};
    ASSERT_OK(cu().cuDeviceGetHostAtomicCapabilities(capabilities, operations, 2, device));
    int native = -1;
    ASSERT_OK(cu().cuDeviceGetAttribute(&native, CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, device));
    EXPECT_EQ(capabilities[0] != 0, native != 0);
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE,
              cu().cuDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, device, device));
}

TEST_F(DeviceQueryTest, AContextRunsOnAllMultiprocessors) {
    CUexecAffinityParam affinity{};
    ASSERT_OK(cu().cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    int multiprocessors = 0;
    ASSERT_OK(cu().cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
    EXPECT_EQ(affinity.param.smCount.val, static_cast<unsigned int>(multiprocessors));
}

TEST_F(DeviceQueryTest, LuidsAreWindowss) {
    char luid[8];
    unsigned int nodes = 0;
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuDeviceGetLuid(luid, &nodes, device));
}

TEST_F(DeviceQueryTest, WritesOfOtherDevicesAreFlushedWhereTheHostMay) {
    int options = 0;
    ASSERT_OK(cu().cuDeviceGetAttribute(&options, CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS, device));
    const bool by_host = (options & CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST) != 0;
    EXPECT_CU(by_host ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED,
              cu().cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                              CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                              static_cast<CUflushGPUDirectRDMAWritesScope>(7)));
}

TEST(ErrorTest, NumbersThatAreNoCodeHaveNone) {
    const char* text = "before";
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGetErrorName(static_cast<CUresult>(1000), &text));
    EXPECT_EQ(text, nullptr);
    text = "before";
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGetErrorString(static_cast<CUresult>(1000), &text));
    EXPECT_EQ(text, nullptr);
}

TEST(DeviceTest, TheFormsFromBeforeAttributesAgreeWithThem) {
    // Deprecated: cuda.h's declarations would be warned of.
    const auto capability =
        reinterpret_cast<CUresult (*)(int*, int*, CUdevice)>(cu().symbol("cuDeviceComputeCapability"));
    const auto get_properties =
        reinterpret_cast<CUresult (*)(CUdevprop*, CUdevice)>(cu().symbol("cuDeviceGetProperties"));
    int major = 0, minor = 0;
    ASSERT_OK(capability(&major, &minor, 0));
    EXPECT_EQ(major, attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
    EXPECT_EQ(minor, attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    CUdevprop properties{};
    ASSERT_OK(get_properties(&properties, 0));
    EXPECT_EQ(properties.maxThreadsPerBlock, attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
    EXPECT_EQ(properties.maxGridSize[1], attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y));
    EXPECT_EQ(properties.sharedMemPerBlock, attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
    EXPECT_EQ(properties.SIMDWidth, attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE));
    EXPECT_EQ(properties.regsPerBlock, attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK));
}

}  // namespace
}  // namespace cuprum::test
