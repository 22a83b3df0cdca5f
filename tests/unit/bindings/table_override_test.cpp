// Entries of the table replaced, for tests and fault injection.
#include <gmock/gmock.h>

#include <utility>

#include "environment.hpp"

namespace cuprum::bindings::test {
namespace {

using TableOverrideTest = Bindings;

CUresult out_of_memory(CUdeviceptr*, size_t) {
    return CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult not_supported(CUdeviceptr*, size_t) {
    return CUDA_ERROR_NOT_SUPPORTED;
}

TEST_F(TableOverrideTest, CallsGoToTheReplacementAndBackAfterwards) {
    use("driver_12");
    CUdeviceptr address = 0;
    ASSERT_EQ(driver::cuMemAlloc(&address, 1), CUDA_SUCCESS);
    {
        const TableOverride failing(driver::library(), "cuMemAlloc", &out_of_memory);
        EXPECT_EQ(driver::cuMemAlloc(&address, 1), CUDA_ERROR_OUT_OF_MEMORY);
        int count = 0;
        EXPECT_EQ(driver::cuDeviceGetCount(&count), CUDA_SUCCESS) << "other functions are not affected";
    }
    EXPECT_EQ(driver::cuMemAlloc(&address, 1), CUDA_SUCCESS);
}

TEST_F(TableOverrideTest, NeedsNoLibrary) {
    use("");
    const TableOverride failing(driver::library(), "cuMemAlloc", &out_of_memory);
    CUdeviceptr address = 0;
    EXPECT_EQ(driver::cuMemAlloc(&address, 1), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_FALSE(driver::library().loaded());
}

TEST_F(TableOverrideTest, Nests) {
    use("driver_12");
    CUdeviceptr address = 0;
    const TableOverride outer(driver::library(), "cuMemAlloc", &out_of_memory);
    {
        const TableOverride inner(driver::library(), "cuMemAlloc", &not_supported);
        EXPECT_EQ(driver::cuMemAlloc(&address, 1), CUDA_ERROR_NOT_SUPPORTED);
    }
    EXPECT_EQ(driver::cuMemAlloc(&address, 1), CUDA_ERROR_OUT_OF_MEMORY);
}

AnyFunction real_cu_mem_alloc = nullptr;
int calls_passed_on = 0;

TEST_F(TableOverrideTest, AReplacementCanPassCallsOnEvenIfTheFunctionWasNeverCalled) {
    use("driver_12");
    const TableOverride counting(
        driver::library(), "cuMemAlloc", +[](CUdeviceptr* address, size_t bytes) -> CUresult {
            ++calls_passed_on;
            return reinterpret_cast<CUresult (*)(CUdeviceptr*, size_t)>(real_cu_mem_alloc)(address, bytes);
        });
    real_cu_mem_alloc = counting.previous();
    CUdeviceptr address = 0;
    for (int i = 1; i <= 3; ++i) {
        // The first of them resolves the function; that must not undo the override.
        EXPECT_EQ(driver::cuMemAlloc(&address, i), CUDA_SUCCESS);
        EXPECT_EQ(address, 0xFFFFFFFF00000000ull + i);
        EXPECT_EQ(calls_passed_on, i);
    }
}

TEST_F(TableOverrideTest, CanBeMoved) {
    use("driver_12");
    CUdeviceptr address = 0;
    {
        TableOverride first(driver::library(), "cuMemAlloc", &out_of_memory);
        const TableOverride second = std::move(first);
        EXPECT_EQ(driver::cuMemAlloc(&address, 1), CUDA_ERROR_OUT_OF_MEMORY);
    }
    EXPECT_EQ(driver::cuMemAlloc(&address, 1), CUDA_SUCCESS);
}

TEST_F(TableOverrideTest, RefusesAnotherTypeAnUnknownNameAndNull) {
    const auto wrong = +[](CUdeviceptr*) -> CUresult { return CUDA_SUCCESS; };
    EXPECT_THROW(TableOverride(driver::library(), "cuMemAlloc", wrong), InvalidArgument);
    EXPECT_THROW(TableOverride(driver::library(), "cuMemAlloc_v2", &out_of_memory), InvalidArgument);
    EXPECT_THROW(TableOverride(driver::library(), "cuMemAlloc", static_cast<decltype(&out_of_memory)>(nullptr)),
                 InvalidArgument);
    CUdeviceptr address = 0;
    EXPECT_EQ(driver::cuMemAlloc(&address, 1), CUDA_ERROR_SHARED_OBJECT_INIT_FAILED) << "nothing was replaced";
}

}  // namespace
}  // namespace cuprum::bindings::test
