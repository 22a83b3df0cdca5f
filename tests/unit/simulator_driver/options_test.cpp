// The environment variable CUPRUM_SIM.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <string>
#include <unordered_set>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

// The test's part in its own process, where the driver is not initialised yet.
const char* driver_path() {
    return std::getenv("CUPRUM_TEST_DRIVER");
}

template <typename Function>
Function* load(const char* name) {
    static void* const library = dlopen(driver_path(), RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function*>(library ? dlsym(library, name) : nullptr);
}

// Runs the test again with CUPRUM_SIM set; true there.
bool with_options(const std::string& options) {
    return in_process_of_its_own({"CUPRUM_SIM=" + options});
}

std::string refusal(const char* expected_part) {
    EXPECT_EQ(load<decltype(cuInit)>("cuInit")(0), CUDA_ERROR_INVALID_VALUE);
    char text[4096] = "";
    size_t size = sizeof text;
    EXPECT_EQ(load<decltype(cuLogsDumpToMemory)>("cuLogsDumpToMemory")(nullptr, text, &size, 0), CUDA_SUCCESS);
    EXPECT_NE(std::strstr(text, expected_part), nullptr) << text;
    int count = 0;
    EXPECT_EQ(load<decltype(cuDeviceGetCount)>("cuDeviceGetCount")(&count), CUDA_ERROR_NOT_INITIALIZED);
    return text;
}

int attribute(CUdevice_attribute which) {
    int value = -1;
    EXPECT_OK(cu().cuDeviceGetAttribute(&value, which, 0));
    return value;
}

TEST(OptionsTest, AnUnknownOptionIsNamed) {
    if (!with_options("sed=7")) return;
    refusal(
        "unknown option 'sed'; the options are seed, devices, memory, cc, cuda, multiprocessors, threads, timeout, "
        "launch, trace, check, profile, break, video");
}

TEST(OptionsTest, ABadNumberOfDevicesIsNamed) {
    if (!with_options("devices=many")) return;
    refusal("devices=many is not valid, expected a number from 0 to 16");
}

TEST(OptionsTest, ABadCheckIsNamed) {
    if (!with_options("check=leeks")) return;
    refusal("check=leeks is not valid, expected some of leaks, memory, races and registers");
}

// Each option with what it cannot be, and what is said of that.
struct Refusal {
    const char* option;
    const char* said;
};
class RefusedOptionTest : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedOptionTest, IsNamedWithItsValueAndWhatIsPossible) {
    if (!with_options(GetParam().option)) return;
    refusal(GetParam().said);
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedOptionTest,
    testing::Values(
        Refusal{"cc=8.1", "CUPRUM_SIM: cc=8.1 is not valid, expected one of 7.5, 8.0, 8.6, 8.7, 8.8, 8.9, 9.0, 10.0"},
        Refusal{"cuda=11.8", "CUPRUM_SIM: cuda=11.8 is not valid, expected a CUDA version from 12.0 to 13.5"},
        Refusal{"cuda=13.6", "expected a CUDA version from 12.0 to 13.5"},
        Refusal{"cuda=13", "expected a CUDA version from 12.0 to 13.5"},
        Refusal{"cuda=13.0.1", "expected a CUDA version from 12.0 to 13.5"},
        Refusal{"cc", "CUPRUM_SIM: cc= is not valid, expected one of 7.5"},
        Refusal{"devices=17", "CUPRUM_SIM: devices=17 is not valid, expected a number from 0 to 16"},
        Refusal{"devices=1.5", "CUPRUM_SIM: devices=1.5 is not valid, expected a number from 0 to 16"},
        Refusal{"memory=15MiB", "CUPRUM_SIM: memory=15MiB is not valid, expected a size from 16MiB to 1024GiB"},
        Refusal{"memory=-1GiB", "CUPRUM_SIM: memory=-1GiB is not valid, expected a size from 16MiB to 1024GiB"},
        Refusal{"multiprocessors=0", "CUPRUM_SIM: multiprocessors=0 is not valid, expected a number from 1 to 256"},
        Refusal{"threads=257", "CUPRUM_SIM: threads=257 is not valid, expected a number from 1 to 256"},
        Refusal{"seed=-1", "CUPRUM_SIM: seed=-1 is not valid, expected a whole number of at most 64 bits"},
        Refusal{"timeout=30", "CUPRUM_SIM: timeout=30 is not valid, expected a time from 1ms to a year"},
        Refusal{"timeout=0s", "CUPRUM_SIM: timeout=0s is not valid, expected a time from 1ms to a year"},
        Refusal{"timeout=1h", "such as 30s or 500ms"},
        Refusal{"launch=all", "CUPRUM_SIM: launch=all is not valid, expected none"},
        Refusal{"trace=", "CUPRUM_SIM: trace= is not valid, expected the name of a file that can be written"},
        Refusal{"profile=", "CUPRUM_SIM: profile= is not valid, expected the name of a file that can be written"},
        Refusal{"check=", "CUPRUM_SIM: check= is not valid, expected some of leaks, memory, races and registers"},
        Refusal{"break=", "CUPRUM_SIM: break= is not valid, expected kernel, kernel:line, kernel:file.cu:line"},
        Refusal{"break=kernel:first", "a line is a number from 1 on"},
        Refusal{"check=memory+", "CUPRUM_SIM: check=memory+ is not valid, expected some of leaks"},
        Refusal{"video=h200", "CUPRUM_SIM: video=h200 is not valid, expected isa (results as the PTX ISA says) or gpu"},
        Refusal{"colour=blue", "CUPRUM_SIM: unknown option 'colour'; the options are seed, devices"}));

