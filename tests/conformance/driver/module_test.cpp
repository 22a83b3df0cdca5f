#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

class ModuleTest : public DriverTest {};

TEST_F(ModuleTest, FunctionsAreFoundByName) {
    EXPECT_NE(function("saxpy"), nullptr);
    EXPECT_EQ(function("saxpy"), function("saxpy"));
    CUfunction missing = nullptr;
    EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu().cuModuleGetFunction(&missing, module(), "saxpi"));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuModuleGetFunction(&missing, module(), nullptr));
}

TEST_F(ModuleTest, FunctionsAreCountedAndListed) {
    unsigned int count = 0;
    ASSERT_OK(cu().cuModuleGetFunctionCount(&count, module()));
    EXPECT_EQ(count, 13u);
    std::vector<CUfunction> functions(count);
    ASSERT_OK(cu().cuModuleEnumerateFunctions(functions.data(), count, module()));
    for (const CUfunction listed : functions) {
        const char* name = nullptr;
        ASSERT_OK(cu().cuFuncGetName(&name, listed));
        EXPECT_EQ(function(name), listed);
    }
}

TEST_F(ModuleTest, FunctionsKnowTheirModule) {
    CUmodule owner = nullptr;
    ASSERT_OK(cu().cuFuncGetModule(&owner, function("saxpy")));
    EXPECT_EQ(owner, module());
}

TEST_F(ModuleTest, VariablesHaveAddressesAndValues) {
    CUdeviceptr pointer = 0;
    size_t bytes = 0;
    ASSERT_OK(cu().cuModuleGetGlobal(&pointer, &bytes, module(), "counter"));
    EXPECT_EQ(bytes, 4u);
    EXPECT_EQ(download<int>(pointer, 1), std::vector<int>{41});
    ASSERT_OK(cu().cuModuleGetGlobal(&pointer, &bytes, module(), "table"));
    EXPECT_EQ(bytes, 16u);
    EXPECT_EQ(download<int>(pointer, 4), (std::vector<int>{10, 20, 30, 40}));
    EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu().cuModuleGetGlobal(&pointer, &bytes, module(), "chair"));
    EXPECT_OK(cu().cuModuleGetGlobal(&pointer, nullptr, module(), "counter"));
}

TEST_F(ModuleTest, KernelsSeeWhatTheHostWritesIntoVariables) {
    CUdeviceptr counter = 0, table = 0;
    ASSERT_OK(cu().cuModuleGetGlobal(&counter, nullptr, module(), "counter"));
    ASSERT_OK(cu().cuModuleGetGlobal(&table, nullptr, module(), "table"));
    const int values[] = {5, 6, 7, 8}, start = 100;
    ASSERT_OK(cu().cuMemcpyHtoD(table, values, sizeof values));
    ASSERT_OK(cu().cuMemcpyHtoD(counter, &start, sizeof start));
    CUdeviceptr out = allocate(20);
    ASSERT_OK(launch(function("read_variables"), 1, 1, nullptr, {&out}));
    EXPECT_EQ(download<int>(out, 5), (std::vector<int>{100, 5, 6, 7, 8}));
    EXPECT_EQ(download<int>(counter, 1), std::vector<int>{101});
}

TEST_F(ModuleTest, EachLoadHasVariablesOfItsOwn) {
    CUmodule second = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&second, ptx("kernels.ptx").c_str()));
    CUdeviceptr of_first = 0, of_second = 0;
    EXPECT_OK(cu().cuModuleGetGlobal(&of_first, nullptr, module(), "counter"));
    EXPECT_OK(cu().cuModuleGetGlobal(&of_second, nullptr, second, "counter"));
    EXPECT_NE(of_first, of_second);
    EXPECT_OK(cu().cuModuleUnload(second));
}

TEST_F(ModuleTest, ParametersHaveOffsetsAndSizes) {
    const std::vector<std::pair<size_t, size_t>> expected = {{0, 1}, {8, 8}, {16, 2}, {24, 16}, {40, 4}, {48, 8}};
    const CUfunction mixed = function("mixed");
    for (size_t index = 0; index < expected.size(); ++index) {
        size_t offset = 99, size = 99;
        ASSERT_OK(cu().cuFuncGetParamInfo(mixed, index, &offset, &size));
        EXPECT_EQ(std::pair(offset, size), expected[index]) << index;
    }
    size_t offset = 0, size = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuFuncGetParamInfo(mixed, expected.size(), &offset, &size));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuFuncGetParamInfo(function("nothing"), 0, &offset, &size));
}

