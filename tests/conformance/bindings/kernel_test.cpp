// Modules, libraries, kernels, launches.
#include <array>

#include "fixture.hpp"

namespace cuprum::bindings::test {
namespace {

class Kernels : public WithContext {
protected:
    void SetUp() override {
        WithContext::SetUp();
        ASSERT_OK(driver::cuMemAlloc(&numbers, count * sizeof(int)));
        ASSERT_OK(driver::cuMemsetD32(numbers, 1, count));
    }
    void TearDown() override {
        EXPECT_OK(driver::cuMemFree(numbers));
        WithContext::TearDown();
    }

    const std::string& ptx = add_ptx;
    unsigned int count = 100;
    CUdeviceptr numbers = 0;
    int amount = 41;
    std::array<void*, 3> arguments{&numbers, &amount, &count};
};

TEST_F(Kernels, AModulesFunctionIsLaunched) {
    const Shows shows{
        "cuModuleLoadData", "cuModuleGetFunction", "cuModuleGetGlobal",  "cuModuleUnload",
        "cuLaunchKernel",   "cuCtxSynchronize",    "cuFuncGetAttribute", "cuOccupancyMaxActiveBlocksPerMultiprocessor"};
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    ASSERT_OK(driver::cuModuleLoadData(&module, ptx.c_str()));
    ASSERT_OK(driver::cuModuleGetFunction(&function, module, "add"));
    CUfunction other = function;
    EXPECT_EQ(driver::cuModuleGetFunction(&other, module, "subtract"), CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(other, nullptr);
    EXPECT_OK(driver::cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments.data(), nullptr));
    EXPECT_OK(driver::cuCtxSynchronize());
    EXPECT_EQ(download<int>(numbers, count), std::vector<int>(count, 42));

    CUdeviceptr variable = 0;
    std::size_t bytes = 0;
    EXPECT_OK(driver::cuModuleGetGlobal(&variable, &bytes, module, "offset"));
    EXPECT_EQ(bytes, 4u);
    EXPECT_OK(driver::cuMemsetD32(variable, 2, 1));
    EXPECT_OK(driver::cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments.data(), nullptr));
    EXPECT_EQ(download<int>(numbers, count), std::vector<int>(count, 42 + 43));

