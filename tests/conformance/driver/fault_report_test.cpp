// Every kind of fault a kernel can have: its code, its report, and what it does to the context. Each in a process of
// its own. The kernels are those of tests/data/ptx/faults.cu, compiled with -lineinfo.
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

enum class Told { everywhere, by_the_simulator };

struct FaultCase {
    const char* kernel;
    CUresult code;
    Told told;
    long long argument;               // the kernel's second parameter
    std::vector<const char*> report;  // what it says, beside where
    const char* check = "";           // CUPRUM_SIM
    const char* thread = ", thread (37, 0, 0), at PTX line";
};
void PrintTo(const FaultCase& test, std::ostream* out) {
    *out << test.kernel;
}

constexpr long long far_away = 1ll << 38;     // words: there is no memory
constexpr const char* no_one = ": deadlock";  // a deadlock is no one thread's: the report has every warp's place

const std::vector<FaultCase>& cases() {
    using enum Told;
    static const std::vector<FaultCase> all{
        {"write_past_the_end", CUDA_ERROR_ILLEGAL_ADDRESS, everywhere, far_away, {"wrote 4 bytes at 0x"}},
        {"write_past_the_end",
         CUDA_ERROR_ILLEGAL_ADDRESS,
         by_the_simulator,
         256,
         {"wrote 4 bytes at 0x", "0 bytes past the end of the cuMemAlloc of 1024 bytes"}},
        {"read_past_the_end", CUDA_ERROR_ILLEGAL_ADDRESS, everywhere, far_away, {"read 4 bytes at 0x"}},
        {"read_past_the_end",
         CUDA_ERROR_ILLEGAL_ADDRESS,
         by_the_simulator,
         -1,
         {"read 4 bytes at 0x", "4 bytes before the cuMemAlloc of 1024 bytes"}},
        {"add_past_the_end", CUDA_ERROR_ILLEGAL_ADDRESS, everywhere, far_away, {"updated 4 bytes at 0x"}},
        {"past_shared",
         CUDA_ERROR_ILLEGAL_ADDRESS,
         everywhere,
         1 << 20,
         {"4 bytes of shared memory at offset 0x400000", "the block has 16 bytes (16 static, 0 dynamic)"}},
        {"past_local",
         CUDA_ERROR_ILLEGAL_ADDRESS,
         by_the_simulator,
         1 << 20,
         {"4 bytes of local memory", "the thread has 16"}},
        {"past_constant", CUDA_ERROR_ILLEGAL_ADDRESS, by_the_simulator, 4, {"read 4 bytes at 0x", "variable 'table'"}},
        {"write_constant", CUDA_ERROR_ILLEGAL_ADDRESS, by_the_simulator, 0, {"which may only be read", "'table'"}},
        {"misaligned_global", CUDA_ERROR_MISALIGNED_ADDRESS, everywhere, 2, {"which is not a multiple of 4"}},
        {"misaligned_shared", CUDA_ERROR_MISALIGNED_ADDRESS, everywhere, 2, {"which is not a multiple of 4"}},
        {"misaligned_local", CUDA_ERROR_MISALIGNED_ADDRESS, by_the_simulator, 2, {"which is not a multiple of 4"}},
        {"add_to_local", CUDA_ERROR_ILLEGAL_ADDRESS, by_the_simulator, 0, {"local memory"}},
        {"fail_assertion", CUDA_ERROR_ASSERT, everywhere, 0, {"assertion `i == 1' failed at faults.cu:"}},
        {"stop", CUDA_ERROR_LAUNCH_FAILED, everywhere, 0, {"executed trap"}},
        {"stop_at_breakpoint", CUDA_ERROR_LAUNCH_FAILED, everywhere, 0, {"brkpt"}},
        {"call_no_function",
         CUDA_ERROR_ILLEGAL_ADDRESS,
         everywhere,
         far_away,
         {"called through a pointer that names no function of the module: 0x4000000000"}},
        {"overflow_the_stack", CUDA_ERROR_ILLEGAL_ADDRESS, everywhere, 100000, {"stack"}},
        {"free_twice", CUDA_ERROR_LAUNCH_FAILED, everywhere, 0, {"the malloc of 16 bytes", "freed since"}},
        {"read_freed_heap",
         CUDA_ERROR_ILLEGAL_ADDRESS,
         by_the_simulator,
         0,
         {"byte 4 of the malloc of 16 bytes", "freed since"}},
        {"unwritten_address", CUDA_ERROR_LAUNCH_FAILED, by_the_simulator, 0, {"never", "has not written"}},
        {"unwritten_branch", CUDA_ERROR_LAUNCH_FAILED, by_the_simulator, 0, {"never", "has not written"}},
        {"unwritten_guard", CUDA_ERROR_LAUNCH_FAILED, by_the_simulator, 0, {"never", "has not written"}},
        {"unwritten_sum", CUDA_ERROR_LAUNCH_FAILED, by_the_simulator, 0, {"has not written"}, "check=registers"},
        {"unwritten_global",
         CUDA_ERROR_LAUNCH_FAILED,
         by_the_simulator,
         100,
         {"4 bytes of device memory"},
         "check=memory"},
        {"unwritten_shared",
         CUDA_ERROR_LAUNCH_FAILED,
         by_the_simulator,
         0,
         {"4 bytes of shared memory at 0x94"},
         "check=memory"},
        {"unwritten_local",
         CUDA_ERROR_LAUNCH_FAILED,
         by_the_simulator,
         1,
         {"4 bytes of local memory at 0x8"},
         "check=memory"},
        {"race",
         CUDA_ERROR_LAUNCH_FAILED,
         by_the_simulator,
         0,
         {"read byte 0x0 of shared memory", "thread (0, 0, 0) wrote at PTX line", "no barrier in between"},
         "check=races"},
        {"diverging_barrier",
         CUDA_ERROR_LAUNCH_FAILED,
         by_the_simulator,
         0,
         {"lanes 0x20 of warp 1", "lanes 0xffffffdf"}},
        {"different_counts",
         CUDA_ERROR_LAUNCH_FAILED,
         by_the_simulator,
         0,
         {"barrier 1", "64 threads", "every thread"},
         "",
         ", thread (32, 0, 0), at PTX line"},
        {"wait_in_vain",
         CUDA_ERROR_LAUNCH_TIMEOUT,
         by_the_simulator,
         0,
         {"warp 0 lanes 0xffffffff wait at barrier 3", "32 of 64 threads have arrived"},
         "",
         no_one},
        {"exchange_in_vain",
         CUDA_ERROR_LAUNCH_TIMEOUT,
         by_the_simulator,
         0,
         {"warp 1 lanes 0x20 wait for lanes 0xffffffff", "warp 1 lanes 0xffffffdf wait"},
         "",
         no_one},
        {"uninitialised_mbarrier", CUDA_ERROR_LAUNCH_FAILED, by_the_simulator, 0, {"not been initialised"}},
    };
    return all;
}