TEST_F(ModuleTest, FunctionsHaveAttributes) {
    const auto attribute = [&](const char* name, CUfunction_attribute which) {
        int value = -1;
        EXPECT_OK(cu().cuFuncGetAttribute(&value, which, function(name)));
        return value;
    };
    EXPECT_EQ(attribute("saxpy", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
    EXPECT_EQ(attribute("bounded", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 128);
    EXPECT_EQ(attribute("saxpy", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 0);
    EXPECT_EQ(attribute("static_shared", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 1024);
    EXPECT_GT(attribute("saxpy", CU_FUNC_ATTRIBUTE_NUM_REGS), 0);
    EXPECT_EQ(attribute("saxpy", CU_FUNC_ATTRIBUTE_PTX_VERSION), 75);
    EXPECT_EQ(attribute("saxpy", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), 48 * 1024);
    EXPECT_EQ(attribute("static_shared", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), 48 * 1024 - 1024);
    int value = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(31), function("saxpy")));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuFuncSetAttribute(function("saxpy"), CU_FUNC_ATTRIBUTE_NUM_REGS, 3));
}

TEST_F(ModuleTest, FunctionsAreLoaded) {
    CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
    EXPECT_OK(cu().cuFuncLoad(function("saxpy")));
    EXPECT_OK(cu().cuFuncIsLoaded(&state, function("saxpy")));
    EXPECT_EQ(state, CU_FUNCTION_LOADING_STATE_LOADED);
}

TEST_F(ModuleTest, FunctionsAreLoadedByTheirFirstLaunch) {
    CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
    ASSERT_OK(launch(function("nothing"), 1, 1, nullptr, {}));
    EXPECT_OK(cu().cuFuncIsLoaded(&state, function("nothing")));
    EXPECT_EQ(state, CU_FUNCTION_LOADING_STATE_LOADED);
    CUmoduleLoadingMode mode{};
    EXPECT_OK(cu().cuModuleGetLoadingMode(&mode));
    EXPECT_TRUE(mode == CU_MODULE_EAGER_LOADING || mode == CU_MODULE_LAZY_LOADING);
    ASSERT_OK(cu().cuCtxSynchronize());
}

TEST_F(ModuleTest, FunctionsTakeTheBankWidthsOfOldDevices) {
    // Deprecated: cuda.h's declaration would be warned of.
    const auto set_banks =
        reinterpret_cast<CUresult (*)(CUfunction, CUsharedconfig)>(cu().symbol("cuFuncSetSharedMemConfig"));
    int unknown = 3;
    EXPECT_OK(set_banks(function("fill"), CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, set_banks(function("fill"), static_cast<CUsharedconfig>(unknown)));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, set_banks(nullptr, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE));
}

TEST_F(ModuleTest, ManagedVariablesAreReachedByTheHost) {
    const char* const text =
        ".version 7.0\n.target sm_75\n.address_size 64\n"
        ".visible .global .attribute(.managed) .align 4 .u32 answer = 41;\n"
        ".visible .entry count()\n{\n"
        "  .reg .b32 %r<3>;\n"
        "  ld.global.u32 %r1, [answer];\n  add.u32 %r2, %r1, 1;\n  st.global.u32 [answer], %r2;\n  ret;\n}\n";
    CUlibrary library = nullptr;
    ASSERT_OK(cu().cuLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CUkernel kernel = nullptr;
    CUdeviceptr pointer = 0;
    size_t bytes = 0;
    ASSERT_OK(cu().cuLibraryGetManaged(&pointer, &bytes, library, "answer"));
    EXPECT_EQ(bytes, 4u);
    ASSERT_OK(cu().cuLibraryGetKernel(&kernel, library, "count"));
    ASSERT_OK(launch(reinterpret_cast<CUfunction>(kernel), 1, 1, nullptr, {}));
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(*reinterpret_cast<volatile unsigned*>(pointer), 42u);
    unsigned int managed = 0;
    EXPECT_OK(cu().cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer));
    EXPECT_EQ(managed, 1u);
    EXPECT_OK(cu().cuLibraryUnload(library));
}

// nvcc 13 writes __device__ and __constant__ variables so.
TEST_F(ModuleTest, VariablesWithoutLinkageAreFoundByTheirNames) {
    const char* const text =
        ".version 7.0\n.target sm_75\n.address_size 64\n"
        ".global .align 4 .u32 unused = 41;\n.const .align 4 .b8 table[8] = {1, 2, 3};\n"
        ".visible .entry nothing()\n{\n  ret;\n}\n";
    CUmodule loaded = nullptr;
    CUlibrary library = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&loaded, text));
    ASSERT_OK(cu().cuLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CUdeviceptr pointer = 0;
    size_t bytes = 0;
    ASSERT_OK(cu().cuModuleGetGlobal(&pointer, &bytes, loaded, "unused"));
    EXPECT_EQ(bytes, 4u);
    EXPECT_EQ(download<int>(pointer, 1), std::vector<int>{41});
    ASSERT_OK(cu().cuLibraryGetGlobal(&pointer, &bytes, library, "table"));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuLibraryGetGlobal(&pointer, &bytes, library, ""));
    EXPECT_EQ(bytes, 8u);
    EXPECT_EQ(download<uint8_t>(pointer, 4), (std::vector<uint8_t>{1, 2, 3, 0}));
    EXPECT_OK(cu().cuLibraryUnload(library));
    EXPECT_OK(cu().cuModuleUnload(loaded));
}

