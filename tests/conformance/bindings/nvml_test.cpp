// NVML: the driver's, on a GPU; elsewhere the simulator's.
#include "cuprum/bindings/nvml.hpp"

#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

#include "fixture.hpp"

namespace cuprum::bindings::test {
namespace {

using testing::Each;
using testing::Gt;
using testing::HasSubstr;
using testing::MatchesRegex;

class Nvml : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(nvml::nvmlInit(), NVML_SUCCESS);
        ASSERT_EQ(nvml::nvmlDeviceGetHandleByIndex(0, &device), NVML_SUCCESS);
    }
    void TearDown() override { EXPECT_EQ(nvml::nvmlShutdown(), NVML_SUCCESS); }
    nvmlDevice_t device = nullptr;
};

TEST(NvmlLibrary, IsPartOfTheDriver) {
    EXPECT_THAT(nvml::library().path(), HasSubstr("libnvidia-ml.so"));
    EXPECT_GE(nvml::version(), 12000) << "the CUDA version that the driver supports";
    EXPECT_TRUE(nvml::loaded());
}

TEST(NvmlLibrary, IsInitialisedFirst) {
    unsigned int count = 0;
    EXPECT_EQ(nvml::nvmlDeviceGetCount(&count), NVML_ERROR_UNINITIALIZED);
    EXPECT_STREQ(nvml::nvmlErrorString(NVML_ERROR_UNINITIALIZED), "Uninitialized");
}

TEST_F(Nvml, FindsDevicesByIndex) {
    unsigned int count = 0;
    ASSERT_EQ(nvml::nvmlDeviceGetCount(&count), NVML_SUCCESS);
    ASSERT_GE(count, 1u);
    unsigned int index = 7;
    EXPECT_EQ(nvml::nvmlDeviceGetIndex(device, &index), NVML_SUCCESS);
    EXPECT_EQ(index, 0u);
    nvmlDevice_t none = nullptr;
    EXPECT_EQ(nvml::nvmlDeviceGetHandleByIndex(count, &none), NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(Nvml, NamesADevice) {
    std::array<char, NVML_DEVICE_NAME_V2_BUFFER_SIZE> name{};
    ASSERT_EQ(nvml::nvmlDeviceGetName(device, name.data(), name.size()), NVML_SUCCESS);
    EXPECT_GT(std::string(name.data()).size(), 3u);
    EXPECT_EQ(nvml::nvmlDeviceGetName(device, name.data(), 2), NVML_ERROR_INSUFFICIENT_SIZE);
    nvmlPciInfo_t pci{};
    ASSERT_EQ(nvml::nvmlDeviceGetPciInfo(device, &pci), NVML_SUCCESS);
    EXPECT_THAT(pci.busId, MatchesRegex("[0-9A-F]{8}:[0-9A-F]{2}:[0-9A-F]{2}\\.[0-9]"));
}

TEST_F(Nvml, TakesAStructureOfTheVersionThatItNames) {
    nvmlMemory_v2_t memory{};
    EXPECT_EQ(nvml::nvmlDeviceGetMemoryInfo_v2(device, &memory), NVML_ERROR_FUNCTION_NOT_FOUND);
    memory.version = nvmlMemory_v2;
    ASSERT_EQ(nvml::nvmlDeviceGetMemoryInfo_v2(device, &memory), NVML_SUCCESS);
    EXPECT_GT(memory.total, 1u << 30U);
    EXPECT_GE(memory.total, memory.free + memory.used);
}

TEST_F(Nvml, SaysHowManyElementsThereAreWhereThereIsNoRoom) {
    unsigned int count = 0;
    ASSERT_EQ(nvml::nvmlDeviceGetSupportedMemoryClocks(device, &count, nullptr), NVML_ERROR_INSUFFICIENT_SIZE);
    ASSERT_GE(count, 1u);
    std::vector<unsigned int> clocks(count);
    ASSERT_EQ(nvml::nvmlDeviceGetSupportedMemoryClocks(device, &count, clocks.data()), NVML_SUCCESS);
    EXPECT_THAT(clocks, Each(Gt(100u))) << "in MHz";
}

TEST_F(Nvml, GivesSeveralValuesByTheirFields) {
    std::array<nvmlFieldValue_t, 2> values{};
    values[0].fieldId = NVML_FI_DEV_MEMORY_TEMP;
    values[1].fieldId = 0xffff;
    ASSERT_EQ(nvml::nvmlDeviceGetFieldValues(device, 2, values.data()), NVML_SUCCESS);
    EXPECT_EQ(values[0].nvmlReturn, NVML_SUCCESS);
    EXPECT_EQ(values[0].valueType, NVML_VALUE_TYPE_UNSIGNED_INT);
    EXPECT_GT(values[0].value.uiVal, 10u) << "the memory's temperature, in degrees Celsius";
    EXPECT_NE(values[1].nvmlReturn, NVML_SUCCESS) << "an unknown field";
}

}  // namespace
}  // namespace cuprum::bindings::test
