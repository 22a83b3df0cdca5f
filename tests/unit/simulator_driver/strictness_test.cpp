// What the simulator refuses or reports, and in which words.
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "driver_api.hpp"
#include "driver_log.hpp"

namespace cuprum::test {
namespace {

class StrictnessTest : public DriverTest {};

TEST_F(StrictnessTest, TheDevicesNameSaysWhatItIs) {
    char name[100] = "";
    ASSERT_OK(cu().cuDeviceGetName(name, sizeof name, 0));
    EXPECT_STREQ(name, "Cuprum simulator (no GPU)");
}

TEST_F(StrictnessTest, FreshMemoryIsPoisoned) {
    for (const size_t bytes : {size_t{100}, size_t{100000}, size_t{40} << 20}) {
        const CUdeviceptr pointer = allocate(bytes);
        for (const unsigned char byte : download<unsigned char>(pointer, bytes)) {
            ASSERT_EQ(byte, 0xCB);
        }
    }
}

TEST_F(StrictnessTest, LargePoisonedMemoryCanBeWrittenAndFreed) {
    const size_t words = 10 << 20;
    for (int round = 0; round < 3; ++round) {
        CUdeviceptr pointer = 0;
        ASSERT_OK(cu().cuMemAlloc(&pointer, words * 4));
        ASSERT_OK(cu().cuMemsetD32(pointer, 17, words));
        EXPECT_EQ(download<unsigned>(pointer + (words - 1) * 4, 1), std::vector<unsigned>{17});
        ASSERT_OK(cu().cuMemFree(pointer));
    }
}

TEST_F(StrictnessTest, TheHostCannotReadDeviceMemory) {
    const CUdeviceptr pointer = allocate(4096);
    const pid_t child = fork();
    if (child == 0) {
        // Without the handlers that report crashes at length.
        signal(SIGSEGV, SIG_DFL);
        volatile char byte = *reinterpret_cast<volatile char*>(pointer);
        _exit(byte == 0 ? 1 : 2);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the host could read device memory";
    EXPECT_EQ(WTERMSIG(status), SIGSEGV);
}

TEST_F(StrictnessTest, FreedMemoryIsRecognised) {
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAlloc(&pointer, 4096));
    ASSERT_OK(cu().cuMemFree(pointer));
    int word = 0;
    const std::string text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyDtoH(&word, pointer + 8, 4));
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFree(pointer));
    });
    EXPECT_TRUE(says(text, {"cuMemcpyDtoH", "cuMemFree", "cuMemAlloc of 4096 bytes", "has been freed"}));
}

TEST_F(StrictnessTest, FreedAddressesRestBeforeTheyAreUsedAgain) {
    CUdeviceptr first = 0;
    ASSERT_OK(cu().cuMemAlloc(&first, 4096));
    ASSERT_OK(cu().cuMemFree(first));
    for (int round = 0; round < 100; ++round) {
        CUdeviceptr next = 0;
        ASSERT_OK(cu().cuMemAlloc(&next, 4096));
        EXPECT_NE(next, first);
        ASSERT_OK(cu().cuMemFree(next));
    }
}

TEST_F(StrictnessTest, CopiesAreCheckedToTheByte) {
    const CUdeviceptr pointer = allocate(1001);
    std::vector<char> host(2000);
    const std::string text = log_of([&] {
        EXPECT_OK(cu().cuMemcpyHtoD(pointer, host.data(), 1001));
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyHtoD(pointer, host.data(), 1002));
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyDtoH(host.data(), pointer + 1001, 1));
    });
    EXPECT_TRUE(says(text, {"1 bytes past the end of the cuMemAlloc of 1001 bytes"}));
}

TEST_F(StrictnessTest, HandlesAreChecked) {
    const CUstream stream = new_stream();
    CUstream gone = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&gone, 0));
    ASSERT_OK(cu().cuStreamDestroy(gone));
    int local = 0;
    const std::string text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuStreamSynchronize(gone));
        EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuStreamDestroy(gone));
        EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuStreamSynchronize(reinterpret_cast<CUstream>(&local)));
        EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuEventSynchronize(reinterpret_cast<CUevent>(stream)));
        EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuEventSynchronize(nullptr));
        EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuModuleUnload(nullptr));
        EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuCtxSetCurrent(reinterpret_cast<CUcontext>(&local)));
    });
    EXPECT_TRUE(says(text, {"was destroyed", "that this driver gave out",
                            "is a handle of kind stream; one of kind event is expected", "the event handle is null"}));
}

