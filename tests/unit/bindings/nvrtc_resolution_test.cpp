// The same for NVRTC, which has another way to be looked up in and other status codes.
#include <gmock/gmock.h>

#include "environment.hpp"

namespace cuprum::bindings::test {
namespace {

using testing::HasSubstr;
using NvrtcResolution = Bindings;

TEST_F(NvrtcResolution, CallsGoToTheLibraryThatIsFound) {
    use("nvrtc");
    int major = 0;
    int minor = 0;
    EXPECT_EQ(nvrtc::nvrtcVersion(&major, &minor), NVRTC_SUCCESS);
    EXPECT_EQ(major, 12);
    EXPECT_EQ(minor, 3);
    EXPECT_STREQ(nvrtc::nvrtcGetErrorString(NVRTC_SUCCESS), "miniature success");
    EXPECT_EQ(nvrtc::library().version(), 12030);
    EXPECT_EQ(nvrtc::library().path(), MINIATURES "/nvrtc/libnvrtc.so.12");
}

TEST_F(NvrtcResolution, AMissingFunctionFailsAloneAndSaysWhy) {
    use("nvrtc");
    nvrtcProgram program = nullptr;
    EXPECT_EQ(nvrtc::nvrtcDestroyProgram(&program), NVRTC_ERROR_INTERNAL_ERROR);
    const auto failure = take_resolution_failure();
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->kind, ResolutionFailure::Kind::symbol_missing);
    EXPECT_EQ(failure->info.domain, ErrorDomain::nvrtc);
    EXPECT_THAT(failure->to_error().what(), testing::AllOf(HasSubstr("nvrtcDestroyProgram"), HasSubstr("NVRTC 12.3")));
}

// The machine that runs this may well have NVRTC, so an empty one takes its place.
TEST_F(NvrtcResolution, WithoutNvrtcACallFailsAndSaysWhatToInstall) {
    const EmptyMachine machine;
    int major = 0;
    int minor = 0;
    EXPECT_EQ(nvrtc::nvrtcVersion(&major, &minor), NVRTC_ERROR_INTERNAL_ERROR);
    EXPECT_THAT(take_resolution_failure()->to_error().what(),
                testing::AllOf(HasSubstr("/usr/local/cuda/lib64"), HasSubstr("pip install nvidia-cuda-nvrtc")));
    EXPECT_STREQ(nvrtc::nvrtcGetErrorString(NVRTC_SUCCESS), "the library is not installed");
}

}  // namespace
}  // namespace cuprum::bindings::test
