// Device memory, memory pools and events that two processes share.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

// Each test runs twice: in this process, which shares something and writes 1, 2, 3 into it, and in another one, which
// finds that, and writes 4, 5, 6.
class SharedMemoryTest : public DriverTest {
protected:
    static bool is_other_process() { return std::getenv("CUPRUM_TEST_SHARED") != nullptr; }

    // What the other process was given.
    template <typename Handle>
    static Handle received() {
        Handle handle{};
        const char* text = std::getenv("CUPRUM_TEST_SHARED");
        for (size_t index = 0; index < sizeof handle; ++index) {
            const char digits[3] = {text[2 * index], text[2 * index + 1], '\0'};
            reinterpret_cast<unsigned char*>(&handle)[index] =
                static_cast<unsigned char>(std::strtoul(digits, nullptr, 16));
        }
        return handle;
    }

    template <typename Handle>
    static void run_other_process(const Handle& handle) {
        static constexpr char digits[] = "0123456789abcdef";
        std::string text = "CUPRUM_TEST_SHARED=";
        for (size_t index = 0; index < sizeof handle; ++index) {
            const unsigned char byte = reinterpret_cast<const unsigned char*>(&handle)[index];
            text += {digits[byte / 16], digits[byte % 16]};
        }
        in_process_of_its_own({text});
    }

    // A descriptor that the other process inherits.
    static int inheritable(int descriptor) {
        const int copy = dup(descriptor);
        close(descriptor);
        return copy;
    }

    // With cuMemcpy, which takes memory of every kind.
    static void copy_to(CUdeviceptr memory, const std::vector<int>& values) {
        ASSERT_OK(cu().cuMemcpy(memory, reinterpret_cast<CUdeviceptr>(values.data()), 4 * values.size()));
        ASSERT_OK(cu().cuCtxSynchronize());
    }
    static void expect_three(CUdeviceptr memory, const std::vector<int>& values) {
        std::vector<int> found(3);
        ASSERT_OK(cu().cuMemcpy(reinterpret_cast<CUdeviceptr>(found.data()), memory, 12));
        EXPECT_EQ(found, values);
    }
    void expect_and_replace(CUdeviceptr memory) {
        expect_three(memory, {1, 2, 3});
        copy_to(memory, {4, 5, 6});
    }
    void write(CUdeviceptr memory) { copy_to(memory, {1, 2, 3}); }
    void expect_replaced(CUdeviceptr memory) { expect_three(memory, {4, 5, 6}); }

    // What one process shares of a pool, and what the other does with it.
    struct SharedPool {
        int file;
        CUmemPoolPtrExportData memory;
    };