TEST_F(ModuleTest, ManagedVariablesOfALibraryAreThereWithoutAContext) {
    const char* const text =
        ".version 7.0\n.target sm_75\n.address_size 64\n"
        ".global .attribute(.managed) .align 4 .u32 answer = 40;\n"
        ".visible .entry count()\n{\n"
        "  .reg .b32 %r<3>;\n"
        "  ld.global.u32 %r1, [answer];\n  add.u32 %r2, %r1, 1;\n  st.global.u32 [answer], %r2;\n  ret;\n}\n";
    CUlibrary library = nullptr;
    CUcontext popped = nullptr;
    ASSERT_OK(cu().cuCtxPopCurrent(&popped));
    ASSERT_OK(cu().cuLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CUdeviceptr without = 0;
    EXPECT_OK(cu().cuLibraryGetManaged(&without, nullptr, library, "answer"));
    ASSERT_OK(cu().cuCtxPushCurrent(popped));
    ASSERT_NE(without, 0u);
    *reinterpret_cast<volatile unsigned*>(without) = 41;
    CUkernel kernel = nullptr;
    CUdeviceptr within = 0;
    ASSERT_OK(cu().cuLibraryGetKernel(&kernel, library, "count"));
    ASSERT_OK(launch(reinterpret_cast<CUfunction>(kernel), 1, 1, nullptr, {}));
    ASSERT_OK(cu().cuCtxSynchronize());
    ASSERT_OK(cu().cuLibraryGetManaged(&within, nullptr, library, "answer"));
    EXPECT_EQ(within, without);
    EXPECT_EQ(*reinterpret_cast<volatile unsigned*>(within), 42u);
    EXPECT_OK(cu().cuLibraryUnload(library));
}

// As ptxas has it, which warns that it ignores the qualifier; without a size there is nothing to ignore it for.
TEST_F(ModuleTest, ExternVariablesOfAModuleThatIsNotLinkedAreItsOwn) {
    const std::string begin = ".version 7.0\n.target sm_75\n.address_size 64\n";
    const std::string kernel =
        ".visible .entry k()\n{\n  .reg .b32 %r1;\n  ld.global.u32 %r1, [counter];\n  add.u32 %r1, %r1, 1;\n"
        "  st.global.u32 [counter], %r1;\n  ret;\n}\n";
    CUmodule loaded = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(
        &loaded,
        (begin + ".extern .global .align 4 .u32 counter;\n.extern .const .align 4 .u32 unused;\n" + kernel).c_str()));
    CUfunction k = nullptr;
    CUdeviceptr counter = 0, unused = 0;
    ASSERT_OK(cu().cuModuleGetFunction(&k, loaded, "k"));
    ASSERT_OK(cu().cuModuleGetGlobal(&counter, nullptr, loaded, "counter"));
    EXPECT_EQ(download<unsigned>(counter, 1), std::vector<unsigned>{0});
    ASSERT_OK(launch(k, 1, 1, nullptr, {}));
    EXPECT_EQ(download<unsigned>(counter, 1), std::vector<unsigned>{1});
    ASSERT_OK(cu().cuModuleGetGlobal(&unused, nullptr, loaded, "unused"));
    EXPECT_EQ(download<unsigned>(unused, 1), std::vector<unsigned>{0});
    EXPECT_OK(cu().cuModuleUnload(loaded));
    char errors[4096] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {errors, reinterpret_cast<void*>(sizeof errors)};
    const std::string array = begin + ".extern .global .align 4 .u32 counter[];\n" + kernel;
    EXPECT_CU(CUDA_ERROR_INVALID_PTX, cu().cuModuleLoadDataEx(&loaded, array.c_str(), 2, options, values));
    EXPECT_NE(std::strstr(errors, "counter"), nullptr) << errors;
}