TEST_F(StrictnessTest, ModulesOfADestroyedContextAreGone) {
    CUcontext own = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&own, nullptr, 0, device));
    CUmodule loaded = nullptr;
    CUstream stream = nullptr;
    CUevent event = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&loaded, ptx("kernels.ptx").c_str()));
    CUfunction found = nullptr;
    ASSERT_OK(cu().cuModuleGetFunction(&found, loaded, "nothing"));
    ASSERT_OK(cu().cuStreamCreate(&stream, 0));
    ASSERT_OK(cu().cuEventCreate(&event, 0));
    ASSERT_OK(cu().cuCtxDestroy(own));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuModuleUnload(loaded));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuLaunchKernel(found, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuStreamSynchronize(stream));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuEventQuery(event));
    EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuCtxDestroy(own));
}

TEST_F(StrictnessTest, ADestroyedContextThatIsStillCurrentElsewhereIsRecognised) {
    CUcontext own = nullptr;
    ASSERT_OK(cu().cuCtxCreate(&own, nullptr, 0, device));
    std::atomic<int> step{0};
    std::thread other([&] {
        ASSERT_OK(cu().cuCtxSetCurrent(own));
        step = 1;
        while (step != 2)
            std::this_thread::yield();
        CUdeviceptr pointer = 0;
        EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cu().cuMemAlloc(&pointer, 16));
    });
    while (step != 1)
        std::this_thread::yield();
    EXPECT_OK(cu().cuCtxDestroy(own));
    step = 2;
    other.join();
}

TEST_F(StrictnessTest, AMissingKernelsReportNamesThoseThereAre) {
    const std::string text = log_of([&] {
        CUfunction missing = nullptr;
        EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu().cuModuleGetFunction(&missing, module(), "saxpi"));
        CUdeviceptr pointer = 0;
        EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu().cuModuleGetGlobal(&pointer, nullptr, module(), "countr"));
    });
    EXPECT_TRUE(says(text, {"no kernel 'saxpi'", "'saxpy'", "'fill'", "no global variable 'countr'", "'counter'"}));
}

TEST_F(StrictnessTest, ALaunchOverALimitNamesLimitAndValue) {
    const CUfunction nothing = function("nothing");
    const std::string text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
                  cu().cuLaunchKernel(nothing, 1, 1, 1, 64, 32, 1, 0, nullptr, nullptr, nullptr));
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
                  cu().cuLaunchKernel(nothing, 1, 70000, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
                  cu().cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 50000, nullptr, nullptr, nullptr));
    });
    EXPECT_TRUE(says(text, {"kernel 'nothing'", "2048 threads", "1024", "gridDimY is 70000", "65535",
                            "50000 bytes of dynamic shared memory", "49152"}));
}

TEST_F(StrictnessTest, MachineCodeIsRefusedWithAdvice) {
    char elf[64] =
        "\x7f"
        "ELF\x02\x01\x01";
    elf[18] = static_cast<char>(190);  // e_machine: EM_CUDA
    const unsigned lto[16] = {0x7f4e43ed};
    CUmodule loaded = nullptr;
    const std::string text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_NO_BINARY_FOR_GPU, cu().cuModuleLoadData(&loaded, elf));
        EXPECT_CU(CUDA_ERROR_INVALID_IMAGE, cu().cuModuleLoadData(&loaded, lto));
    });
    EXPECT_TRUE(says(text, {"cubin", "LTO-IR", "compute_80"}));
}

// A fat binary with one image, as nvcc --no-compress writes it.
std::string fat_binary(uint16_t kind, uint32_t architecture, const std::string& image) {
    std::string bytes;
    const auto append = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    append(uint32_t{0xba55ed50});
    append(uint16_t{1});
    append(uint16_t{16});
    append(uint64_t{80 + image.size()});
    append(kind);
    append(uint16_t{0x0101});
    append(uint32_t{80});
    append(uint64_t{image.size()});
    append(uint64_t{0});  // not compressed
    append(uint32_t{0x00090000});
    append(architecture);
    append(uint64_t{0});
    append(uint64_t{0x11});  // flags
    append(uint64_t{0});
    append(uint64_t{0});
    append(uint64_t{0});
    append(uint64_t{0});
    return bytes + image;
}

