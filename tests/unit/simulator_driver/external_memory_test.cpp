// Memory and semaphores behind file descriptors: what stands here for those of a graphics API.
#include <gmock/gmock.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "driver_api.hpp"
#include "driver_log.hpp"

namespace cuprum::test {
namespace {

using testing::HasSubstr;

class ExternalMemoryTest : public DriverTest {
protected:
    static int memory_file(size_t bytes) {
        const int file = memfd_create("external", 0);
        EXPECT_EQ(ftruncate(file, static_cast<off_t>(bytes)), 0);
        return file;
    }
    static CUresult import_memory(CUexternalMemory* memory, int file, unsigned long long size,
                                  CUexternalMemoryHandleType type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD) {
        CUDA_EXTERNAL_MEMORY_HANDLE_DESC description{};
        description.type = type;
        description.handle.fd = file;
        description.size = size;
        return cu().cuImportExternalMemory(memory, &description);
    }
    static CUresult import_semaphore(CUexternalSemaphore* semaphore, int file, CUexternalSemaphoreHandleType type) {
        CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description{};
        description.type = type;
        description.handle.fd = file;
        return cu().cuImportExternalSemaphore(semaphore, &description);
    }
    static CUresult map(CUdeviceptr* address, CUexternalMemory memory, unsigned long long offset,
                        unsigned long long size) {
        CUDA_EXTERNAL_MEMORY_BUFFER_DESC description{};
        description.offset = offset;
        description.size = size;
        return cu().cuExternalMemoryGetMappedBuffer(address, memory, &description);
    }
    static CUresult signal(CUexternalSemaphore semaphore, uint64_t value, CUstream stream) {
        CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters{};
        parameters.params.fence.value = value;
        return cu().cuSignalExternalSemaphoresAsync(&semaphore, &parameters, 1, stream);
    }
    static CUresult wait(CUexternalSemaphore semaphore, uint64_t value, CUstream stream) {
        CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters{};
        parameters.params.fence.value = value;
        return cu().cuWaitExternalSemaphoresAsync(&semaphore, &parameters, 1, stream);
    }
};

TEST_F(ExternalMemoryTest, AFileInMemoryIsDeviceMemory) {
    const int file = memory_file(8192);
    auto* const seen = static_cast<uint32_t*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    ASSERT_NE(seen, MAP_FAILED);
    seen[1025] = 7;
    CUexternalMemory memory = nullptr;
    ASSERT_OK(import_memory(&memory, file, 8192));
    CUdeviceptr whole = 0, part = 0;
    ASSERT_OK(map(&whole, memory, 0, 8192));
    ASSERT_OK(map(&part, memory, 4100, 8));
    EXPECT_EQ(download<uint32_t>(part, 2), (std::vector<uint32_t>{7, 0}));
    ASSERT_OK(cu().cuMemsetD32(whole, 9, 2048));
    ASSERT_OK(cu().cuCtxSynchronize());
    EXPECT_EQ(seen[2047], 9u);
    // What was mapped outlives the import, and is freed as other memory is.
    ASSERT_OK(cu().cuDestroyExternalMemory(memory));
    EXPECT_EQ(download<uint32_t>(part, 1)[0], 9u);
    EXPECT_OK(cu().cuMemFree(part));
    EXPECT_OK(cu().cuMemFree(whole));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemFree(whole));
    munmap(seen, 8192);
}

TEST_F(ExternalMemoryTest, ExportedMemoryIsImported) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = 0;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUmemGenericAllocationHandle physical = 0;
    const size_t size = 2 << 20;
    ASSERT_OK(cu().cuMemCreate(&physical, size, &properties, 0));
    int file = -1;
    ASSERT_OK(cu().cuMemExportToShareableHandle(&file, physical, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CUexternalMemory memory = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, file, size + 1));
    ASSERT_OK(import_memory(&memory, file, size));
    CUdeviceptr address = 0;
    ASSERT_OK(map(&address, memory, 0, size));
    EXPECT_EQ(download<uint8_t>(address, 1)[0], 0xcb);
    EXPECT_OK(cu().cuMemFree(address));
    EXPECT_OK(cu().cuDestroyExternalMemory(memory));
    EXPECT_OK(cu().cuMemRelease(physical));
}

