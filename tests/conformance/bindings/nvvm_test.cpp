// libNVVM, on every machine: it needs no device.
#include "cuprum/bindings/nvvm.hpp"

#include <gmock/gmock.h>

#include "fixture.hpp"

namespace cuprum::bindings::test {
namespace {

using testing::HasSubstr;

constexpr const char* targets =
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n"
    "target triple = \"nvptx64-nvidia-cuda\"\n";
constexpr const char* version = "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";

/// A kernel that stores what a function of another module gives.
std::string kernel_module() {
    return std::string(targets) +
           "declare i32 @number()\n"
           "define void @store(i32* %out) {\n"
           "  %value = call i32 @number()\n"
           "  store i32 %value, i32* %out, align 4\n"
           "  ret void\n"
           "}\n"
           "!nvvm.annotations = !{!1}\n"
           "!1 = !{void (i32*)* @store, !\"kernel\", i32 1}\n" +
           version;
}

std::string number_module() {
    return std::string(targets) + "define i32 @number() {\n  ret i32 4711\n}\n" + version;
}

std::string log_of(nvvmProgram program) {
    std::size_t size = 0;
    EXPECT_OK(nvvm::nvvmGetProgramLogSize(program, &size));
    std::string log(size, '\0');
    EXPECT_OK(nvvm::nvvmGetProgramLog(program, log.data()));
    return log;
}

class Nvvm : public testing::Test {
protected:
    void SetUp() override { ASSERT_OK(nvvm::nvvmCreateProgram(&program)); }
    void TearDown() override {
        EXPECT_OK(nvvm::nvvmDestroyProgram(&program));
        EXPECT_EQ(program, nullptr);
    }
    void add(const std::string& module, const char* name) {
        ASSERT_OK(nvvm::nvvmAddModuleToProgram(program, module.data(), module.size(), name));
    }
    nvvmProgram program = nullptr;
};

TEST_F(Nvvm, CompilesModulesToPtx) {
    const Shows shows{
        "nvvmVersion",           "nvvmIRVersion",          "nvvmCreateProgram",        "nvvmDestroyProgram",
        "nvvmCompileProgram",    "nvvmAddModuleToProgram", "nvvmVerifyProgram",        "nvvmGetProgramLog",
        "nvvmGetCompiledResult", "nvvmGetProgramLogSize",  "nvvmGetCompiledResultSize"};
    int major = 0;
    int minor = 0;
    ASSERT_OK(nvvm::nvvmVersion(&major, &minor));
    EXPECT_GE(major, 2);
    int debug = 0;
    ASSERT_OK(nvvm::nvvmIRVersion(&major, &minor, &debug, &minor));
    EXPECT_EQ(major, 2);
    EXPECT_GE(debug, 3);
    EXPECT_GE(nvvm::version(), 12000) << "that of the toolkit";
    nvvmProgram other = nullptr;
    ASSERT_OK(nvvm::nvvmCreateProgram(&other));
    ASSERT_OK(nvvm::nvvmDestroyProgram(&other));
    add(kernel_module(), "kernel.ll");
    add(number_module(), "number.ll");
    const char* options[] = {"-arch=compute_75"};
    ASSERT_OK(nvvm::nvvmVerifyProgram(program, 1, options));
    ASSERT_OK(nvvm::nvvmCompileProgram(program, 1, options)) << log_of(program);
    EXPECT_EQ(log_of(program), std::string(1, '\0'));
    std::size_t size = 0;
    ASSERT_OK(nvvm::nvvmGetCompiledResultSize(program, &size));
    std::string ptx(size, '\0');
    ASSERT_OK(nvvm::nvvmGetCompiledResult(program, ptx.data()));
    EXPECT_THAT(ptx, HasSubstr(".entry store"));
    EXPECT_THAT(ptx, HasSubstr("4711"));
    EXPECT_THAT(ptx, HasSubstr(".target sm_75"));
    EXPECT_EQ(ptx.back(), '\0');
}

TEST_F(Nvvm, LogsWhatIsWrong) {
    add("nonsense", "bad.ll");
    EXPECT_EQ(nvvm::nvvmCompileProgram(program, 0, nullptr), NVVM_ERROR_COMPILATION);
    EXPECT_THAT(log_of(program), HasSubstr("): parse expected top-level entity"));
    EXPECT_STREQ(nvvm::nvvmGetErrorString(NVVM_ERROR_COMPILATION), "NVVM_ERROR_COMPILATION");
}

TEST_F(Nvvm, RefusesAnArchitectureThatItDoesNotKnow) {
    add(number_module(), "number.ll");
    const char* options[] = {"-arch=sm_75"};
    EXPECT_EQ(nvvm::nvvmCompileProgram(program, 1, options), NVVM_ERROR_INVALID_OPTION);
    EXPECT_THAT(log_of(program), HasSubstr("-arch=sm_75 is an unsupported option"));
}

}  // namespace
}  // namespace cuprum::bindings::test
