// CUPRUM_SIM's break=, and core dumps.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const char* const source =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry fails(.param .u64 p)\n{\n"
    ".reg .b32 %r<3>; .reg .b64 %d<2>;\nld.param.u64 %d0, [p];\nmov.u32 %r0, %tid.x;\n"
    "mul.lo.s32 %r1, %r0, 3;\nst.global.u32 [%d0], %r1;\nret;\n}\n";

class InspectionTest : public DriverTest {
protected:
    // After a fault there is nothing that could be released.
    void TearDown() override {
        if (cu().cuCtxSynchronize() == CUDA_SUCCESS) DriverTest::TearDown();
    }
    // Launches `fails` with an address that is one or is not.
    void launch_with(CUdeviceptr address, CUresult expected) {
        CUmodule module = nullptr;
        CUfunction kernel = nullptr;
        ASSERT_OK(cu().cuModuleLoadData(&module, source));
        ASSERT_OK(cu().cuModuleGetFunction(&kernel, module, "fails"));
        void* parameters[] = {&address};
        ASSERT_OK(cu().cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
        EXPECT_CU(expected, cu().cuCtxSynchronize());
    }
    static std::string file_name(const char* ending) {
        return "/tmp/cuprum_inspection_" + std::to_string(getpid()) + ending;
    }
    static std::string text_of(const std::string& name) {
        std::ifstream in(name);
        std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        std::remove(name.c_str());
        return text;
    }
    // Sends standard error of this process into the file that the environment names.
    static void redirect() { ASSERT_NE(std::freopen(std::getenv("CUPRUM_TEST_OUTPUT"), "w", stderr), nullptr); }
    // The standard error of `run` in a process of its own with these options.
    static std::string output_of(const std::string& options, const std::function<void()>& run) {
        const std::string name = file_name(".txt");
        if (!in_process_of_its_own({"CUPRUM_SIM=" + options, "CUPRUM_TEST_OUTPUT=" + name})) return text_of(name);
        redirect();
        run();
        return {};
    }
    static bool is_other_process() { return std::getenv("CUPRUM_TEST_OUTPUT") != nullptr; }
};

TEST_F(InspectionTest, ABreakpointShowsAWarp) {
    const std::string text = output_of("break=fails:ptx:9", [&] { launch_with(allocate(4), CUDA_SUCCESS); });
    if (is_other_process()) return;
    EXPECT_THAT(text, HasSubstr("--- breakpoint fails:ptx:9\nkernel fails, grid (1, 1, 1) of blocks (32, 1, 1)"));
    EXPECT_THAT(text, ContainsRegex("%r0 +\\.[us]32 +0, 1, 2 \\.\\.\\. 31\n"));
}

TEST_F(InspectionTest, AFaultIsShown) {
    const std::string text = output_of("break=faults", [&] { launch_with(16, CUDA_ERROR_ILLEGAL_ADDRESS); });
    if (is_other_process()) return;
    EXPECT_THAT(text, HasSubstr("--- fault CUDA_ERROR_ILLEGAL_ADDRESS: kernel 'fails', block (0, 0, 0), thread"));
    EXPECT_THAT(text, ContainsRegex("%r1 +\\.s32 +0, 3, 6 \\.\\.\\. 93\n"));
}

TEST_F(InspectionTest, ThePlaceThatNobodyReachesIsExplainedAtTheEnd) {
    const std::string text = output_of("break=fail", [&] { launch_with(allocate(4), CUDA_SUCCESS); });
    if (is_other_process()) return;
    EXPECT_THAT(text, HasSubstr("breakpoint fail: the program has loaded no kernel of the name 'fail'; it has loaded "
                                "these: fails\n"));
}

template <typename Value>
void set(CUcoredumpSettings attribute, Value value) {
    size_t size = sizeof value;
    EXPECT_OK(cu().cuCoredumpSetAttributeGlobal(attribute, &value, &size));
}

TEST_F(InspectionTest, ACoreDumpIsWrittenWhereAsked) {
    const std::string name = file_name(".core");
    if (!in_process_of_its_own({"CUPRUM_TEST_OUTPUT=" + name})) {
        const std::string text = text_of(name);
        EXPECT_THAT(text, HasSubstr("Cuprum simulator: core dump of a kernel\n"));
        EXPECT_THAT(text, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS: kernel 'fails'"));
        EXPECT_THAT(text, ContainsRegex("%r1 +\\.s32 +0, 3, 6 \\.\\.\\. 93\n"));
        EXPECT_THAT(text, ContainsRegex("memory\n    0x[0-9a-f]+  64 bytes, cuMemAlloc of 64 bytes\n"));
        return;
    }
    allocate(64);
    set(CU_COREDUMP_ENABLE_ON_EXCEPTION, true);
    set(CU_COREDUMP_GENERATION_FLAGS, static_cast<unsigned int>(CU_COREDUMP_SKIP_ABORT));
    char file[1024] = "";
    std::strncpy(file, std::getenv("CUPRUM_TEST_OUTPUT"), sizeof file - 1);
    size_t size = sizeof file;
    ASSERT_OK(cu().cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, file, &size));
    launch_with(16, CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(InspectionTest, TheEnvironmentAsksForCoreDumpsAndCannotBeOverruled) {
    const std::string name = file_name(".core");
    if (!in_process_of_its_own({"CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1", "CUDA_COREDUMP_FILE=" + name,
                                "CUDA_COREDUMP_GENERATION_FLAGS=skip_global_memory,skip_abort"})) {
        const std::string text = text_of(name);
        EXPECT_THAT(text, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
        EXPECT_THAT(text, Not(HasSubstr("memory\n")));
        return;
    }
    allocate(64);
    set(CU_COREDUMP_ENABLE_ON_EXCEPTION, false);
    set(CU_COREDUMP_GENERATION_FLAGS, 0u);
    launch_with(16, CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(InspectionTest, CoreDumpSettingsAreOfTheProcessAndOfContexts) {
    if (!in_process_of_its_own()) return;
    size_t size = 0;
    EXPECT_OK(cu().cuCoredumpGetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, nullptr, &size));
    EXPECT_EQ(size, sizeof(unsigned int));
    EXPECT_OK(cu().cuCoredumpSetAttribute(CU_COREDUMP_FILE, nullptr, &size));
    EXPECT_EQ(size, 1024u);
    char file[1024] = "";
    EXPECT_OK(cu().cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, file, &size));
    EXPECT_THAT(file, HasSubstr("core.cuda."));
    bool enabled = true;
    size = sizeof enabled;
    EXPECT_OK(cu().cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &enabled, &size));
    enabled = false;
    EXPECT_OK(cu().cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &enabled, &size));
    EXPECT_TRUE(enabled);
    EXPECT_OK(cu().cuCoredumpGetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &enabled, &size));
    EXPECT_FALSE(enabled);
    size = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &enabled, &size));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuCoredumpGetAttribute(CU_COREDUMP_MAX, nullptr, &size));
    enabled = true;
    size = sizeof enabled;
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
              cu().cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_USER_TRIGGER, &enabled, &size));
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuCoredumpSetAttribute(CU_COREDUMP_PIPE, file, &size));
}

}  // namespace
}  // namespace cuprum::test
