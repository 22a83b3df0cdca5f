// What a program makes and unmakes by the million leaves nothing behind.
//
// Each object is made and unmade over and over in a process of its own, and the process must be as large afterwards as
// before: the heap to a byte or two for each time, its pages to a few. CUPRUM_TEST_SOAK=10000000 says how many times
// (the default takes seconds altogether); CUPRUM_TEST_SOAK_REPORT=1 prints the numbers.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool measures_memory = false;  // a sanitizer keeps freed memory, and is itself no small part of it
#else
constexpr bool measures_memory = true;
#endif

const char* const small_module =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 total;\n"
    ".visible .entry nothing()\n{\n    ret;\n}\n"
    ".visible .entry fill(.param .u64 p)\n{\n.reg .b64 %d;\n ld.param.u64 %d, [p];\n st.global.u32 [%d], 1;\n "
    "ret;\n}\n";

uint64_t resident_bytes() {
    uint64_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t heap_bytes() {
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

// How many times for an object that takes `cost` times as long as the cheapest.
uint64_t times(uint64_t cost) {
    const char* const text = std::getenv("CUPRUM_TEST_SOAK");
    const uint64_t most = text != nullptr ? std::strtoull(text, nullptr, 10) : 200'000;
    return std::max<uint64_t>(most / cost, 1000);
}

class SoakTest : public testing::Test {
protected:
    void start() {
        ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, 0));
        ASSERT_OK(cu().cuCtxSetCurrent(context));
        ASSERT_OK(cu().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        ASSERT_OK(cu().cuModuleLoadData(&module, small_module));
        ASSERT_OK(cu().cuModuleGetFunction(&nothing, module, "nothing"));
        ASSERT_OK(cu().cuModuleGetFunction(&fill, module, "fill"));
        // What is remembered of freed memory has reached its limit.
        for (int k = 0; k < 20'000; ++k) {
            CUdeviceptr memory = 0;
            ASSERT_OK(cu().cuMemAlloc(&memory, 1));
            ASSERT_OK(cu().cuMemFree(memory));
        }
    }

    // Does it a fifth as often first, so that what is kept up to a limit has reached it, or `at_first` times. What
    // grows with the most that was ever under way, as queues do, may grow once on a machine with other work; a leak
    // grows again.
    void expect_flat(uint64_t count, const std::function<void(uint64_t)>& once, uint64_t at_first = 0) {
        const uint64_t before = std::max(count / 5, at_first);
        for (uint64_t k = 0; k < before && !HasFailure(); ++k)
            once(k);
        ASSERT_OK(cu().cuCtxSynchronize());
        Growth growth = growth_of(count, before, once);
        for (int again = 1; again < 3 && growth.is_leak(count); ++again)
            growth = growth_of(count, before + count * again, once);
        if (!measures_memory) return;
        EXPECT_LE(growth.heap, most_heap(count)) << "bytes of the heap, after " << count;
        EXPECT_LE(growth.resident, most_resident(count)) << "resident bytes, after " << count;
    }

private:
    // In bytes.
    struct Growth {
        double heap = 0, resident = 0;
        bool is_leak(uint64_t count) const { return heap > most_heap(count) || resident > most_resident(count); }
    };
    // The heap's free pieces lie here and there, and hold some pages more or less.
    static double most_heap(uint64_t count) { return 64 * 1024.0 + static_cast<double>(count); }
    static double most_resident(uint64_t count) { return 8 * 1024 * 1024.0 + static_cast<double>(count); }

    Growth growth_of(uint64_t count, uint64_t first, const std::function<void(uint64_t)>& once) {
        const auto begin = std::chrono::steady_clock::now();
        const uint64_t heap = heap_bytes(), resident = resident_bytes();
        for (uint64_t k = first; k < first + count && !HasFailure(); ++k)
            once(k);
        EXPECT_OK(cu().cuCtxSynchronize());
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        const auto difference = [](uint64_t now, uint64_t then) {
            return static_cast<double>(now) - static_cast<double>(then);
        };
        const double heap_growth = difference(heap_bytes(), heap);
        const double resident_growth = difference(resident_bytes(), resident);
        if (std::getenv("CUPRUM_TEST_SOAK_REPORT") != nullptr) {
            std::printf("%-28s %9llu times, %6.1f s: heap %+9.0f bytes (%+.3f each), resident %+7.2f MiB of %.1f\n",
                        testing::UnitTest::GetInstance()->current_test_info()->name(),
                        static_cast<unsigned long long>(count), seconds.count(), heap_growth,
                        heap_growth / static_cast<double>(count), resident_growth / (1 << 20),
                        static_cast<double>(resident_bytes()) / (1 << 20));
        }
        return {heap_growth, resident_growth};
    }

protected:
    CUcontext context = nullptr;
    CUstream stream = nullptr;
    CUmodule module = nullptr;
    CUfunction nothing = nullptr, fill = nullptr;
};

// Addresses are used again within the test: 16 MiB have four times as many.
#define ALONE()                                                      \
    if (!in_process_of_its_own({"CUPRUM_SIM=memory=16MiB"})) return; \
    start()

TEST_F(SoakTest, SmallAllocations) {
    ALONE();
    expect_flat(times(1), [&](uint64_t k) {
        CUdeviceptr memory = 0;
        ASSERT_OK(cu().cuMemAlloc(&memory, 1 + k % 3000));
        ASSERT_OK(cu().cuMemFree(memory));
    });
}

// The default's address space, which many million allocations do not use up.
TEST_F(SoakTest, SmallAllocationsInALargeDevice) {
    if (!in_process_of_its_own()) return;
    start();
    expect_flat(times(1), [&](uint64_t k) {
        CUdeviceptr memory = 0;
        ASSERT_OK(cu().cuMemAlloc(&memory, 1 + k % 3000));
        ASSERT_OK(cu().cuMemFree(memory));
    });
}

// Among others that live on for various times.
TEST_F(SoakTest, AllocationsOfManySizes) {
    ALONE();
    std::mt19937 random(7);
    std::vector<CUdeviceptr> live(256);
    expect_flat(times(2), [&](uint64_t) {
        CUdeviceptr& memory = live[random() % live.size()];
        ASSERT_OK(cu().cuMemFree(memory));
        ASSERT_OK(cu().cuMemAlloc(&memory, 1 + random() % (1u << random() % 16)));
    });
}

TEST_F(SoakTest, AllocationsInAStream) {
    ALONE();
    expect_flat(times(2), [&](uint64_t k) {
        CUdeviceptr memory = 0;
        ASSERT_OK(cu().cuMemAllocAsync(&memory, 1 + k % 3000, stream));
        ASSERT_OK(cu().cuMemFreeAsync(memory, stream));
        if (k % 64 == 0) {
            ASSERT_OK(cu().cuStreamSynchronize(stream));
        }
    });
}

TEST_F(SoakTest, PoolsAndTheirMemory) {
    ALONE();
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    expect_flat(times(4), [&](uint64_t k) {
        // Some can be shared with other processes: its memory is in files.
        properties.handleTypes = k % 16 == 0 ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE;
        CUmemoryPool pool = nullptr;
        CUdeviceptr memory = 0;
        ASSERT_OK(cu().cuMemPoolCreate(&pool, &properties));
        ASSERT_OK(cu().cuMemAllocFromPoolAsync(&memory, 100, pool, stream));
        ASSERT_OK(cu().cuMemFreeAsync(memory, stream));
        ASSERT_OK(cu().cuStreamSynchronize(stream));
        ASSERT_OK(cu().cuMemPoolDestroy(pool));
    });
}

TEST_F(SoakTest, HostMemory) {
    ALONE();
    std::array<char, 64> own{};
    expect_flat(times(4), [&](uint64_t k) {
        void* pinned = nullptr;
        CUdeviceptr managed = 0;
        ASSERT_OK(cu().cuMemAllocHost(&pinned, 1 + k % 5000));
        ASSERT_OK(cu().cuMemAllocManaged(&managed, 1 + k % 5000, CU_MEM_ATTACH_GLOBAL));
        ASSERT_OK(cu().cuMemHostRegister(own.data(), own.size(), 0));
        ASSERT_OK(cu().cuMemHostUnregister(own.data()));
        ASSERT_OK(cu().cuMemFree(managed));
        ASSERT_OK(cu().cuMemFreeHost(pinned));
    });
}

TEST_F(SoakTest, SharedMemory) {
    ALONE();
    expect_flat(times(10), [&](uint64_t) {
        CUdeviceptr memory = 0;
        CUipcMemHandle handle{};
        ASSERT_OK(cu().cuMemAlloc(&memory, 5000));
        ASSERT_OK(cu().cuIpcGetMemHandle(&handle, memory));
        ASSERT_OK(cu().cuMemFree(memory));
    });
}

TEST_F(SoakTest, MappedMemory) {
    ALONE();
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    size_t bytes = 0;
    ASSERT_OK(cu().cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    expect_flat(times(200), [&](uint64_t) {
        CUmemGenericAllocationHandle physical = 0;
        CUdeviceptr address = 0;
        const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
        ASSERT_OK(cu().cuMemCreate(&physical, bytes, &properties, 0));
        ASSERT_OK(cu().cuMemAddressReserve(&address, bytes, 0, 0, 0));
        ASSERT_OK(cu().cuMemMap(address, bytes, 0, physical, 0));
        ASSERT_OK(cu().cuMemSetAccess(address, bytes, &access, 1));
        ASSERT_OK(cu().cuMemUnmap(address, bytes));
        ASSERT_OK(cu().cuMemAddressFree(address, bytes));
        ASSERT_OK(cu().cuMemRelease(physical));
    });
}

TEST_F(SoakTest, Streams) {
    ALONE();
    expect_flat(times(4), [&](uint64_t k) {
        CUstream made = nullptr;
        ASSERT_OK(cu().cuStreamCreate(&made, k % 2 == 0 ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING));
        ASSERT_OK(cu().cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, made, nullptr, nullptr));
        if (k % 4 == 0) {
            ASSERT_OK(cu().cuStreamSynchronize(made));
        }
        ASSERT_OK(cu().cuStreamDestroy(made));
    });
}

TEST_F(SoakTest, Events) {
    ALONE();
    expect_flat(times(1), [&](uint64_t k) {
        CUevent event = nullptr;
        ASSERT_OK(cu().cuEventCreate(&event, CU_EVENT_DEFAULT));
        ASSERT_OK(cu().cuEventRecord(event, stream));
        if (k % 64 == 0) {
            ASSERT_OK(cu().cuEventSynchronize(event));
        }
        ASSERT_OK(cu().cuEventDestroy(event));
    });
}

TEST_F(SoakTest, EventsThatStreamsWaitFor) {
    ALONE();
    CUstream other = nullptr;
    ASSERT_OK(cu().cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    expect_flat(times(4), [&](uint64_t k) {
        CUevent event = nullptr;
        ASSERT_OK(cu().cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
        ASSERT_OK(cu().cuEventRecord(event, stream));
        ASSERT_OK(cu().cuStreamWaitEvent(other, event, 0));
        ASSERT_OK(cu().cuEventDestroy(event));
        if (k % 64 == 0) {
            ASSERT_OK(cu().cuStreamSynchronize(other));
        }
    });
}

TEST_F(SoakTest, EventsOfWholeContexts) {
    ALONE();
    CUevent event = nullptr;
    ASSERT_OK(cu().cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    expect_flat(times(10), [&](uint64_t k) {
        ASSERT_OK(cu().cuCtxRecordEvent(context, event));
        ASSERT_OK(cu().cuCtxWaitEvent(context, event));
        if (k % 8 == 0) {
            ASSERT_OK(cu().cuCtxSynchronize());
        }
    });
}

TEST_F(SoakTest, Launches) {
    ALONE();
    CUdeviceptr memory = 0;
    ASSERT_OK(cu().cuMemAlloc(&memory, 4));
    void* parameters[] = {&memory};
    expect_flat(times(2), [&](uint64_t k) {
        ASSERT_OK(cu().cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr));
        if (k % 64 == 0) {
            ASSERT_OK(cu().cuStreamSynchronize(stream));
        }
    });
}

TEST_F(SoakTest, LaunchesInFreshMemory) {
    ALONE();
    expect_flat(times(4), [&](uint64_t) {
        CUdeviceptr memory = 0;
        void* parameters[] = {&memory};
        uint32_t value = 0;
        ASSERT_OK(cu().cuMemAllocAsync(&memory, 4, stream));
        ASSERT_OK(cu().cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr));
        ASSERT_OK(cu().cuMemcpyDtoHAsync(&value, memory, 4, stream));
        ASSERT_OK(cu().cuMemFreeAsync(memory, stream));
        ASSERT_OK(cu().cuStreamSynchronize(stream));
        ASSERT_EQ(value, 1u);
    });
}

TEST_F(SoakTest, HostFunctions) {
    ALONE();
    expect_flat(times(2), [&](uint64_t k) {
        ASSERT_OK(cu().cuLaunchHostFunc(stream, [](void*) {}, nullptr));
        if (k % 64 == 0) {
            ASSERT_OK(cu().cuStreamSynchronize(stream));
        }
    });
}

// More than what is remembered of freed memory, each of which may hold a page of the heap, where all else comes and
// goes.
constexpr uint64_t many_frees = 10'000;

TEST_F(SoakTest, Modules) {
    ALONE();
    expect_flat(
        times(40),
        [&](uint64_t) {
            CUmodule loaded = nullptr;
            CUfunction function = nullptr;
            ASSERT_OK(cu().cuModuleLoadData(&loaded, small_module));
            ASSERT_OK(cu().cuModuleGetFunction(&function, loaded, "nothing"));
            ASSERT_OK(cu().cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
            ASSERT_OK(cu().cuStreamSynchronize(stream));
            ASSERT_OK(cu().cuModuleUnload(loaded));
        },
        many_frees);
}

TEST_F(SoakTest, LibrariesAndKernels) {
    ALONE();
    expect_flat(
        times(40),
        [&](uint64_t) {
            CUlibrary library = nullptr;
            CUkernel kernel = nullptr;
            ASSERT_OK(cu().cuLibraryLoadData(&library, small_module, nullptr, nullptr, 0, nullptr, nullptr, 0));
            ASSERT_OK(cu().cuLibraryGetKernel(&kernel, library, "nothing"));
            ASSERT_OK(cu().cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, stream, nullptr,
                                          nullptr));
            ASSERT_OK(cu().cuStreamSynchronize(stream));
            ASSERT_OK(cu().cuLibraryUnload(library));
        },
        many_frees);
}

TEST_F(SoakTest, Links) {
    ALONE();
    const std::string text = small_module;
    expect_flat(times(100), [&](uint64_t) {
        CUlinkState state = nullptr;
        void* image = nullptr;
        size_t size = 0;
        ASSERT_OK(cu().cuLinkCreate(0, nullptr, nullptr, &state));
        ASSERT_OK(cu().cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(text.c_str()), text.size() + 1, "m", 0,
                                     nullptr, nullptr));
        ASSERT_OK(cu().cuLinkComplete(state, &image, &size));
        ASSERT_OK(cu().cuLinkDestroy(state));
    });
}

TEST_F(SoakTest, Graphs) {
    ALONE();
    CUdeviceptr memory = 0;
    ASSERT_OK(cu().cuMemAlloc(&memory, 4));
    void* arguments[] = {&memory};
    expect_flat(times(20), [&](uint64_t) {
        CUgraph graph = nullptr;
        CUgraphNode first = nullptr, second = nullptr;
        CUgraphExec execution = nullptr;
        CUDA_KERNEL_NODE_PARAMS parameters{};
        parameters.func = fill;
        parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
        parameters.blockDimX = parameters.blockDimY = parameters.blockDimZ = 1;
        parameters.kernelParams = arguments;
        ASSERT_OK(cu().cuGraphCreate(&graph, 0));
        ASSERT_OK(cu().cuGraphAddKernelNode(&first, graph, nullptr, 0, &parameters));
        ASSERT_OK(cu().cuGraphAddEmptyNode(&second, graph, &first, 1));
        ASSERT_OK(cu().cuGraphInstantiate(&execution, graph, 0));
        ASSERT_OK(cu().cuGraphLaunch(execution, stream));
        ASSERT_OK(cu().cuStreamSynchronize(stream));
        ASSERT_OK(cu().cuGraphExecDestroy(execution));
        ASSERT_OK(cu().cuGraphDestroy(graph));
    });
}

TEST_F(SoakTest, GraphsThatAllocate) {
    ALONE();
    expect_flat(times(20), [&](uint64_t) {
        CUgraph graph = nullptr;
        CUgraphNode node = nullptr, freeing = nullptr;
        CUgraphExec execution = nullptr;
        CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
        parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
        parameters.bytesize = 100;
        ASSERT_OK(cu().cuGraphCreate(&graph, 0));
        ASSERT_OK(cu().cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &parameters));
        ASSERT_OK(cu().cuGraphAddMemFreeNode(&freeing, graph, &node, 1, parameters.dptr));
        ASSERT_OK(cu().cuGraphInstantiate(&execution, graph, 0));
        ASSERT_OK(cu().cuGraphLaunch(execution, stream));
        ASSERT_OK(cu().cuStreamSynchronize(stream));
        ASSERT_OK(cu().cuGraphExecDestroy(execution));
        ASSERT_OK(cu().cuGraphDestroy(graph));
    });
}