TEST(OptionsTest, CheckMemoryFindsWhatNeitherCopyNorKernelHasWritten) {
    if (!with_options("check=memory+registers")) return;
    const char* const text =
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
        ".reg .b64 %d; .reg .b32 %r;\nld.param.u64 %d, [p];\nld.global.u32 %r, [%d];\n"
        "st.global.u32 [%d], %r;\nret;\n}\n";
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction kernel = nullptr;
    CUdeviceptr buffer = 0, part = 0;
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, 0));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
    ASSERT_OK(cu().cuModuleLoadData(&module, text));
    ASSERT_OK(cu().cuModuleGetFunction(&kernel, module, "k"));
    ASSERT_OK(cu().cuMemAlloc(&buffer, 64));
    ASSERT_OK(cu().cuMemsetD8(buffer, 0, 8));
    const uint32_t value = 1;
    ASSERT_OK(cu().cuMemcpyHtoD(buffer + 8, &value, sizeof value));
    void* parameters[] = {&part};
    for (const CUdeviceptr offset : {0, 4, 8}) {
        part = buffer + offset;
        ASSERT_OK(cu().cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
        ASSERT_OK(cu().cuCtxSynchronize());
    }
    part = buffer + 12;
    ASSERT_OK(cu().cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    EXPECT_EQ(cu().cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
    char log[4096] = "";
    size_t size = sizeof log;
    EXPECT_EQ(load<decltype(cuLogsDumpToMemory)>("cuLogsDumpToMemory")(nullptr, log, &size, 0), CUDA_SUCCESS);
    EXPECT_NE(std::strstr(log, "read 4 bytes of device memory"), nullptr) << log;
}

// What the test's own process writes to standard error and to a trace when it ends without freeing.
TEST(OptionsTest, LeaksAreListedAtTheEnd) {
    const std::string file = "/tmp/cuprum_leaks_" + std::to_string(getpid()) + ".txt";
    if (!with_options("check=leaks,trace=" + file)) {
        std::ifstream in(file);
        const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        EXPECT_NE(text.find("leak: the cuMemAlloc of 4321 bytes"), std::string::npos) << text;
        EXPECT_NE(text.find("leaks: 4321 bytes in 1 allocations"), std::string::npos) << text;
        EXPECT_EQ(text.find("1234"), std::string::npos) << text;
        std::remove(file.c_str());
        return;
    }
    CUcontext context = nullptr;
    CUdeviceptr kept = 0, freed = 0;
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, 0));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
    ASSERT_OK(cu().cuMemAlloc(&kept, 4321));
    ASSERT_OK(cu().cuMemAlloc(&freed, 1234));
    ASSERT_OK(cu().cuMemFree(freed));
}

