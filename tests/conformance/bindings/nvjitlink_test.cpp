// nvJitLink, on every machine: it needs no device.
#include "cuprum/bindings/nvjitlink.hpp"

#include <gmock/gmock.h>

#include "fixture.hpp"

namespace cuprum::bindings::test {
namespace {

TEST(NvJitLink, LinksPtxToACubin) {
    const Shows shows{"nvJitLinkCreate",         "nvJitLinkAddData", "nvJitLinkComplete", "nvJitLinkGetLinkedCubinSize",
                      "nvJitLinkGetLinkedCubin", "nvJitLinkDestroy"};
    unsigned int major = 0;
    unsigned int minor = 0;
    ASSERT_OK(nvjitlink::nvJitLinkVersion(&major, &minor));
    EXPECT_EQ(static_cast<int>(1000 * major + 10 * minor), nvjitlink::version());
    const std::string ptx = compiled_to_ptx(add_source);
    const char* options[] = {"-arch=sm_80", "-verbose"};
    nvJitLinkHandle handle = nullptr;
    ASSERT_OK(nvjitlink::nvJitLinkCreate(&handle, 2, options));
    ASSERT_OK(nvjitlink::nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, ptx.c_str(), ptx.size(), "add.ptx"));
    ASSERT_OK(nvjitlink::nvJitLinkComplete(handle));
    std::size_t size = 0;
    ASSERT_OK(nvjitlink::nvJitLinkGetLinkedCubinSize(handle, &size));
    std::string cubin(size, '\0');
    ASSERT_OK(nvjitlink::nvJitLinkGetLinkedCubin(handle, cubin.data()));
    EXPECT_EQ(cubin.substr(1, 3), "ELF");
    ASSERT_OK(nvjitlink::nvJitLinkGetInfoLogSize(handle, &size));
    std::string log(size, '\0');
    EXPECT_OK(nvjitlink::nvJitLinkGetInfoLog(handle, log.data()));
    EXPECT_OK(nvjitlink::nvJitLinkDestroy(&handle));
    EXPECT_EQ(handle, nullptr);
}

TEST(NvJitLink, LogsWhatIsWrong) {
    const char* options[] = {"-arch=sm_80"};
    nvJitLinkHandle handle = nullptr;
    ASSERT_OK(nvjitlink::nvJitLinkCreate(&handle, 1, options));
    EXPECT_NE(nvjitlink::nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, "no ptx", 6, "bad.ptx"), NVJITLINK_SUCCESS);
    std::size_t size = 0;
    ASSERT_OK(nvjitlink::nvJitLinkGetErrorLogSize(handle, &size));
    std::string log(size, '\0');
    EXPECT_OK(nvjitlink::nvJitLinkGetErrorLog(handle, log.data()));
    EXPECT_GT(size, 1u);
    EXPECT_OK(nvjitlink::nvJitLinkDestroy(&handle));
    const char* missing[] = {"-verbose"};
    EXPECT_EQ(nvjitlink::nvJitLinkCreate(&handle, 1, missing), NVJITLINK_ERROR_MISSING_ARCH);
    EXPECT_OK(nvjitlink::nvJitLinkDestroy(&handle)) << "a call that fails makes a handle too, which has the log";
}

}  // namespace
}  // namespace cuprum::bindings::test