TEST_F(ModuleTest, BadPtxIsRefusedWithALog) {
    const std::string text =
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry broken()\n{\n"
        "  frobnicate.s32 %r1, 2;\n}\n";
    char errors[4096] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {errors, reinterpret_cast<void*>(sizeof errors)};
    CUmodule broken = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_PTX, cu().cuModuleLoadDataEx(&broken, text.c_str(), 2, options, values));
    EXPECT_NE(std::strstr(errors, "line 6"), nullptr) << errors;
    EXPECT_GT(reinterpret_cast<size_t>(values[1]), 0u);
    EXPECT_CU(CUDA_ERROR_INVALID_PTX, cu().cuModuleLoadData(&broken, text.c_str()));
}

// The simulator has the limit of ptxas. A GPU's driver accepts more in PTX: as much as a block can opt in to (H200,
// 580).
TEST_F(ModuleTest, AKernelHasAsMuchStaticSharedMemoryAsItsLimitAndNotMore) {
    const auto text = [](int bytes) {
        const std::string last = std::to_string(bytes - 4);
        return ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
               "  .shared .align 4 .b8 array[" +
               std::to_string(bytes) +
               "];\n  .reg .b64 %rd<3>;\n  .reg .b32 %r<3>;\n  ld.param.u64 %rd1, [out];\n  mov.u64 %rd2, array;\n"
               "  mov.u32 %r1, 7;\n  st.volatile.shared.u32 [%rd2+" +
               last + "], %r1;\n  ld.volatile.shared.u32 %r2, [%rd2+" + last +
               "];\n  st.global.u32 [%rd1], %r2;\n  ret;\n}\n";
    };
    int limit = 0;
    ASSERT_OK(cu().cuDeviceGetAttribute(&limit,
                                        cu().simulated ? CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK
                                                       : CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                                        device));
    CUmodule loaded = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&loaded, text(limit).c_str()));
    CUfunction kernel = nullptr;
    ASSERT_OK(cu().cuModuleGetFunction(&kernel, loaded, "k"));
    CUdeviceptr out = allocate(4);
    ASSERT_OK(launch(kernel, 1, 1, nullptr, {&out}));
    EXPECT_EQ(download<int>(out, 1), std::vector<int>{7});
    EXPECT_OK(cu().cuModuleUnload(loaded));
    char errors[4096] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {errors, reinterpret_cast<void*>(sizeof errors)};
    EXPECT_CU(CUDA_ERROR_INVALID_PTX, cu().cuModuleLoadDataEx(&loaded, text(limit + 4).c_str(), 2, options, values));
    EXPECT_NE(std::strstr(errors, "shared"), nullptr) << errors;
}