    int threads = 0;
    EXPECT_OK(driver::cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    EXPECT_GE(threads, 32);
    EXPECT_OK(driver::cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
    CUmodule of_function = nullptr;
    EXPECT_OK(driver::cuFuncGetModule(&of_function, function));
    EXPECT_EQ(of_function, module);
    int blocks = 0;
    EXPECT_OK(driver::cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 32, 0));
    EXPECT_GE(blocks, 1);
    int grid = 0;
    int block = 0;
    EXPECT_OK(driver::cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 0));
    EXPECT_GE(block, 32);
    EXPECT_OK(driver::cuModuleUnload(module));
    if (driver::is_simulator()) {  // a driver may follow a stale handle
        EXPECT_EQ(driver::cuModuleGetFunction(&other, module, "add"), CUDA_ERROR_INVALID_HANDLE);
    }
}

TEST_F(Kernels, ALibrarysKernelIsLaunchedWithAttributes) {
    const Shows shows{"cuLibraryLoadData", "cuLibraryGetKernel", "cuLibraryUnload"};
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    ASSERT_OK(driver::cuLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASSERT_OK(driver::cuLibraryGetKernel(&kernel, library, "add"));
    const char* name = nullptr;
    EXPECT_OK(driver::cuKernelGetName(&name, kernel));
    EXPECT_STREQ(name, "add");
    std::size_t offset = 0;
    std::size_t size = 0;
    EXPECT_OK(driver::cuKernelGetParamInfo(kernel, 1, &offset, &size));
    EXPECT_EQ(offset, 8u);
    EXPECT_EQ(size, 4u);
    int threads = 0;
    EXPECT_OK(driver::cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, device));
    EXPECT_GE(threads, 32);
    CUfunction function = nullptr;
    ASSERT_OK(driver::cuKernelGetFunction(&function, kernel));
    CUlaunchConfig configuration{};
    configuration.gridDimX = 4;
    configuration.gridDimY = configuration.gridDimZ = 1;
    configuration.blockDimX = 32;
    configuration.blockDimY = configuration.blockDimZ = 1;
    EXPECT_OK(driver::cuLaunchKernelEx(&configuration, function, arguments.data(), nullptr));
    EXPECT_EQ(download<int>(numbers, count), std::vector<int>(count, 42));
    CUdeviceptr variable = 0;
    std::size_t bytes = 0;
    EXPECT_OK(driver::cuLibraryGetGlobal(&variable, &bytes, library, "offset"));
    EXPECT_EQ(bytes, 4u);
    unsigned int kernels = 0;
    EXPECT_OK(driver::cuLibraryGetKernelCount(&kernels, library));
    EXPECT_EQ(kernels, 1u);
    CUmodule module = nullptr;
    EXPECT_OK(driver::cuLibraryGetModule(&module, library));
    EXPECT_OK(driver::cuLibraryUnload(library));
}

TEST_F(Kernels, CompilerOptionsAreArraysOfKeysAndValues) {
    const Shows shows{"cuModuleLoadDataEx"};
    std::array<char, 4096> log{};
    std::array<CUjit_option, 2> keys{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    CUmodule module = nullptr;
    EXPECT_NE(driver::cuModuleLoadDataEx(&module, "no PTX at all", 2, keys.data(), values.data()), CUDA_SUCCESS);
    EXPECT_NE(log[0], '\0') << "the compiler's message is where the option says";
    ASSERT_OK(driver::cuModuleLoadDataEx(&module, ptx.c_str(), 2, keys.data(), values.data()));
    CUfunction function = nullptr;
    EXPECT_OK(driver::cuModuleGetFunction(&function, module, "add"));
    EXPECT_OK(driver::cuModuleUnload(module));
}

TEST_F(Kernels, ACooperativeLaunchRunsAllBlocks) {
    const Shows shows{"cuLaunchCooperativeKernel"};
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    ASSERT_OK(driver::cuModuleLoadData(&module, ptx.c_str()));
    ASSERT_OK(driver::cuModuleGetFunction(&function, module, "add"));
    EXPECT_OK(driver::cuLaunchCooperativeKernel(function, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments.data()));
    EXPECT_EQ(download<int>(numbers, count), std::vector<int>(count, 42));
    EXPECT_OK(driver::cuModuleUnload(module));
}

TEST_F(Kernels, LinkedCodeIsLoadedAndLaunched) {
    const Shows shows{"cuLinkCreate", "cuLinkAddData", "cuLinkComplete", "cuLinkDestroy"};
    CUlinkState link = nullptr;
    void* code = nullptr;
    std::size_t bytes = 0;
    ASSERT_OK(driver::cuLinkCreate(0, nullptr, nullptr, &link));
    ASSERT_OK(driver::cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(ptx.c_str()), ptx.size() + 1, "add.ptx",
                                    0, nullptr, nullptr));
    ASSERT_OK(driver::cuLinkComplete(link, &code, &bytes));
    EXPECT_GT(bytes, 0u);
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    ASSERT_OK(driver::cuModuleLoadData(&module, code));
    EXPECT_OK(driver::cuLinkDestroy(link));  // the code goes with it, what was loaded stays
    ASSERT_OK(driver::cuModuleGetFunction(&function, module, "add"));
    EXPECT_OK(driver::cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments.data(), nullptr));
    EXPECT_EQ(download<int>(numbers, count), std::vector<int>(count, 42));
    EXPECT_OK(driver::cuModuleUnload(module));
}

TEST_F(Kernels, ACapturedLaunchIsDoneEachTimeItsGraphIsLaunched) {
    const Shows shows{"cuStreamBeginCapture", "cuStreamEndCapture", "cuGraphInstantiate",
                      "cuGraphLaunch",        "cuGraphExecDestroy", "cuGraphDestroy"};
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUstream stream = nullptr;
    CUgraph graph = nullptr;
    CUgraphExec executable = nullptr;
    ASSERT_OK(driver::cuModuleLoadData(&module, ptx.c_str()));
    ASSERT_OK(driver::cuModuleGetFunction(&function, module, "add"));
    ASSERT_OK(driver::cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(driver::cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    EXPECT_OK(driver::cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, stream, arguments.data(), nullptr));
    ASSERT_OK(driver::cuStreamEndCapture(stream, &graph));
    ASSERT_OK(driver::cuGraphInstantiate(&executable, graph, 0));
    EXPECT_OK(driver::cuGraphDestroy(graph));  // what was made of it stays
    EXPECT_EQ(download<int>(numbers, count), std::vector<int>(count, 1)) << "capturing does nothing yet";
    for (int launch = 1; launch <= 2; ++launch) {
        EXPECT_OK(driver::cuGraphLaunch(executable, stream));
        EXPECT_OK(driver::cuStreamSynchronize(stream));
        EXPECT_EQ(download<int>(numbers, count), std::vector<int>(count, 1 + 41 * launch));
    }
    EXPECT_OK(driver::cuGraphExecDestroy(executable));
    EXPECT_OK(driver::cuStreamDestroy(stream));
    EXPECT_OK(driver::cuModuleUnload(module));
}

}  // namespace
}  // namespace cuprum::bindings::test