std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

// The number of the line of faults.cu that is marked as the one at fault.
size_t source_line(const std::string& kernel) {
    const std::vector<std::string> lines = lines_of(data_folder() + "/ptx/faults.cu");
    for (size_t k = 0; k < lines.size(); ++k) {
        if (lines[k].ends_with("// fault: " + kernel)) return k + 1;
    }
    ADD_FAILURE() << "no line of faults.cu has the comment 'fault: " << kernel << "'";
    return 0;
}

std::string log_text() {
    std::string text(25600, '\0');
    size_t size = text.size();
    EXPECT_OK(cu().cuLogsDumpToMemory(nullptr, text.data(), &size, 0));
    text.resize(size);
    return text;
}

// The report names the kernel, the block, the thread, the PTX line with its instruction, and the source line.
void expect_report(const FaultCase& test) {
    const std::string text = log_text();
    SCOPED_TRACE(text);
    for (const char* part : test.report)
        EXPECT_NE(text.find(part), std::string::npos) << part;
    const std::string where = std::string("kernel '") + test.kernel + "', block (2, 0, 0)";
    EXPECT_NE(text.find(where + test.thread), std::string::npos) << where << test.thread;
    // In the kernel itself, or in a function of a header that it calls.
    const std::string source =
        "(?:source|source [^ ]*, inlined at) faults.cu:" + std::to_string(source_line(test.kernel));
    const std::regex place("at PTX line ([0-9]+) \\(([^)]*)\\), " + source + "(?![0-9])");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(text, found, place)) << source;
    const std::vector<std::string> lines = lines_of(data_folder() + "/ptx/faults.ptx");
    const size_t line = std::stoul(found[1]);
    ASSERT_LE(line, lines.size());
    EXPECT_NE(lines[line - 1].find(found[2]), std::string::npos) << lines[line - 1] << " is not " << found[2];
}

