// NVRTC, on every machine: it needs no device.
#include "cuprum/bindings/nvrtc.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "fixture.hpp"

namespace cuprum::bindings::test {

std::string compiled_to_ptx(const std::string& source, const std::string& architecture) {
    nvrtcProgram program = nullptr;
    EXPECT_OK(nvrtc::nvrtcCreateProgram(&program, source.c_str(), "test.cu", 0, nullptr, nullptr));
    const std::string option = "--gpu-architecture=" + architecture;
    const char* options[] = {option.c_str()};
    EXPECT_OK(nvrtc::nvrtcCompileProgram(program, 1, options));
    std::size_t size = 0;
    EXPECT_OK(nvrtc::nvrtcGetPTXSize(program, &size));
    std::string ptx(size, '\0');
    EXPECT_OK(nvrtc::nvrtcGetPTX(program, ptx.data()));
    EXPECT_OK(nvrtc::nvrtcDestroyProgram(&program));
    EXPECT_EQ(program, nullptr);
    return ptx;
}

namespace {

using testing::HasSubstr;

TEST(Nvrtc, SaysItsVersionAndWhatItCompilesFor) {
    const Shows shows{"nvrtcVersion"};
    int major = 0;
    int minor = 0;
    ASSERT_OK(nvrtc::nvrtcVersion(&major, &minor));
    EXPECT_EQ(1000 * major + 10 * minor, nvrtc::version());
    int count = 0;
    ASSERT_OK(nvrtc::nvrtcGetNumSupportedArchs(&count));
    std::vector<int> architectures(static_cast<std::size_t>(count));
    ASSERT_OK(nvrtc::nvrtcGetSupportedArchs(architectures.data()));
    EXPECT_THAT(architectures, testing::Contains(80));
    EXPECT_STREQ(nvrtc::nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION");
}

TEST(Nvrtc, MakesPtxThatHoldsTheKernel) {
    const Shows shows{"nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetPTXSize", "nvrtcGetPTX",
                      "nvrtcDestroyProgram"};
    EXPECT_THAT(compiled_to_ptx(add_source), HasSubstr(".entry add"));
}

TEST(Nvrtc, LogsWhatIsWrong) {
    const Shows shows{"nvrtcGetProgramLogSize", "nvrtcGetProgramLog"};
    nvrtcProgram program = nullptr;
    ASSERT_OK(nvrtc::nvrtcCreateProgram(&program, "__global__ void f() { mistake; }", "bad.cu", 0, nullptr, nullptr));
    EXPECT_EQ(nvrtc::nvrtcCompileProgram(program, 0, nullptr), NVRTC_ERROR_COMPILATION);
    std::size_t size = 0;
    ASSERT_OK(nvrtc::nvrtcGetProgramLogSize(program, &size));
    std::string log(size, '\0');
    ASSERT_OK(nvrtc::nvrtcGetProgramLog(program, log.data()));
    EXPECT_THAT(log, testing::AllOf(HasSubstr("bad.cu(1)"), HasSubstr("mistake")));
    EXPECT_OK(nvrtc::nvrtcDestroyProgram(&program));
}

TEST(Nvrtc, GivesLoweredNamesAndCubins) {
    const Shows shows{"nvrtcAddNameExpression", "nvrtcGetLoweredName"};
    nvrtcProgram program = nullptr;
    const char* header = "template <class T> __device__ T twice(T x) { return x + x; }";
    const char* header_name = "twice.h";
    const char* source = "#include \"twice.h\"\ntemplate <class T> __global__ void f(T* x) { *x = twice(*x); }";
    ASSERT_OK(nvrtc::nvrtcCreateProgram(&program, source, nullptr, 1, &header, &header_name));
    ASSERT_OK(nvrtc::nvrtcAddNameExpression(program, "f<float>"));
    const char* options[] = {"--gpu-architecture=sm_80"};
    ASSERT_OK(nvrtc::nvrtcCompileProgram(program, 1, options));
    const char* lowered = nullptr;
    ASSERT_OK(nvrtc::nvrtcGetLoweredName(program, "f<float>", &lowered));
    EXPECT_STREQ(lowered, "_Z1fIfEvPT_");
    std::size_t size = 0;
    ASSERT_OK(nvrtc::nvrtcGetCUBINSize(program, &size));
    std::string cubin(size, '\0');
    ASSERT_OK(nvrtc::nvrtcGetCUBIN(program, cubin.data()));
    EXPECT_EQ(cubin.substr(1, 3), "ELF");
    EXPECT_OK(nvrtc::nvrtcDestroyProgram(&program));
}

}  // namespace
}  // namespace cuprum::bindings::test