TEST_F(ModuleTest, ALibraryOfBadPtxIsRefusedWhenItIsFirstUsed) {
    const std::string kernel = ".visible .entry k() { frobnicate; }\n";
    const std::pair<std::string, CUresult> texts[] = {
        {".version 7.0\n.target sm_75\n.address_size 64\n" + kernel, CUDA_ERROR_INVALID_PTX},
        {"garbage", CUDA_ERROR_INVALID_IMAGE},
    };
    for (const auto& [text, expected] : texts) {
        CUlibrary library = nullptr;
        ASSERT_OK(cu().cuLibraryLoadData(&library, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
        unsigned int count = 77;
        EXPECT_OK(cu().cuLibraryGetKernelCount(&count, library));
        EXPECT_EQ(count, 0u);
        CUkernel found = nullptr;
        EXPECT_OK(cu().cuLibraryEnumerateKernels(&found, 1, library));
        EXPECT_CU(expected, cu().cuLibraryGetKernel(&found, library, "k")) << text;
        CUmodule module = nullptr;
        EXPECT_CU(expected, cu().cuLibraryGetModule(&module, library)) << text;
        CUdeviceptr variable = 0;
        size_t size = 0;
        EXPECT_CU(expected, cu().cuLibraryGetGlobal(&variable, &size, library, "v")) << text;
        EXPECT_OK(cu().cuLibraryUnload(library));
    }
}

TEST_F(ModuleTest, AShortLogBufferHoldsTheBeginningOfTheLog) {
    const std::string text =
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry broken()\n{\n"
        "  frobnicate.s32 %r1, 2;\n}\n";
    char errors[16];
    std::memset(errors, 'x', sizeof errors);
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {errors, reinterpret_cast<void*>(size_t{8})};
    CUmodule broken = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_PTX, cu().cuModuleLoadDataEx(&broken, text.c_str(), 2, options, values));
    EXPECT_LT(std::strlen(errors), 16u);
    for (size_t index = 8; index < sizeof errors; ++index) {
        EXPECT_EQ(errors[index], 'x') << "written past the buffer's end";
    }
}

TEST_F(ModuleTest, PtxForOtherDriversAndDevicesIsRefused) {
    if (!in_process_of_its_own({"CUPRUM_SIM=cuda=13.0"})) return;
    const std::string rest = "\n.address_size 64\n.visible .entry k() { ret; }\n";
    CUmodule loaded = nullptr;
    EXPECT_CU(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
              cu().cuModuleLoadData(&loaded, (".version 9.9\n.target sm_75" + rest).c_str()));
    EXPECT_CU(CUDA_ERROR_INVALID_PTX, cu().cuModuleLoadData(&loaded, (".version 9.0\n.target sm_120" + rest).c_str()));
    EXPECT_CU(CUDA_ERROR_INVALID_PTX,
              cu().cuModuleLoadData(&loaded,
                                    ".version 8.0\n.target sm_75\n.address_size 64\n.extern .func f();\n"
                                    ".visible .entry k() { call f; ret; }\n"));
    EXPECT_OK(cu().cuModuleLoadData(&loaded, (".version 6.4\n.target sm_70" + rest).c_str()));
    EXPECT_OK(cu().cuModuleUnload(loaded));
}

TEST_F(ModuleTest, ImagesThatAreNothingAreRefused) {
    CUmodule broken = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_IMAGE, cu().cuModuleLoadData(&broken, "this is no program"));
    EXPECT_CU(CUDA_ERROR_INVALID_IMAGE, cu().cuModuleLoadData(&broken, ""));
    const char elf[96] =
        "\x7f"
        "ELF";
    EXPECT_CU(CUDA_ERROR_INVALID_IMAGE, cu().cuModuleLoadData(&broken, elf));
    const unsigned lto[24] = {0x7f4e43ed};
    EXPECT_CU(CUDA_ERROR_INVALID_IMAGE, cu().cuModuleLoadData(&broken, lto));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuModuleLoadData(&broken, nullptr));
    EXPECT_OK(cu().cuCtxSynchronize());
}

TEST_F(ModuleTest, AreLoadedFromFiles) {
    char path[] = "/tmp/cuprum-driver-test-XXXXXX";
    const int file = mkstemp(path);
    ASSERT_GE(file, 0);
    std::ofstream(path) << ptx("kernels.ptx");
    CUmodule loaded = nullptr;
    EXPECT_OK(cu().cuModuleLoad(&loaded, path));
    CUfunction found = nullptr;
    EXPECT_OK(cu().cuModuleGetFunction(&found, loaded, "fill"));
    EXPECT_OK(cu().cuModuleUnload(loaded));
    CUlibrary library = nullptr;
    EXPECT_OK(cu().cuLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr, nullptr, 0));
    EXPECT_OK(cu().cuLibraryUnload(library));
    std::remove(path);
    EXPECT_CU(CUDA_ERROR_FILE_NOT_FOUND, cu().cuModuleLoad(&loaded, path));
}

// Libraries.