TEST(OptionsTest, AProfileIsWrittenWhenTheProcessEnds) {
    const std::string file = "/tmp/cuprum_profile_" + std::to_string(getpid()) + ".txt";
    if (!with_options("profile=" + file)) {
        for (const char* const ending : {"", ".html"}) {
            std::ifstream in(file + ending);
            const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
            EXPECT_NE(text.find("profiled"), std::string::npos) << text;
            EXPECT_NE(text.find("not times"), std::string::npos) << text;
            std::remove((file + ending).c_str());
        }
        return;
    }
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction kernel = nullptr;
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, 0));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
    ASSERT_OK(cu().cuModuleLoadData(
        &module, ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry profiled()\n{\nret;\n}\n"));
    ASSERT_OK(cu().cuModuleGetFunction(&kernel, module, "profiled"));
    ASSERT_OK(cu().cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
    ASSERT_OK(cu().cuModuleUnload(module));  // what it did is remembered
}

TEST(OptionsTest, AnUnwritableProfileIsNamed) {
    if (!with_options("profile=/no/such/folder/profile")) return;
    refusal("/no/such/folder/profile cannot be opened");
}

TEST(OptionsTest, ABadSizeIsNamed) {
    if (!with_options("seed=1,memory=4GB")) return;
    refusal("memory=4GB is not valid");
}

TEST(OptionsTest, ABadCapabilityIsNamed) {
    if (!with_options("cc=8")) return;
    refusal("cc=8 is not valid, expected one of 7.5");
}

TEST(OptionsTest, AnUnwritableTraceIsNamed) {
    if (!with_options("trace=/no/such/folder/trace")) return;
    refusal("/no/such/folder/trace cannot be opened");
}

TEST(OptionsTest, NoDevicesIsNoDevice) {
    if (!with_options("devices=0")) return;
    EXPECT_EQ(load<decltype(cuInit)>("cuInit")(0), CUDA_ERROR_NO_DEVICE);
}

TEST(OptionsTest, BeforeCuInitNothingWorks) {
    if (!in_process_of_its_own()) return;
    int count = 0;
    EXPECT_EQ(load<decltype(cuDeviceGetCount)>("cuDeviceGetCount")(&count), CUDA_ERROR_NOT_INITIALIZED);
    CUcontext context = nullptr;
    EXPECT_EQ(load<decltype(cuCtxGetCurrent)>("cuCtxGetCurrent")(&context), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(load<decltype(cuInit)>("cuInit")(1), CUDA_ERROR_INVALID_VALUE);
}

TEST(OptionsTest, TheDefaultIsOneDeviceOfCapability80With4GiB) {
    if (!with_options("")) return;
    int count = 0;
    ASSERT_OK(cu().cuDeviceGetCount(&count));
    EXPECT_EQ(count, 1);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), 8);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), 0);
    size_t bytes = 0;
    ASSERT_OK(cu().cuDeviceTotalMem(&bytes, 0));
    EXPECT_EQ(bytes, size_t{4} << 30);
}

TEST(OptionsTest, OptionsAreObeyed) {
    if (!with_options("devices=3,memory=64MiB,cc=7.5,seed=5")) return;
    int count = 0;
    ASSERT_OK(cu().cuDeviceGetCount(&count));
    EXPECT_EQ(count, 3);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), 7);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), 5);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR), 1024);
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&context, nullptr, 0, 2));
    CUdeviceptr pointer = 0;
    EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cu().cuMemAlloc(&pointer, 65 << 20));
    ASSERT_OK(cu().cuMemAlloc(&pointer, 63 << 20));
    CUdeviceptr second = 0;
    EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cu().cuMemAlloc(&second, 2 << 20));
    ASSERT_OK(cu().cuMemFree(pointer));
    EXPECT_OK(cu().cuMemAlloc(&second, 2 << 20));
    int ordinal = -1;
    EXPECT_OK(cu().cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, second));
    EXPECT_EQ(ordinal, 2);
}

std::string module_text(const char* version, const char* target) {
    return std::string(".version ") + version + "\n.target " + target +
           "\n.address_size 64\n.visible .entry k() { ret; }\n";
}

CUresult loading(const char* version, const char* target) {
    CUmodule module = nullptr;
    return cu().cuModuleLoadData(&module, module_text(version, target).c_str());
}

TEST(OptionsTest, TheDefaultIsTheNewestWhichLoadsAnyPtxWhoseInstructionsAreKnown) {
    if (!with_options("")) return;
    int version = 0;
    ASSERT_EQ(load<decltype(cuDriverGetVersion)>("cuDriverGetVersion")(&version), CUDA_SUCCESS) << "before cuInit";
    EXPECT_EQ(version, 13050);
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&context, nullptr, 0, 0));
    EXPECT_OK(loading("9.5", "sm_75"));
    EXPECT_OK(loading("12.3", "sm_75"));
}

struct Release {
    const char* option;
    int version;
    const char* newest;
    const char* later;
};
class CudaVersionTest : public testing::TestWithParam<Release> {};

TEST_P(CudaVersionTest, LoadsThePtxThatItsDriverLoadsAndNoLaterOne) {
    if (!with_options(GetParam().option)) return;
    int version = 0;
    ASSERT_EQ(load<decltype(cuDriverGetVersion)>("cuDriverGetVersion")(&version), CUDA_SUCCESS);
    EXPECT_EQ(version, GetParam().version);
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&context, nullptr, 0, 0));
    EXPECT_OK(loading(GetParam().newest, "sm_75"));
    EXPECT_CU(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, loading(GetParam().later, "sm_75"));
    void* function = nullptr;
    CUdriverProcAddressQueryResult found{};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuGetProcAddress("cuMemAlloc", &function, version + 10, 0, &found));
}