TEST_F(ExternalMemoryTest, WhatIsNoMemoryIsRefused) {
    CUexternalMemory memory = nullptr;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, -1, 16));
    const int events = eventfd(0, 0);
    std::string text = log_of([&] { EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, events, 16)); });
    EXPECT_THAT(text, HasSubstr("stands for no memory: it must be one of cuMemExportToShareableHandle"));
    const int file = memory_file(4096);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, file, 0));
    text = log_of([&] { EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, file, 4097)); });
    EXPECT_THAT(text, HasSubstr("size is 4097; the memory behind file descriptor"));
    text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
                  import_memory(&memory, file, 16, CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP));
    });
    EXPECT_THAT(text, HasSubstr("memory of type a Windows or Direct3D handle is not simulated"));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_memory(&memory, file, 16, CUexternalMemoryHandleType{}));
    ASSERT_OK(import_memory(&memory, file, 4096));
    CUdeviceptr address = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, map(&address, memory, 4000, 97));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, map(&address, memory, 0, 0));
    EXPECT_OK(cu().cuDestroyExternalMemory(memory));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuDestroyExternalMemory(memory));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, map(&address, memory, 0, 16));
    close(events);
}

TEST_F(ExternalMemoryTest, AStreamWaitsForASignalOfAnother) {
    CUexternalSemaphore semaphore = nullptr;
    ASSERT_OK(import_semaphore(&semaphore, eventfd(0, 0), CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD));
    const CUstream waiting = new_stream(), signalling = new_stream();
    ASSERT_OK(wait(semaphore, 0, waiting));
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(waiting));
    ASSERT_OK(signal(semaphore, 0, signalling));
    EXPECT_OK(cu().cuStreamSynchronize(waiting));
    EXPECT_OK(cu().cuDestroyExternalSemaphore(semaphore));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu().cuDestroyExternalSemaphore(semaphore));
}

TEST_F(ExternalMemoryTest, ATimelineIsWaitedForByItsValue) {
    const int file = memory_file(4096);
    auto* const value =
        static_cast<volatile uint64_t*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    CUexternalSemaphore semaphore = nullptr;
    ASSERT_OK(import_semaphore(&semaphore, file, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD));
    const CUstream waiting = new_stream(), signalling = new_stream();
    ASSERT_OK(wait(semaphore, 3, waiting));
    ASSERT_OK(signal(semaphore, 2, signalling));
    ASSERT_OK(cu().cuStreamSynchronize(signalling));
    EXPECT_EQ(*value, 2u);
    EXPECT_CU(CUDA_ERROR_NOT_READY, cu().cuStreamQuery(waiting));
    *value = 5;  // as another process or device would
    EXPECT_OK(cu().cuStreamSynchronize(waiting));
    ASSERT_OK(signal(semaphore, 4, signalling));  // it does not go back
    ASSERT_OK(cu().cuStreamSynchronize(signalling));
    EXPECT_EQ(*value, 5u);
    EXPECT_OK(cu().cuDestroyExternalSemaphore(semaphore));
    munmap(const_cast<uint64_t*>(value), 4096);
}

TEST_F(ExternalMemoryTest, WhatIsNoSemaphoreIsRefused) {
    CUexternalSemaphore semaphore = nullptr;
    const int file = memory_file(4), events = eventfd(0, 0);
    std::string text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
                  import_semaphore(&semaphore, file, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD));
    });
    EXPECT_THAT(text, HasSubstr("stands for no semaphore: it must be one of eventfd"));
    for (const int each : {file, events}) {
        text = log_of([&] {
            EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
                      import_semaphore(&semaphore, each, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD));
        });
        EXPECT_THAT(text, HasSubstr("stands for no timeline semaphore"));
    }
    text = log_of([&] {
        EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
                  import_semaphore(&semaphore, file, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC));
    });
    EXPECT_THAT(text, HasSubstr("a semaphore of type NVSCISYNC is not simulated"));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, wait(nullptr, 0, nullptr));
    EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, signal(nullptr, 0, nullptr));
    close(file);
    close(events);
}

TEST_F(ExternalMemoryTest, SemaphoresAreNotCaptured) {
    CUexternalSemaphore semaphore = nullptr;
    ASSERT_OK(import_semaphore(&semaphore, eventfd(0, 0), CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD));
    const CUstream stream = new_stream();
    ASSERT_OK(cu().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, signal(semaphore, 0, stream));
    CUgraph graph = nullptr;
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cu().cuStreamEndCapture(stream, &graph));
    EXPECT_OK(cu().cuDestroyExternalSemaphore(semaphore));
}

}  // namespace
}  // namespace cuprum::test
