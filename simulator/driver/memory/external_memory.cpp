#include "driver/memory/external_memory.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>

#include "driver/context/context.hpp"
#include "driver/device/device.hpp"
#include "driver/error/driver_error.hpp"
#include "driver/memory/page.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

[[noreturn]] void refuse_kind(const char* what, const char* kind) {
    throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                      std::string(what) + " of type " + kind + " is not simulated; a file descriptor is");
}

struct FileKind {
    bool is_file = false;
    uint64_t size = 0;
};

FileKind kind_of(int descriptor) {
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0)
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%d is not an open file descriptor", descriptor));
    return {S_ISREG(status.st_mode), static_cast<uint64_t>(status.st_size)};
}

bool is_eventfd(int descriptor) {
    std::array<char, 64> name{};
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    return ::readlink(link.c_str(), name.data(), name.size() - 1) > 0 &&
           std::string_view(name.data()) == "anon_inode:[eventfd]";
}

void require_memory_kind(CUexternalMemoryHandleType type) {
    switch (type) {
        case CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD:
            return;
        case CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32:
        case CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT:
        case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP:
        case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE:
        case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE:
        case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT:
            refuse_kind("memory", "a Windows or Direct3D handle");
        case CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF:
            refuse_kind("memory", "NVSCIBUF");
        default:
            if (static_cast<int>(type) == 9) refuse_kind("memory", "DMABUF_FD");
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown type %d of external memory", type));
    }
}

void require_semaphore_kind(CUexternalSemaphoreHandleType type) {
    switch (type) {
        case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD:
        case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD:
            return;
        case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32:
        case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT:
        case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE:
        case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE:
        case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX:
        case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT:
        case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32:
            refuse_kind("a semaphore", "a Windows or Direct3D handle");
        case CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC:
            refuse_kind("a semaphore", "NVSCISYNC");
        default:
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown type %d of an external semaphore", type));
    }
}

// The bytes of the memory behind a descriptor, less the header that the simulator's own exports end with.
uint64_t memory_bytes(int descriptor, uint64_t file_bytes) {
    SharedHeader header;
    const bool has_header =
        file_bytes >= SharedHeader::bytes &&
        ::pread(descriptor, &header, sizeof header, static_cast<off_t>(file_bytes - SharedHeader::bytes)) ==
            static_cast<ssize_t>(sizeof header) &&
        header.content == SharedHeader::Content::physical_memory && header.size == file_bytes - SharedHeader::bytes;
    return has_header ? header.size : file_bytes;
}

}  // namespace

ExternalMemory::ExternalMemory(const CUDA_EXTERNAL_MEMORY_HANDLE_DESC& description) {
    require_memory_kind(description.type);
    require_flags(description.flags, CUDA_EXTERNAL_MEMORY_DEDICATED, "flags");
    const int descriptor = description.handle.fd;
    const FileKind kind = kind_of(descriptor);
    if (!kind.is_file)
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("file descriptor %d stands for no memory: it must be one of "
                                                           "cuMemExportToShareableHandle, of memfd_create or of a file",
                                                           descriptor));
    size_ = memory_bytes(descriptor, kind.size);
    if (description.size == 0 || description.size > size_)
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("size is %llu; the memory behind file descriptor %d has %llu bytes", description.size,
                                 descriptor, static_cast<unsigned long long>(size_)));
    size_ = description.size;
    file_ = SharedFile(descriptor);
}

uint64_t ExternalMemory::map(const Context& context, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC& description) const {
    require_flags(description.flags, 0, "flags");
    if (description.size == 0 || description.offset > size_ || description.size > size_ - description.offset)
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("offset %llu and size %llu reach beyond the external memory's %llu bytes",
                                 description.offset, description.size, static_cast<unsigned long long>(size_)));
    Allocation allocation;
    allocation.kind = Allocation::Kind::device;
    allocation.external = true;
    allocation.charged = false;
    allocation.context = reinterpret_cast<uint64_t>(context.handle());
    allocation.device = context.device().ordinal();
    allocation.size = description.size;
    allocation.mapping = std::make_shared<SharedMapping>(file_, description.offset, description.size);
    allocation.begin = allocation.mapping->address();
    allocation.host_offset = allocation.mapping->host_offset();
    allocation.description = format("cuExternalMemoryGetMappedBuffer of %llu bytes", description.size);
    const uint64_t address = allocation.begin;
    driver().addresses().add(std::move(allocation));
    return address;
}

ExternalSemaphore::ExternalSemaphore(const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC& description) {
    require_semaphore_kind(description.type);
    require_flags(description.flags, 0, "flags");
    const int descriptor = description.handle.fd;
    const FileKind kind = kind_of(descriptor);
    if (description.type == CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD) {
        if (!is_eventfd(descriptor))
            throw DriverError(
                CUDA_ERROR_INVALID_VALUE,
                format("file descriptor %d stands for no semaphore: it must be one of eventfd", descriptor));
    } else {
        if (!kind.is_file || kind.size < sizeof(uint64_t))
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("file descriptor %d stands for no timeline semaphore: it must be one of "
                                     "memfd_create with at least 8 bytes, which hold the value",
                                     descriptor));
        void* const mapped = ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (mapped == MAP_FAILED)
            throw DriverError(CUDA_ERROR_OPERATING_SYSTEM,
                              std::string("the timeline semaphore cannot be mapped: ") + std::strerror(errno));
        timeline_ = static_cast<std::atomic<uint64_t>*>(mapped);
    }
    file_ = SharedFile(descriptor);
}

ExternalSemaphore::~ExternalSemaphore() {
    if (timeline_ != nullptr) ::munmap(timeline_, page);
}

void ExternalSemaphore::signal(uint64_t value) const {
    if (timeline_ == nullptr) {
        const uint64_t one = 1;
        if (::write(file_.descriptor(), &one, sizeof one) != static_cast<ssize_t>(sizeof one))
            throw DriverError(CUDA_ERROR_OPERATING_SYSTEM,
                              std::string("the external semaphore cannot be signalled: ") + std::strerror(errno));
        return;
    }
    // A timeline never goes back.
    uint64_t now = timeline_->load(std::memory_order_acquire);
    while (now < value && !timeline_->compare_exchange_weak(now, value, std::memory_order_acq_rel)) {}
}

void ExternalSemaphore::wait(const Context& context, uint64_t value) const {
    using namespace std::chrono_literals;
    if (timeline_ == nullptr) {
        pollfd wanted{file_.descriptor(), POLLIN, 0};
        while (::poll(&wanted, 1, 10) <= 0) {
            if (context.sticky_error() != CUDA_SUCCESS) return;
        }
        uint64_t signals = 0;
        if (::read(file_.descriptor(), &signals, sizeof signals) < 0 && errno != EAGAIN)
            throw DriverError(CUDA_ERROR_OPERATING_SYSTEM,
                              std::string("the external semaphore cannot be waited for: ") + std::strerror(errno));
        return;
    }
    std::chrono::microseconds pause{1};
    while (timeline_->load(std::memory_order_acquire) < value) {
        if (context.sticky_error() != CUDA_SUCCESS) return;
        std::this_thread::sleep_for(pause);
        pause = std::min<std::chrono::microseconds>(pause * 2, 500us);
    }
}

}  // namespace cuprum::simulator::libcuda