// The simulator is built with the headers of CUDA 13.0: functions of later versions are there for who asks for them.
TEST(OptionsTest, FunctionsOfLaterVersionsAreFoundInTheVersionThatHasThemAndSayThatTheyAreNotSimulated) {
    if (!with_options("cuda=13.5")) return;
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&context, nullptr, 0, 0));
    const auto find = [](const char* name, int version, cuuint64_t flags, CUdriverProcAddressQueryResult expected) {
        void* function = nullptr;
        CUdriverProcAddressQueryResult found{};
        EXPECT_OK(cu().cuGetProcAddress(name, &function, version, flags, &found));
        EXPECT_EQ(found, expected) << name;
        return function;
    };
    void* const get_id = find("cuGraphGetId", 13010, 0, CU_GET_PROC_ADDRESS_SUCCESS);
    EXPECT_EQ(get_id, cu().symbol("cuGraphGetId"));
    EXPECT_EQ(find("cuGraphGetId", 13000, 0, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT), nullptr);
    // A later form of a function that was there before, and its form for the per-thread default stream.
    EXPECT_EQ(find("cuLaunchHostFunc", 13000, 0, CU_GET_PROC_ADDRESS_SUCCESS), cu().symbol("cuLaunchHostFunc"));
    EXPECT_EQ(find("cuLaunchHostFunc", 13050, 0, CU_GET_PROC_ADDRESS_SUCCESS), cu().symbol("cuLaunchHostFunc_v2"));
    const cuuint64_t per_thread = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    EXPECT_EQ(find("cuMemcpyWithAttributesAsync", 13050, per_thread, CU_GET_PROC_ADDRESS_SUCCESS),
              cu().symbol("cuMemcpyWithAttributesAsync_ptsz"));
    EXPECT_EQ(find("cuMemcpyWithAttributesAsync", 13050, 0, CU_GET_PROC_ADDRESS_SUCCESS),
              cu().symbol("cuMemcpyWithAttributesAsync"));

    void* const cliques = find("cuDeviceGetCliqueCount", 13040, 0, CU_GET_PROC_ADDRESS_SUCCESS);
    unsigned int count = 7;
    EXPECT_EQ(reinterpret_cast<CUresult (*)(CUdevice, unsigned int*)>(cliques)(0, &count), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(count, 7U);
    char text[4096] = "";
    size_t size = sizeof text;
    EXPECT_OK(cu().cuLogsDumpToMemory(nullptr, text, &size, 0));
    EXPECT_NE(std::strstr(text, "cuDeviceGetCliqueCount"), nullptr) << text;
}

TEST(OptionsTest, AnOlderVersionHasNoFunctionsOfLaterOnes) {
    if (!with_options("cuda=13.0")) return;
    void* function = &function;
    CUdriverProcAddressQueryResult found{};
    EXPECT_OK(cu().cuGetProcAddress("cuGraphGetId", &function, 13000, 0, &found));
    EXPECT_EQ(found, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    EXPECT_EQ(function, nullptr);
}

INSTANTIATE_TEST_SUITE_P(All, CudaVersionTest,
                         testing::Values(Release{"cuda=12.4", 12040, "8.4", "8.5"},
                                         Release{"cuda=12.6", 12060, "8.5", "8.6"},
                                         Release{"cuda=12.9", 12090, "8.8", "9.0"},
                                         Release{"cuda=13.2", 13020, "9.2", "9.3"}));

TEST(OptionsTest, NewArchitecturesRunOlderCodeAndTheirOwn) {
    if (!with_options("cc=12.1")) return;
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), 12);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), 1);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR), 1536);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR), 24);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR), 100 * 1024);
    EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), 99 * 1024);
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&context, nullptr, 0, 0));
    for (const char* target : {"sm_75", "sm_90", "sm_100", "sm_120", "sm_120f", "sm_121", "sm_121a", "sm_121f"})
        EXPECT_OK(loading("9.0", target)) << target;
    for (const char* target : {"sm_90a", "sm_100a", "sm_100f", "sm_103f", "sm_120a"})
        EXPECT_CU(CUDA_ERROR_INVALID_PTX, loading("9.0", target)) << target;
}