TEST_F(SoakTest, Captures) {
    ALONE();
    expect_flat(times(20), [&](uint64_t) {
        CUgraph graph = nullptr;
        ASSERT_OK(cu().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
        ASSERT_OK(cu().cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
        ASSERT_OK(cu().cuStreamEndCapture(stream, &graph));
        ASSERT_OK(cu().cuGraphDestroy(graph));
    });
}

TEST_F(SoakTest, UserObjects) {
    ALONE();
    static std::atomic<uint64_t> destroyed{0};
    const auto destroy = [](void*) { ++destroyed; };
    expect_flat(times(2), [&](uint64_t k) {
        CUuserObject object = nullptr;
        ASSERT_OK(cu().cuUserObjectCreate(&object, nullptr, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
        ASSERT_OK(cu().cuUserObjectRelease(object, 1));
        // Nothing else waits for destructors.
        while (k % 64 == 0 && destroyed < k)
            std::this_thread::yield();
    });
}

TEST_F(SoakTest, Arrays) {
    ALONE();
    expect_flat(times(4), [&](uint64_t) {
        CUarray array = nullptr;
        const CUDA_ARRAY_DESCRIPTOR description{16, 4, CU_AD_FORMAT_FLOAT, 1};
        ASSERT_OK(cu().cuArrayCreate(&array, &description));
        ASSERT_OK(cu().cuArrayDestroy(array));
    });
}

// A library that lives through them all has been loaded into each.
TEST_F(SoakTest, Contexts) {
    ALONE();
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    ASSERT_OK(cu().cuLibraryLoadData(&library, small_module, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASSERT_OK(cu().cuLibraryGetKernel(&kernel, library, "nothing"));
    expect_flat(times(20), [&](uint64_t) {
        CUcontext made = nullptr;
        CUdeviceptr memory = 0;
        CUevent event = nullptr;
        ASSERT_OK(cu().cuCtxCreate(&made, nullptr, 0, 0));
        ASSERT_OK(cu().cuMemAlloc(&memory, 100));
        ASSERT_OK(cu().cuEventCreate(&event, 0));
        ASSERT_OK(cu().cuEventRecord(event, CU_STREAM_PER_THREAD));
        ASSERT_OK(cu().cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, CU_STREAM_LEGACY,
                                      nullptr, nullptr));
        ASSERT_OK(cu().cuCtxSynchronize());
        ASSERT_OK(cu().cuCtxDestroy(made));
    });
}

TEST_F(SoakTest, ResetsOfThePrimaryContext) {
    ALONE();
    expect_flat(times(20), [&](uint64_t) {
        CUstream made = nullptr;
        CUdeviceptr memory = 0;
        ASSERT_OK(cu().cuStreamCreate(&made, 0));
        ASSERT_OK(cu().cuMemAlloc(&memory, 100));
        ASSERT_OK(cu().cuDevicePrimaryCtxReset(0));
        ASSERT_OK(cu().cuDevicePrimaryCtxRetain(&context, 0));
        ASSERT_OK(cu().cuDevicePrimaryCtxRelease(0));
    });
}

TEST_F(SoakTest, GreenContexts) {
    ALONE();
    CUdevResource resource{};
    ASSERT_OK(cu().cuDeviceGetDevResource(0, &resource, CU_DEV_RESOURCE_TYPE_SM));
    expect_flat(times(20), [&](uint64_t) {
        CUdevResourceDesc description = nullptr;
        CUgreenCtx green = nullptr;
        CUstream made = nullptr;
        ASSERT_OK(cu().cuDevResourceGenerateDesc(&description, &resource, 1));
        ASSERT_OK(cu().cuGreenCtxCreate(&green, description, 0, CU_GREEN_CTX_DEFAULT_STREAM));
        ASSERT_OK(cu().cuGreenCtxStreamCreate(&made, green, CU_STREAM_NON_BLOCKING, 0));
        ASSERT_OK(cu().cuStreamDestroy(made));
        ASSERT_OK(cu().cuGreenCtxDestroy(green));
    });
}

TEST_F(SoakTest, FailedCalls) {
    ALONE();
    expect_flat(times(1), [&](uint64_t k) {
        ASSERT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFree(0x1000 + k));
        CUdeviceptr memory = 0;
        ASSERT_CU(CUDA_ERROR_OUT_OF_MEMORY, cu().cuMemAlloc(&memory, size_t{1} << 40));
    });
}

TEST_F(SoakTest, LogCallbacks) {
    ALONE();
    expect_flat(times(1), [&](uint64_t) {
        CUlogsCallbackHandle handle = nullptr;
        ASSERT_OK(cu().cuLogsRegisterCallback([](void*, CUlogLevel, char*, size_t) {}, nullptr, &handle));
        ASSERT_OK(cu().cuLogsUnregisterCallback(handle));
    });
}

}  // namespace
}  // namespace cuprum::test