class LibraryTest : public DriverTest {
protected:
    void SetUp() override {
        DriverTest::SetUp();
        ASSERT_OK(
            cu().cuLibraryLoadData(&library, ptx("kernels.ptx").c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    }
    void TearDown() override {
        EXPECT_OK(cu().cuLibraryUnload(library));
        DriverTest::TearDown();
    }
    CUkernel kernel(const char* name) {
        CUkernel found = nullptr;
        EXPECT_OK(cu().cuLibraryGetKernel(&found, library, name));
        return found;
    }

    CUlibrary library = nullptr;
};

TEST_F(LibraryTest, KernelsAreFoundByName) {
    const char* name = nullptr;
    ASSERT_OK(cu().cuKernelGetName(&name, kernel("fill")));
    EXPECT_STREQ(name, "fill");
    CUlibrary owner = nullptr;
    EXPECT_OK(cu().cuKernelGetLibrary(&owner, kernel("fill")));
    EXPECT_EQ(owner, library);
    CUkernel missing = nullptr;
    EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu().cuLibraryGetKernel(&missing, library, "pour"));
}

TEST_F(LibraryTest, KernelsAreCountedAndListed) {
    unsigned int count = 0;
    ASSERT_OK(cu().cuLibraryGetKernelCount(&count, library));
    EXPECT_EQ(count, 13u);
    std::vector<CUkernel> kernels(count);
    ASSERT_OK(cu().cuLibraryEnumerateKernels(kernels.data(), count, library));
    for (const CUkernel listed : kernels) {
        const char* name = nullptr;
        EXPECT_OK(cu().cuKernelGetName(&name, listed));
        EXPECT_EQ(kernel(name), listed);
    }
}

TEST_F(LibraryTest, AKernelIsLaunchedAsFunction) {
    CUdeviceptr pointer = allocate(400);
    unsigned value = 12, n = 100;
    void* parameters[] = {&pointer, &value, &n};
    ASSERT_OK(cu().cuLaunchKernel(reinterpret_cast<CUfunction>(kernel("fill")), 1, 1, 1, 128, 1, 1, 0, nullptr,
                                  parameters, nullptr));
    EXPECT_EQ(download<unsigned>(pointer, 100), std::vector<unsigned>(100, 12));
}

TEST_F(LibraryTest, AKernelHasAFunctionInEachContext) {
    CUfunction here = nullptr, there = nullptr;
    ASSERT_OK(cu().cuKernelGetFunction(&here, kernel("fill")));
    CUcontext own = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&own, nullptr, 0, device));
    ASSERT_OK(cu().cuKernelGetFunction(&there, kernel("fill")));
    EXPECT_NE(here, there);
    ASSERT_OK(cu().cuCtxDestroy(own));
    CUdeviceptr pointer = allocate(4);
    unsigned value = 1, n = 1;
    EXPECT_OK(launch(here, 1, 1, nullptr, {&pointer, &value, &n}));
    EXPECT_EQ(download<unsigned>(pointer, 1), std::vector<unsigned>{1});
}

TEST_F(LibraryTest, VariablesAndModuleAreThoseOfTheContext) {
    CUdeviceptr of_library = 0, of_module = 0;
    size_t bytes = 0;
    ASSERT_OK(cu().cuLibraryGetGlobal(&of_library, &bytes, library, "counter"));
    EXPECT_EQ(bytes, 4u);
    CUmodule loaded = nullptr;
    ASSERT_OK(cu().cuLibraryGetModule(&loaded, library));
    EXPECT_OK(cu().cuModuleGetGlobal(&of_module, nullptr, loaded, "counter"));
    EXPECT_EQ(of_library, of_module);
}

TEST_F(LibraryTest, AttributesAreSetPerDevice) {
    int value = 0;
    ASSERT_OK(
        cu().cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel("reverse"), device));
    EXPECT_EQ(value, 48 * 1024);
    ASSERT_OK(cu().cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60 * 1024, kernel("reverse"),
                                        device));
    CUfunction function_here = nullptr;
    ASSERT_OK(cu().cuKernelGetFunction(&function_here, kernel("reverse")));
    ASSERT_OK(cu().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function_here));
    EXPECT_EQ(value, 60 * 1024);
}

TEST_F(LibraryTest, KernelsTakeACacheConfiguration) {
    int unknown = 4;
    EXPECT_OK(cu().cuKernelSetCacheConfig(kernel("fill"), CU_FUNC_CACHE_PREFER_L1, device));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuKernelSetCacheConfig(kernel("fill"), static_cast<CUfunc_cache>(unknown), device));
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu().cuKernelSetCacheConfig(kernel("fill"), CU_FUNC_CACHE_PREFER_L1, 1000));
}

TEST_F(LibraryTest, HasNoFunctionsForHostAndDevice) {
    void* function = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuLibraryGetUnifiedFunction(&function, library, "fill"));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuLibraryGetUnifiedFunction(&function, library, "no_such"));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuLibraryGetUnifiedFunction(&function, nullptr, "fill"));
}

TEST_F(LibraryTest, ParametersHaveOffsetsAndSizes) {
    size_t offset = 0, size = 0;
    ASSERT_OK(cu().cuKernelGetParamInfo(kernel("saxpy"), 2, &offset, &size));
    EXPECT_EQ(offset, 16u);
    EXPECT_EQ(size, 8u);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuKernelGetParamInfo(kernel("saxpy"), 4, &offset, &size));
}

}  // namespace
}  // namespace cuprum::test
