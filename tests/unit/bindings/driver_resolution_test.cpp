// How a driver function is found at its first call, and what a call returns that finds nothing.
#include <gmock/gmock.h>

#include "environment.hpp"

namespace cuprum::bindings::test {
namespace {

using testing::HasSubstr;
using DriverResolution = Bindings;

// Runs before main, and before any other initialisation that this program has: the tables need none.
const CUresult result_before_main = driver::cuInit(0);

TEST(DriverBeforeMain, ACallIsResolvedLikeAnyOther) {
    // CTest names the miniature in the environment; by hand there may be no driver at all.
    EXPECT_THAT(result_before_main, testing::AnyOf(CUDA_SUCCESS, CUDA_ERROR_SHARED_OBJECT_INIT_FAILED));
}

TEST_F(DriverResolution, AsksForTheVersionOfTheCompiledSignature) {
    use("driver_12");
    CUdeviceptr address = 0;
    EXPECT_EQ(driver::cuMemAlloc(&address, 0x1234), CUDA_SUCCESS);
    EXPECT_EQ(address, 0xFFFFFFFF00001234ull);
    EXPECT_STREQ(&variable<char>("miniature_last_query"), "cuMemAlloc");
    EXPECT_EQ(variable<int>("miniature_last_version"), 3020);
    EXPECT_EQ(variable<unsigned long long>("miniature_last_flags"), CU_GET_PROC_ADDRESS_DEFAULT);
}

TEST_F(DriverResolution, ResolvesOnce) {
    use("driver_12");
    int count = 0;
    const int before = variable<int>("miniature_requests");
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(driver::cuDeviceGetCount(&count), CUDA_SUCCESS);
    }
    EXPECT_EQ(count, 7);
    EXPECT_EQ(variable<int>("miniature_requests"), before + 1);
}

TEST_F(DriverResolution, WorksWithTheLookUpOfCuda11) {
    use("driver_11");
    CUdeviceptr address = 0;
    EXPECT_EQ(driver::cuMemAlloc(&address, 1), CUDA_SUCCESS);
    EXPECT_EQ(address, 0xFFFFFFFF00000001ull);
    EXPECT_EQ(variable<int>("miniature_last_version"), 3020);
}

TEST_F(DriverResolution, TakesTheExportedSymbolFromDriversThatHaveNoLookUp) {
    use("driver_10");
    CUdeviceptr address = 0;
    EXPECT_EQ(driver::cuMemAlloc(&address, 2), CUDA_SUCCESS);
    EXPECT_EQ(address, 0xFFFFFFFF00000002ull) << "the symbol without _v2 has another signature";
}

TEST_F(DriverResolution, AFunctionThatTheDriverLacksFailsAloneAndSaysWhy) {
    for (const char* miniature : {"driver_12", "driver_11", "driver_10"}) {
        SCOPED_TRACE(miniature);
        use(miniature);
        CUmemoryPool pool = nullptr;
        EXPECT_EQ(driver::cuMemPoolCreate(&pool, nullptr), CUDA_ERROR_NOT_FOUND);

        const auto failure = last_resolution_failure();
        ASSERT_TRUE(failure.has_value());
        EXPECT_EQ(failure->kind, ResolutionFailure::Kind::symbol_missing);
        EXPECT_EQ(failure->function, "cuMemPoolCreate");
        EXPECT_EQ(failure->path, std::string(MINIATURES) + "/" + miniature + "/libcuda.so.1");
        EXPECT_EQ(failure->required_version, 11020);
        EXPECT_EQ(failure->library_version, driver::library().version());
        EXPECT_EQ(failure->info.status, Status::symbol_not_found);
        EXPECT_THAT(failure->to_error().what(),
                    testing::AllOf(HasSubstr("cuMemPoolCreate"), HasSubstr("CUDA 11.2"), HasSubstr(failure->path)));

        int count = 0;
        EXPECT_EQ(driver::cuDeviceGetCount(&count), CUDA_SUCCESS) << "other functions are not affected";
    }
}

#if CUDA_VERSION >= 12090
TEST_F(DriverResolution, AnOlderDriverIsNamedWithItsVersionAndTheOneNeeded) {
    use("driver_12");
    CUlogIterator iterator = 0;
    EXPECT_EQ(driver::cuLogsCurrent(&iterator, 0), CUDA_ERROR_NOT_FOUND);
    EXPECT_THAT(take_resolution_failure()->to_error().what(),
                testing::AllOf(HasSubstr("CUDA driver 12.2"), HasSubstr("CUDA 12.9")));
}
#endif

TEST_F(DriverResolution, WithoutADriverEveryCallFailsAndListsWhatWasLookedAt) {
    use("");
    EXPECT_EQ(driver::cuInit(0), CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    const auto failure = take_resolution_failure();
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->kind, ResolutionFailure::Kind::library_missing);
    EXPECT_EQ(failure->function, "cuInit");
    EXPECT_EQ(failure->info.status, Status::library_not_found);
    EXPECT_THAT(failure->candidates, testing::Not(testing::IsEmpty()));
    EXPECT_THAT(failure->to_error().what(), HasSubstr("/nonexistent/libcuda.so.1"));
    EXPECT_FALSE(driver::library().loaded());
    EXPECT_THROW(driver::library().load(), NotFound);
    EXPECT_THROW(driver::library().version(), NotFound);
}

TEST_F(DriverResolution, ABadChoiceOfDriverIsExplainedToo) {
    use("driver_12");
    setenv("CUPRUM_DRIVER", "fastest", 1);
    EXPECT_EQ(driver::cuInit(0), CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    const auto failure = take_resolution_failure();
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->info.status, Status::invalid_argument);
    EXPECT_THAT(failure->info.advice, HasSubstr("auto"));
}

TEST_F(DriverResolution, AFailureIsNotRemembered) {
    use("");
    ASSERT_EQ(driver::cuInit(0), CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    setenv("CUPRUM_SIMULATOR_PATH", MINIATURES "/driver_12", 1);
    EXPECT_EQ(driver::cuInit(0), CUDA_SUCCESS);
}

TEST_F(DriverResolution, ASuccessLeavesAnEarlierFailureToBeTaken) {
    use("driver_12");
    CUmemoryPool pool = nullptr;
    driver::cuMemPoolCreate(&pool, nullptr);
    driver::cuInit(0);
    EXPECT_EQ(take_resolution_failure()->function, "cuMemPoolCreate");
    EXPECT_FALSE(take_resolution_failure().has_value());
}

TEST_F(DriverResolution, KnowsTheLibrarysVersionPathAndNature) {
    use("driver_12");
    EXPECT_FALSE(driver::library().loaded());
    EXPECT_EQ(driver::library().version(), 12020);
    EXPECT_TRUE(driver::library().loaded());
    EXPECT_EQ(driver::library().path(), MINIATURES "/driver_12/libcuda.so.1");
    EXPECT_TRUE(driver::is_simulator()) << "CUPRUM_DRIVER=sim chose it";

    setenv("CUPRUM_DRIVER", "gpu", 1);
    pathfinder::reset_cache();
    driver::library().reset();
    EXPECT_FALSE(driver::is_simulator());
    EXPECT_EQ(driver::library().path(), MINIATURES "/driver_12/libcuda.so.1");
}

TEST_F(DriverResolution, GivesTheAddressThatACallGoesTo) {
    use("driver_12");
    const AnyFunction address = driver::library().address_of("cuMemAlloc");
    ASSERT_NE(address, nullptr);
    EXPECT_EQ(reinterpret_cast<void*>(address), dlsym(driver::library().load().handle, "cuMemAlloc_v2"));
    EXPECT_EQ(driver::library().address_of("cuMemAlloc"), address);
    EXPECT_EQ(driver::library().address_of("cuMemPoolCreate"), nullptr);
    EXPECT_EQ(last_resolution_failure()->function, "cuMemPoolCreate");
    EXPECT_THROW(driver::library().address_of("cuMemAlloc_v2"), InvalidArgument);
    EXPECT_THROW(driver::library().address_of(""), InvalidArgument);
}

TEST_F(DriverResolution, ResetMakesTheNextCallLookAgain) {
    use("driver_12");
    CUdeviceptr address = 0;
    ASSERT_EQ(driver::cuMemAlloc(&address, 1), CUDA_SUCCESS);
    use("");
    EXPECT_EQ(driver::cuMemAlloc(&address, 1), CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
}

}  // namespace
}  // namespace cuprum::bindings::test
