// The same for the runtime, which exports one signature under one name.
#include <gmock/gmock.h>

#include "environment.hpp"

namespace cuprum::bindings::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using RuntimeResolution = Bindings;

#if CUDA_VERSION >= 13000
TEST_F(RuntimeResolution, ANameThatStoodForAnotherSignatureInAnOlderRuntimeIsNotCalled) {
    use("runtime");  // of CUDA 12.2
    EXPECT_EQ(runtime::cudaMemAdvise(nullptr, 0, cudaMemAdviseSetReadMostly, {}), cudaErrorSymbolNotFound);
    const auto failure = take_resolution_failure();
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->library_version, 12020);
    EXPECT_EQ(failure->required_version, 13000);
    EXPECT_THAT(failure->to_error().what(), AllOf(HasSubstr("cudaMemAdvise"), HasSubstr("CUDA runtime 12.2"),
                                                  HasSubstr("came with CUDA 13.0"), HasSubstr("it is older")));
}
#endif

TEST_F(RuntimeResolution, AFunctionThatNeverChangedIsCalledInAnyRuntime) {
    use("runtime");
    EXPECT_EQ(runtime::cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault), 1);
}

}  // namespace
}  // namespace cuprum::bindings::test