TEST_F(StrictnessTest, PtxInFatBinariesIsLoaded) {
    const std::string binary = fat_binary(1, 75, ptx("kernels.ptx") + '\0');
    CUmodule loaded = nullptr;
    CUfunction found = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&loaded, binary.data()));
    EXPECT_OK(cu().cuModuleGetFunction(&found, loaded, "fill"));
    EXPECT_OK(cu().cuModuleUnload(loaded));
}

TEST_F(StrictnessTest, FatBinariesWithoutUsablePtxAreRefused) {
    CUmodule loaded = nullptr;
    const std::string text = log_of([&] {
        const std::string machine_code = fat_binary(2, 80, std::string(64, 'x'));
        EXPECT_CU(CUDA_ERROR_NO_BINARY_FOR_GPU, cu().cuModuleLoadData(&loaded, machine_code.data()));
        const std::string for_a_newer_device = fat_binary(1, 120, ptx("kernels.ptx"));
        EXPECT_CU(CUDA_ERROR_NO_BINARY_FOR_GPU, cu().cuModuleLoadData(&loaded, for_a_newer_device.data()));
    });
    EXPECT_TRUE(says(text, {"holds no PTX that compute capability 8.0 can run", "compute_80"}));
}

TEST_F(StrictnessTest, FilesThatAreCutShortAreRefused) {
    const std::string whole = fat_binary(1, 75, ptx("kernels.ptx"));
    char path[] = "/tmp/cuprum-image-test-XXXXXX";
    ASSERT_GE(mkstemp(path), 0);
    for (const size_t length : {size_t{4}, size_t{20}, size_t{70}, size_t{1000}}) {
        std::ofstream(path, std::ios::binary).write(whole.data(), static_cast<std::streamsize>(length));
        CUmodule loaded = nullptr;
        EXPECT_CU(CUDA_ERROR_INVALID_IMAGE, cu().cuModuleLoad(&loaded, path)) << length;
    }
    std::remove(path);
}

TEST_F(StrictnessTest, UnsupportedFunctionsSaySoOnce) {
    const auto get_plane = reinterpret_cast<decltype(&cuArrayGetPlane)>(cu().symbol("cuArrayGetPlane"));
    ASSERT_NE(get_plane, nullptr);
    const std::string text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, get_plane(nullptr, nullptr, 0));
        EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, get_plane(nullptr, nullptr, 0));
    });
    EXPECT_TRUE(says(text, {"cuArrayGetPlane: CUDA_ERROR_NOT_SUPPORTED"}));
    EXPECT_EQ(text.find("cuArrayGetPlane"), text.rfind("cuArrayGetPlane")) << text;
}

TEST_F(StrictnessTest, MemoryOfAStreamIsNoOtherStreamsBeforeItsTurn) {
    if (!in_process_of_its_own()) return;
    const CUstream first = new_stream(), second = new_stream();
    Gate gate;
    gate.close_in(first);
    CUdeviceptr pointer = 0;
    ASSERT_OK(cu().cuMemAllocAsync(&pointer, 64, first));
    const std::string text = log_of([&] {
        EXPECT_OK(cu().cuMemsetD8Async(pointer, 0, 64, second));
        EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cu().cuStreamSynchronize(second));
    });
    EXPECT_TRUE(says(text, {"not allocated in the order of the streams"}));
    gate.open();
    // What is left cannot be put away in order: the context is out of service.
    _exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST_F(StrictnessTest, ALogCallbackHearsEveryLine) {
    std::vector<std::string> lines;
    const auto collect = [](void* data, CUlogLevel, char* message, size_t length) {
        static_cast<std::vector<std::string>*>(data)->emplace_back(message, length);
    };
    CUlogsCallbackHandle handle = nullptr;
    ASSERT_OK(cu().cuLogsRegisterCallback(collect, &lines, &handle));
    CUdeviceptr pointer = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAlloc(&pointer, 0));
    ASSERT_OK(cu().cuLogsUnregisterCallback(handle));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuLogsUnregisterCallback(handle));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAlloc(&pointer, 0));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0], "cuMemAlloc: CUDA_ERROR_INVALID_VALUE: the size is 0 bytes");
}