TEST(OptionsTest, LaunchesCanBeSwitchedOff) {
    if (!with_options("launch=none")) return;
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&context, nullptr, 0, 0));
    CUmodule module = nullptr;
    CUfunction kernel = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&module,
                                    ".version 7.0\n.target sm_70\n.address_size 64\n"
                                    ".visible .entry fault() {\n    trap;\n}\n"));
    ASSERT_OK(cu().cuModuleGetFunction(&kernel, module, "fault"));
    ASSERT_OK(cu().cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    EXPECT_OK(cu().cuCtxSynchronize());
}

TEST(OptionsTest, AnotherLaunchOptionIsRefused) {
    if (!with_options("launch=some")) return;
    refusal("launch=some is not valid, expected none");
}

TEST(OptionsTest, MemoryIsReusedForLong) {
    if (!with_options("memory=64MiB")) return;
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&context, nullptr, 0, 0));
    // Many times as much as there are addresses, in sizes that do not fit one another.
    for (int round = 0; round < 300; ++round) {
        CUdeviceptr first = 0, second = 0;
        ASSERT_OK(cu().cuMemAlloc(&first, (3 << 20) + round * 1000)) << round;
        ASSERT_OK(cu().cuMemAlloc(&second, 777 + round)) << round;
        ASSERT_OK(cu().cuMemsetD8(first, 1, 1000));
        ASSERT_OK(cu().cuMemFree(first));
        ASSERT_OK(cu().cuMemFree(second));
    }
}

TEST(OptionsTest, MemoryOfADeviceThatIsLargerThanTheHostIsShared) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the thread sanitizer leaves no room for so many addresses";
#endif
    if (!with_options("memory=1024GiB")) return;
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&context, nullptr, 0, 0));
    CUdeviceptr memory = 0;
    ASSERT_OK(cu().cuMemAlloc(&memory, 4096));
    CUipcMemHandle handle{};
    EXPECT_OK(cu().cuIpcGetMemHandle(&handle, memory));
}

// Also when all addresses have been used several times over.
TEST(OptionsTest, AddressesOfFreedMemoryRest) {
    if (!with_options("memory=16MiB")) return;
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&context, nullptr, 0, 0));
    constexpr size_t longest = 16'000;
    std::deque<CUdeviceptr> order;
    std::unordered_set<CUdeviceptr> resting;
    for (int round = 0; round < 300'000; ++round) {
        CUdeviceptr memory = 0;
        ASSERT_OK(cu().cuMemAlloc(&memory, 1 + round % 500));
        ASSERT_TRUE(resting.insert(memory).second) << "freed fewer than " << longest << " allocations ago";
        ASSERT_OK(cu().cuMemFree(memory));
        order.push_back(memory);
        if (order.size() <= longest) continue;
        resting.erase(order.front());
        order.pop_front();
    }
}

TEST(OptionsTest, ASeedDelaysWorkButKeepsItsOrder) {
    if (!with_options("seed=42")) return;
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&context, nullptr, 0, 0));
    CUstream stream = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&stream, 0));
    std::vector<int> list;
    struct Note {
        std::vector<int>* list;
        int number;
    };
    std::vector<Note> notes(100);
    for (int number = 0; number < 100; ++number) {
        notes[static_cast<size_t>(number)] = {&list, number};
        ASSERT_OK(cu().cuLaunchHostFunc(
            stream,
            [](void* data) {
                const auto* note = static_cast<Note*>(data);
                note->list->push_back(note->number);
            },
            &notes[static_cast<size_t>(number)]));
    }
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    ASSERT_EQ(list.size(), 100u);
    for (int number = 0; number < 100; ++number) {
        EXPECT_EQ(list[static_cast<size_t>(number)], number);
    }
}

TEST(OptionsTest, TheTraceHasLaunchesAndErrors) {
    const std::string parent_path = "/tmp/cuprum-trace-test-" + std::to_string(getpid());
    if (!with_options("trace=" + parent_path)) {
        std::ifstream file(parent_path);
        const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        EXPECT_NE(text.find("launch: kernel 'nothing' grid 3,1,1 block 32,1,1"), std::string::npos) << text;
        EXPECT_NE(text.find("error: cuMemAlloc"), std::string::npos) << text;
        std::remove(parent_path.c_str());
        return;
    }
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&context, nullptr, 0, 0));
    CUmodule module = nullptr;
    CUfunction nothing = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&module, ptx("kernels.ptx").c_str()));
    ASSERT_OK(cu().cuModuleGetFunction(&nothing, module, "nothing"));
    ASSERT_OK(cu().cuLaunchKernel(nothing, 3, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
    ASSERT_OK(cu().cuCtxSynchronize());
    CUdeviceptr pointer = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAlloc(&pointer, 0));
}

}  // namespace
}  // namespace cuprum::test