    CUmemoryPool shareable_pool(CUmemLocation location) {
        CUmemPoolProps properties{};
        properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location = location;
        properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        CUmemoryPool pool = nullptr;
        EXPECT_OK(cu().cuMemPoolCreate(&pool, &properties));
        return pool;
    }
    static CUmemoryPool imported_pool(const SharedPool& shared) {
        CUmemoryPool pool = nullptr;
        EXPECT_OK(cu().cuMemPoolImportFromShareableHandle(&pool,
                                                          reinterpret_cast<void*>(static_cast<intptr_t>(shared.file)),
                                                          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
        return pool;
    }
    // Of 1, 2, 3 in the pool's memory the other process has made 4, 5, 6.
    CUdeviceptr share(CUmemoryPool pool) {
        SharedPool shared{};
        EXPECT_OK(
            cu().cuMemPoolExportToShareableHandle(&shared.file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
        shared.file = inheritable(shared.file);
        CUdeviceptr memory = 0;
        EXPECT_OK(cu().cuMemAllocFromPoolAsync(&memory, 64, pool, nullptr));
        EXPECT_OK(cu().cuCtxSynchronize());
        write(memory);
        EXPECT_OK(cu().cuMemPoolExportPointer(&shared.memory, memory));
        run_other_process(shared);
        close(shared.file);
        expect_replaced(memory);
        return memory;
    }
    static void free_with_pool(CUdeviceptr memory, CUmemoryPool pool) {
        EXPECT_OK(cu().cuMemFreeAsync(memory, nullptr));
        EXPECT_OK(cu().cuCtxSynchronize());
        EXPECT_OK(cu().cuMemPoolDestroy(pool));
    }
};

TEST_F(SharedMemoryTest, MemoryIsOpenedByItsHandle) {
    if (is_other_process()) {
        const auto handle = received<CUipcMemHandle>();
        CUdeviceptr memory = 0, again = 0;
        ASSERT_OK(cu().cuIpcOpenMemHandle(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
        expect_and_replace(memory);
        ASSERT_OK(cu().cuIpcOpenMemHandle(&again, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
        EXPECT_EQ(again, memory);
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFree(memory));
        EXPECT_OK(cu().cuIpcCloseMemHandle(memory));
        expect_replaced(memory);
        EXPECT_OK(cu().cuIpcCloseMemHandle(memory));
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuIpcCloseMemHandle(memory));
        return;
    }
    // Two that lie side by side, and one that is not shared: pages that one shares, the others must not lose.
    const CUdeviceptr before = upload<int>({7}), memory = allocate(12), behind = upload<int>({8});
    write(memory);
    CUipcMemHandle handle{}, other{};
    ASSERT_OK(cu().cuIpcGetMemHandle(&handle, memory));
    ASSERT_OK(cu().cuIpcGetMemHandle(&other, behind));
    run_other_process(handle);
    expect_replaced(memory);
    EXPECT_EQ(download<int>(before, 1)[0], 7);
    EXPECT_EQ(download<int>(behind, 1)[0], 8);
}

TEST_F(SharedMemoryTest, HandlesOfMemoryAreChecked) {
    const CUdeviceptr memory = allocate(1024);
    CUipcMemHandle handle{}, inside{};
    ASSERT_OK(cu().cuIpcGetMemHandle(&handle, memory));
    ASSERT_OK(cu().cuIpcGetMemHandle(&inside, memory + 256));
    EXPECT_EQ(std::memcmp(&handle, &inside, sizeof handle), 0);  // a handle is of the whole allocation
    CUdeviceptr opened = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuIpcOpenMemHandle(&opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuIpcOpenMemHandle(&opened, handle, 0));
    CUipcMemHandle garbage{};
    std::memset(&garbage, 7, sizeof garbage);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuIpcOpenMemHandle(&opened, garbage, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuIpcCloseMemHandle(memory));
    void* host = nullptr;
    ASSERT_OK(cu().cuMemAllocHost(&host, 64));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuIpcGetMemHandle(&handle, reinterpret_cast<CUdeviceptr>(host)));
    EXPECT_OK(cu().cuMemFreeHost(host));
    CUdeviceptr ordered = 0;
    ASSERT_OK(cu().cuMemAllocAsync(&ordered, 64, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuIpcGetMemHandle(&handle, ordered));
    EXPECT_OK(cu().cuMemFreeAsync(ordered, nullptr));
}

TEST_F(SharedMemoryTest, PhysicalMemoryIsImportedByADescriptor) {
    constexpr size_t bytes = 2 << 20;
    const auto mapped = [&](CUmemGenericAllocationHandle handle) {
        CUdeviceptr memory = 0;
        EXPECT_OK(cu().cuMemAddressReserve(&memory, bytes, 0, 0, 0));
        EXPECT_OK(cu().cuMemMap(memory, bytes, 0, handle, 0));
        CUmemAccessDesc access{};
        access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access.location.id = device;
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        EXPECT_OK(cu().cuMemSetAccess(memory, bytes, &access, 1));
        return memory;
    };
    const auto unmap = [&](CUdeviceptr memory, CUmemGenericAllocationHandle handle) {
        EXPECT_OK(cu().cuMemUnmap(memory, bytes));
        EXPECT_OK(cu().cuMemAddressFree(memory, bytes));
        EXPECT_OK(cu().cuMemRelease(handle));
    };
    CUmemGenericAllocationHandle handle = 0;
    if (is_other_process()) {
        const auto file = received<int>();
        ASSERT_OK(cu().cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(static_cast<intptr_t>(file)),
                                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
        const CUdeviceptr memory = mapped(handle);
        expect_and_replace(memory);
        unmap(memory, handle);
        return;
    }
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    ASSERT_OK(cu().cuMemCreate(&handle, bytes, &properties, 0));
    const CUdeviceptr memory = mapped(handle);
    write(memory);
    int file = -1;
    ASSERT_OK(cu().cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    file = inheritable(file);
    run_other_process(file);
    close(file);
    expect_replaced(memory);
    unmap(memory, handle);
}

TEST_F(SharedMemoryTest, PoolsAndTheirMemoryAreImported) {
    if (is_other_process()) {
        auto shared = received<SharedPool>();
        CUmemoryPool pool = imported_pool(shared);
        CUdeviceptr memory = 0, more = 0;
        ASSERT_OK(cu().cuMemPoolImportPointer(&memory, pool, &shared.memory));
        expect_and_replace(memory);
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemAllocFromPoolAsync(&more, 64, pool, nullptr));
        CUdeviceptr again = 0;
        ASSERT_OK(cu().cuMemPoolImportPointer(&again, pool, &shared.memory));
        EXPECT_EQ(again, memory);
        free_with_pool(memory, pool);
        unsigned word = 0;
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyDtoH(&word, again, 4)) << "the first free was the last";
        return;
    }
    CUmemoryPool pool = shareable_pool({CU_MEM_LOCATION_TYPE_DEVICE, device});
    free_with_pool(share(pool), pool);
}

TEST_F(SharedMemoryTest, PoolsOfPinnedMemoryAndTheirMemoryAreImported) {
    // The host alone has access at first; the device gets it in each process.
    const auto give_access = [&](CUmemoryPool pool) {
        CUmemAccessDesc access{};
        access.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        ASSERT_OK(cu().cuMemPoolSetAccess(pool, &access, 1));
    };
    if (is_other_process()) {
        auto shared = received<SharedPool>();
        CUmemoryPool pool = imported_pool(shared);
        give_access(pool);
        CUdeviceptr memory = 0;
        ASSERT_OK(cu().cuMemPoolImportPointer(&memory, pool, &shared.memory));
        EXPECT_EQ(*reinterpret_cast<int*>(memory), 1);
        CUdeviceptr again = 0;
        EXPECT_CU(CUDA_ERROR_ALREADY_MAPPED, cu().cuMemPoolImportPointer(&again, pool, &shared.memory));
        expect_and_replace(memory);
        free_with_pool(memory, pool);
        return;
    }
    CUmemoryPool pool = shareable_pool({CU_MEM_LOCATION_TYPE_HOST_NUMA, 0});
    give_access(pool);
    CUdeviceptr too_large = 0;
    EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cu().cuMemAllocFromPoolAsync(&too_large, size_t{1} << 57, pool, nullptr));
    const CUdeviceptr memory = share(pool);
    EXPECT_EQ(reinterpret_cast<int*>(memory)[2], 6);
    free_with_pool(memory, pool);
}

TEST_F(SharedMemoryTest, WhatWasNotMadeToBeSharedIsNot) {
    CUmemoryPool pool = nullptr;
    ASSERT_OK(cu().cuDeviceGetDefaultMemPool(&pool, device));
    int file = -1;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CUmemPoolPtrExportData data{};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemPoolExportPointer(&data, allocate(64)));
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING);
    CUipcEventHandle handle{};
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuIpcGetEventHandle(&handle, event));
}

// cuda.h does not say so; driver 580 refused it on an H200.
TEST_F(SharedMemoryTest, APoolIsSharedBeforeItsMemory) {
    const CUmemoryPool pool = shareable_pool({CU_MEM_LOCATION_TYPE_DEVICE, device});
    CUdeviceptr memory = 0;
    ASSERT_OK(cu().cuMemAllocFromPoolAsync(&memory, 64, pool, nullptr));
    CUmemPoolPtrExportData data{};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemPoolExportPointer(&data, memory));
    int file = -1;
    ASSERT_OK(cu().cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    close(file);
    EXPECT_OK(cu().cuMemPoolExportPointer(&data, memory));
    free_with_pool(memory, pool);
}

// As cuda.h's descriptions of cuMemPoolCreate have it.
TEST_F(SharedMemoryTest, PoolsOfManagedMemoryAndOfNoNumaNodeAreNotShared) {
    CUmemPoolProps properties{};
    properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_HOST, 0};
    CUmemoryPool pool = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemPoolCreate(&pool, &properties));
    properties.allocType = CU_MEM_ALLOCATION_TYPE_MANAGED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    EXPECT_NE(cu().cuMemPoolCreate(&pool, &properties), CUDA_SUCCESS);
}

