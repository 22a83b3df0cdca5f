// Launches as programs made them before CUDA 4.
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

// cuda.h calls these deprecated, so their types are spelled out.
template <typename... Arguments>
CUresult call(const char* name, Arguments... arguments) {
    const auto function = reinterpret_cast<CUresult (*)(Arguments...)>(cu().symbol(name));
    return function ? function(arguments...) : CUDA_ERROR_NOT_FOUND;
}

class LegacyLaunchTest : public DriverTest {};

TEST_F(LegacyLaunchTest, ParametersAreSetOneAfterAnother) {
    const CUfunction fill = function("fill");
    CUdeviceptr pointer = upload(std::vector<unsigned>(64, 0));
    ASSERT_OK(call("cuFuncSetBlockShape", fill, 32, 1, 1));
    ASSERT_OK(call("cuParamSetv", fill, 0, static_cast<void*>(&pointer), 8u));
    ASSERT_OK(call("cuParamSeti", fill, 8, 5u));
    ASSERT_OK(call("cuParamSeti", fill, 12, 64u));
    ASSERT_OK(call("cuParamSetSize", fill, 16u));
    ASSERT_OK(call("cuLaunchGrid", fill, 2, 1));
    EXPECT_EQ(download<unsigned>(pointer, 64), std::vector<unsigned>(64, 5));
}

TEST_F(LegacyLaunchTest, SharedMemoryAndStreamsAreGivenApart) {
    const CUfunction reverse = function("reverse");
    CUdeviceptr pointer = upload(std::vector<unsigned>{1, 2, 3, 4});
    const CUstream stream = new_stream();
    ASSERT_OK(call("cuFuncSetBlockShape", reverse, 4, 1, 1));
    ASSERT_OK(call("cuFuncSetSharedSize", reverse, 16u));
    ASSERT_OK(call("cuParamSetv", reverse, 0, static_cast<void*>(&pointer), 8u));
    ASSERT_OK(call("cuParamSetSize", reverse, 8u));
    ASSERT_OK(call("cuLaunchGridAsync", reverse, 1, 1, stream));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_EQ(download<unsigned>(pointer, 4), (std::vector<unsigned>{4, 3, 2, 1}));
}

TEST_F(LegacyLaunchTest, ASingleBlockNeedsNoGrid) {
    const CUfunction saxpy = function("saxpy");
    CUdeviceptr x = upload(std::vector<float>{1, 2, 3}), y = upload(std::vector<float>{10, 20, 30});
    ASSERT_OK(call("cuFuncSetBlockShape", saxpy, 32, 1, 1));
    ASSERT_OK(call("cuParamSetf", saxpy, 0, 2.5f));
    ASSERT_OK(call("cuParamSetv", saxpy, 8, static_cast<void*>(&x), 8u));
    ASSERT_OK(call("cuParamSetv", saxpy, 16, static_cast<void*>(&y), 8u));
    ASSERT_OK(call("cuParamSeti", saxpy, 24, 3u));
    ASSERT_OK(call("cuParamSetSize", saxpy, 28u));
    ASSERT_OK(call("cuLaunch", saxpy));
    EXPECT_EQ(download<float>(y, 3), (std::vector<float>{12.5f, 25, 37.5f}));
}

TEST_F(LegacyLaunchTest, EmptyBlocksAndGridsAreRefused) {
    const CUfunction nothing = function("nothing");
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, call("cuFuncSetBlockShape", nothing, 0, 1, 1));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, call("cuLaunchGrid", nothing, 0, 1));
}

}  // namespace
}  // namespace cuprum::test
