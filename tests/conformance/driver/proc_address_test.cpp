#include "driver_api.hpp"

namespace cuprum::test {
namespace {

void* find(const char* name, int version, cuuint64_t flags = CU_GET_PROC_ADDRESS_DEFAULT) {
    void* function = nullptr;
    CUdriverProcAddressQueryResult status{};
    EXPECT_OK(cu().cuGetProcAddress(name, &function, version, flags, &status)) << name;
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS) << name;
    EXPECT_NE(function, nullptr) << name;
    return function;
}

TEST(ProcAddressTest, GivesTheFormOfTheVersionThatIsAskedFor) {
    EXPECT_EQ(find("cuMemAlloc", 12000), cu().symbol("cuMemAlloc_v2"));
    EXPECT_EQ(find("cuMemAlloc", 3020), cu().symbol("cuMemAlloc_v2"));
    EXPECT_NE(find("cuMemAlloc", 2000), cu().symbol("cuMemAlloc_v2"));
    EXPECT_EQ(find("cuCtxCreate", 3020), cu().symbol("cuCtxCreate_v2"));
    EXPECT_EQ(find("cuCtxCreate", 12050), cu().symbol("cuCtxCreate_v4"));
    EXPECT_EQ(find("cuDeviceGetUuid", 11030), cu().symbol("cuDeviceGetUuid"));
    EXPECT_EQ(find("cuDeviceGetUuid", 11040), cu().symbol("cuDeviceGetUuid_v2"));
}

TEST(ProcAddressTest, GivesTheFormWithThePerThreadDefaultStreamOnRequest) {
    EXPECT_EQ(find("cuLaunchKernel", 12000), cu().symbol("cuLaunchKernel"));
    EXPECT_EQ(find("cuLaunchKernel", 12000, CU_GET_PROC_ADDRESS_LEGACY_STREAM), cu().symbol("cuLaunchKernel"));
    EXPECT_EQ(find("cuLaunchKernel", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM),
              cu().symbol("cuLaunchKernel_ptsz"));
    EXPECT_EQ(find("cuMemcpyHtoD", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM),
              cu().symbol("cuMemcpyHtoD_v2_ptds"));
    // A function that uses no stream has one form.
    EXPECT_EQ(find("cuCtxGetCurrent", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM),
              cu().symbol("cuCtxGetCurrent"));
}

TEST(ProcAddressTest, SaysThatAVersionIsTooLow) {
    void* function = &function;
    CUdriverProcAddressQueryResult status{};
    cu().cuGetProcAddress("cuLibraryLoadData", &function, 11000, 0, &status);
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    EXPECT_EQ(function, nullptr);
}

TEST(ProcAddressTest, SaysThatThereIsNoSuchFunction) {
    void* function = &function;
    CUdriverProcAddressQueryResult status{};
    cu().cuGetProcAddress("cuMakeCoffee", &function, 12000, 0, &status);
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    EXPECT_EQ(function, nullptr);
    EXPECT_OK(cu().cuGetProcAddress("cuMakeCoffee", &function, 12000, 0, nullptr));
    EXPECT_EQ(function, nullptr);
}

TEST(ProcAddressTest, FindsItself) {
    EXPECT_EQ(find("cuGetProcAddress", 11030), cu().symbol("cuGetProcAddress"));
    EXPECT_EQ(find("cuGetProcAddress", 12000), cu().symbol("cuGetProcAddress_v2"));
}

}  // namespace
}  // namespace cuprum::test