TEST_F(SharedMemoryTest, EventsOrderTheStreamsOfTwoProcesses) {
    struct Shared {
        CUipcEventHandle event;
        int lets_go;  // a pipe's end: what is written lets the first process's stream go on
    };
    if (is_other_process()) {
        const auto shared = received<Shared>();
        CUevent event = nullptr;
        ASSERT_OK(cu().cuIpcOpenEventHandle(&event, shared.event));
        EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuEventQuery(event));
        const CUstream stream = new_stream();
        ASSERT_OK(cu().cuStreamWaitEvent(stream, event, 0));
        EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(stream));
        ASSERT_EQ(::write(shared.lets_go, "g", 1), 1);
        ASSERT_OK(cu().cuStreamSynchronize(stream));
        EXPECT_OK(cu().cuEventQuery(event));
        EXPECT_OK(cu().cuEventDestroy(event));
        return;
    }
    const CUevent event = new_event(CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS);
    Shared shared{};
    ASSERT_OK(cu().cuIpcGetEventHandle(&shared.event, event));
    CUevent own = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu().cuIpcOpenEventHandle(&own, shared.event));
    EXPECT_OK(cu().cuEventQuery(event));
    int ends[2] = {-1, -1};
    ASSERT_EQ(pipe(ends), 0);
    shared.lets_go = ends[1];
    const CUstream stream = new_stream();
    const auto wait = [](void* end) {
        char letter = 0;
        EXPECT_EQ(::read(*static_cast<int*>(end), &letter, 1), 1);
    };
    ASSERT_OK(cu().cuLaunchHostFunc(stream, wait, &ends[0]));
    ASSERT_OK(cu().cuEventRecord(event, stream));
    run_other_process(shared);
    EXPECT_EQ(::write(ends[1], "g", 1), 1);  // for where the other process has failed
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    EXPECT_OK(cu().cuEventQuery(event));
    close(ends[0]);
    close(ends[1]);
}

}  // namespace
}  // namespace cuprum::test
