// Compiled with the headers of CUDA 12, where the runtime that is found at run time is one of CUDA 13: a name that
// stands for another signature there is not called.
#include <gmock/gmock.h>

#include "../environment.hpp"

static_assert(CUDA_VERSION < 13000, "this is about older headers");

namespace cuprum::bindings::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using OlderHeaders = Bindings;

TEST_F(OlderHeaders, ANameThatANewerRuntimeGivesAnotherSignatureIsNotCalled) {
    use("runtime_13");
    EXPECT_EQ(runtime::cudaMemAdvise(nullptr, 0, cudaMemAdviseSetReadMostly, 0), cudaErrorSymbolNotFound);
    const auto failure = take_resolution_failure();
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->library_version, 13000);
    EXPECT_THAT(failure->to_error().what(), AllOf(HasSubstr("cudaMemAdvise"), HasSubstr("CUDA runtime 13.0"),
                                                  HasSubstr("its cudaMemAdvise takes other arguments")));
}

TEST_F(OlderHeaders, ANameThatANewerRuntimeHasNoMoreIsMissing) {
    use("runtime_13");
    cudaDeviceProp properties;
    // Exported as cudaGetDeviceProperties_v2 in CUDA 12: the plain name is another layout's in either.
    EXPECT_EQ(runtime::cudaGetDeviceProperties(&properties, 0), cudaErrorSymbolNotFound);
    const auto failure = take_resolution_failure();
    ASSERT_TRUE(failure.has_value());
    EXPECT_THAT(failure->to_error().what(),
                AllOf(HasSubstr("cudaGetDeviceProperties"), HasSubstr("CUDA runtime 13.0")));
}

TEST_F(OlderHeaders, AFunctionThatNeverChangedIsCalledInANewerRuntime) {
    use("runtime_13");
    EXPECT_EQ(runtime::version(), 13000);
    EXPECT_EQ(runtime::cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault), 1);
}

}  // namespace
}  // namespace cuprum::bindings::test