class FaultReportTest : public testing::TestWithParam<FaultCase> {
protected:
    void load(size_t bytes = 1024) {
        ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, 0));
        ASSERT_OK(cu().cuCtxSetCurrent(context));
        ASSERT_OK(cu().cuModuleLoadData(&module, ptx("faults.ptx").c_str()));
        ASSERT_OK(cu().cuMemAlloc(&memory, bytes));
        ASSERT_OK(cu().cuMemsetD8(memory, 0, 256));
    }
    CUresult run(const char* kernel, long long argument) {
        CUfunction function = nullptr;
        EXPECT_OK(cu().cuModuleGetFunction(&function, module, kernel));
        void* parameters[] = {&memory, &argument};
        EXPECT_OK(cu().cuLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
        return cu().cuCtxSynchronize();
    }
    void expect_sticky(CUresult code) {
        CUdeviceptr other = 0;
        CUstream stream = nullptr;
        for (int round = 0; round < 2; ++round) {
            EXPECT_CU(code, cu().cuMemAlloc(&other, 16));
            EXPECT_CU(code, cu().cuStreamCreate(&stream, 0));
            EXPECT_CU(code, cu().cuMemsetD8(memory, 0, 1));
            EXPECT_CU(code, cu().cuCtxSynchronize());
        }
    }

    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUdeviceptr memory = 0;
};

TEST_P(FaultReportTest, SaysWhereAndIsSticky) {
    const FaultCase& test = GetParam();
    if (!in_process_of_its_own({std::string("CUPRUM_SIM=") + test.check})) return;
    if (!cu().simulated && test.told == Told::by_the_simulator) GTEST_SKIP() << "GPUs do not tell this fault";
    load();
    EXPECT_CU(test.code, run(test.kernel, test.argument));
    if (cu().simulated) expect_report(test);
    expect_sticky(test.code);
}

// As on a GPU: what was lost can be put away, and the process gets no other context on the device.
TEST_F(FaultReportTest, LosesTheDeviceForTheProcess) {
    if (!in_process_of_its_own()) return;
    load();
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, run("stop", 0));
    CUcontext other = nullptr;
    EXPECT_OK(cu().cuDevicePrimaryCtxReset(0));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuDevicePrimaryCtxRetain(&other, 0));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuCtxCreate(&other, nullptr, 0, 0));
}

TEST_F(FaultReportTest, OfAContextOfOnesOwnLosesTheDeviceToo) {
    if (!in_process_of_its_own()) return;
    CUcontext own = nullptr, other = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&own, nullptr, 0, 0));
    ASSERT_OK(cu().cuModuleLoadData(&module, ptx("faults.ptx").c_str()));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, run("stop", 0));
    EXPECT_OK(cu().cuCtxDestroy(own));
    EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu().cuCtxCreate(&other, nullptr, 0, 0));
}

// Large, so that a GPU takes the pages away.
TEST_F(FaultReportTest, FreedMemoryIsOneOfThem) {
    if (!in_process_of_its_own()) return;
    load(64 << 20);
    ASSERT_OK(cu().cuMemFree(memory));
    EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, run("read_freed", 16));
    if (cu().simulated) {
        expect_report({"read_freed",
                       CUDA_ERROR_ILLEGAL_ADDRESS,
                       Told::everywhere,
                       16,
                       {"read 4 bytes at 0x", "inside the cuMemAlloc of 67108864 bytes", "which has been freed"}});
    }
    expect_sticky(CUDA_ERROR_ILLEGAL_ADDRESS);
}

std::string name_of_case(const testing::TestParamInfo<FaultCase>& info) {
    return std::to_string(info.index) + "_" + info.param.kernel;
}

INSTANTIATE_TEST_SUITE_P(Kernels, FaultReportTest, testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace cuprum::test