TEST_F(StrictnessTest, TheLogKeepsTheMostRecentLines) {
    CUlogIterator start = 0;
    ASSERT_OK(cu().cuLogsCurrent(&start, 0));
    CUdeviceptr pointer = 0;
    for (int round = 0; round < 150; ++round) {
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAlloc(&pointer, 0));
    }
    CUlogIterator from = start;
    std::string text(25600, '\0');
    size_t size = text.size();
    ASSERT_OK(cu().cuLogsDumpToMemory(&from, text.data(), &size, 0));
    text.resize(size);
    EXPECT_EQ(from, start + 150);
    EXPECT_TRUE(says(text, {"older log lines have been dropped"}));
    // A small buffer gets the last lines that fit, and the iterator is at the end all the same.
    from = start;
    size = 150;
    ASSERT_OK(cu().cuLogsDumpToMemory(&from, text.data(), &size, 0));
    EXPECT_LT(size, 150u);
    EXPECT_TRUE(says(text.substr(0, size), {"most recent", "the size is 0 bytes"}));
    from = start;
    size = 5;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuLogsDumpToMemory(&from, text.data(), &size, 0));
    EXPECT_EQ(size, 0u);
}

TEST_F(StrictnessTest, TheLogCanBeWrittenToAFile) {
    CUlogIterator start = 0;
    ASSERT_OK(cu().cuLogsCurrent(&start, 0));
    CUdeviceptr pointer = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAlloc(&pointer, 0));
    char path[] = "/tmp/cuprum-log-test-XXXXXX";
    ASSERT_GE(mkstemp(path), 0);
    ASSERT_OK(cu().cuLogsDumpToFile(&start, path, 0));
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    EXPECT_TRUE(says(text, {"cuMemAlloc"}));
    std::remove(path);
}

// The library as such.

TEST(LibraryFileTest, IsNotWhatOthersGetAsLibcuda) {
    cu();
    // Loaded by path, it has another name: who asks for libcuda.so.1 gets a driver, or nothing.
    void* other = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    EXPECT_EQ(other, nullptr);
    EXPECT_NE(dlopen("libcuprum-simulator-cuda.so", RTLD_NOW | RTLD_NOLOAD), nullptr);
}

TEST(LibraryFileTest, ExportsOldAndPerThreadForms) {
    for (const char* name : {"cuMemAlloc", "cuMemAlloc_v2", "cuMemcpyHtoD_v2_ptds", "cuLaunchKernel_ptsz",
                             "cuGraphCreate", "cuStreamGetCaptureInfo_v3_ptsz", "cuCtxCreate_v4"}) {
        EXPECT_NE(cu().symbol(name), nullptr) << name;
    }
    EXPECT_EQ(cu().symbol("_ZN6cuprum9simulator7libcuda6driverEv"), nullptr);
}

// Processes.

TEST(ProcessTest, AForkedChildIsNotInitialised) {
    int count = 0;
    ASSERT_OK(cu().cuDeviceGetCount(&count));
    const pid_t child = fork();
    if (child == 0) {
        CUcontext context = nullptr;
        const bool refused = cu().cuInit(0) == CUDA_ERROR_NOT_INITIALIZED &&
                             cu().cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED &&
                             cu().cuCtxGetCurrent(&context) == CUDA_ERROR_NOT_INITIALIZED;
        _exit(refused ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(ProcessTest, MayExitWithWorkInFlight) {
    if (!in_process_of_its_own()) return;
    CUcontext context = nullptr;
    ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, 0));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
    for (int index = 0; index < 4; ++index) {
        CUstream stream = nullptr;
        ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        for (int round = 0; round < 100; ++round) {
            ASSERT_OK(cu().cuLaunchHostFunc(
                stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }, nullptr));
        }
    }
}

}  // namespace
}  // namespace cuprum::test
