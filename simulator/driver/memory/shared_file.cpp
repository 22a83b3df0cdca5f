#include "driver/memory/shared_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "driver/error/driver_error.hpp"
#include "driver/memory/page.hpp"
#include "driver/memory/resting_memory.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

namespace {

[[noreturn]] void refuse_reference(const std::string& why) {
    throw DriverError(CUDA_ERROR_INVALID_VALUE, why);
}

[[noreturn]] void fail(const char* what) {
    throw DriverError(CUDA_ERROR_OPERATING_SYSTEM, std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

SharedFile SharedFile::create(uint64_t size) {
    // A file of any size can be made, and its pages are only missed when they are written.
    const auto host_bytes =
        static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    if (size > host_bytes) {
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY,
                          format("%llu bytes to share are more than the host has, %llu",
                                 static_cast<unsigned long long>(size), static_cast<unsigned long long>(host_bytes)));
    }
    return create_sparse(size);
}

SharedFile SharedFile::create_sparse(uint64_t size) {
    SharedFile file(::memfd_create("cuprum-simulator-shared", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    // Sealed, so that no other process can take pages away that are mapped here.
    if (!file.exists() || ::ftruncate(file.descriptor_, static_cast<off_t>(size)) != 0 ||
        ::fcntl(file.descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY,
                          format("the system cannot give %llu bytes to share: %s",
                                 static_cast<unsigned long long>(size), std::strerror(errno)));
    }
    return file;
}

SharedFile::~SharedFile() {
    if (exists()) ::close(descriptor_);
}

SharedFile::SharedFile(SharedFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

SharedFile& SharedFile::operator=(SharedFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

int SharedFile::duplicate() const {
    const int copy = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) fail("the file descriptor cannot be duplicated");
    return copy;
}

void SharedFile::write(uint64_t offset, const void* bytes, uint64_t size) const {
    const auto* from = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t written = ::pwrite(descriptor_, from, size, static_cast<off_t>(offset));
        if (written <= 0) fail("shared memory cannot be written");
        from += written;
        offset += static_cast<uint64_t>(written);
        size -= static_cast<uint64_t>(written);
    }
}

void SharedFile::fill(uint64_t offset, int value, uint64_t size) const {
    const std::vector<char> chunk(std::min<uint64_t>(size, 1 << 20), static_cast<char>(value));
    while (size > 0) {
        const uint64_t part = std::min<uint64_t>(size, chunk.size());
        write(offset, chunk.data(), part);
        offset += part;
        size -= part;
    }
}

void SharedFile::discard(uint64_t offset, uint64_t size) const {
    ::fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                static_cast<off_t>(size));
}

SharedReference SharedReference::to(const SharedFile& file, Content content, uint32_t device, uint64_t offset,
                                    uint64_t size) {
    struct stat status {};
    if (::fstat(file.descriptor(), &status) != 0) fail("shared memory cannot be described");
    return {content, device, ::getpid(), file.descriptor(), status.st_ino, offset, size};
}

bool SharedReference::of_this_process() const {
    return process == ::getpid();
}

SharedFile SharedReference::open(Content expected) const {
    if (content != expected) refuse_reference("the simulator did not make this handle for this call");
    const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
    SharedFile file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    struct stat status {};
    if (!file.exists() || ::fstat(file.descriptor(), &status) != 0 || status.st_ino != inode ||
        offset > static_cast<uint64_t>(status.st_size) || size > static_cast<uint64_t>(status.st_size) - offset) {
        refuse_reference(
            format("process %d no longer shares this, has ended, or belongs to another user or "
                   "container",
                   process));
    }
    return file;
}

SharedFile SharedHeader::adopt(void* handle, Content expected, SharedHeader& header) {
    const auto given = static_cast<int>(reinterpret_cast<intptr_t>(handle));
    struct stat status {};
    const bool is_file = ::fstat(given, &status) == 0 && status.st_size >= static_cast<off_t>(bytes);
    if (!is_file ||
        ::pread(given, &header, sizeof header, status.st_size - static_cast<off_t>(bytes)) !=
            static_cast<ssize_t>(sizeof header) ||
        header.content != expected || header.size != static_cast<uint64_t>(status.st_size) - bytes) {
        refuse_reference(format("the simulator did not export file descriptor %d for this call", given));
    }
    // What was imported cannot be exported again.
    header.properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;
    return SharedFile(::fcntl(given, F_DUPFD_CLOEXEC, 0));
}

SharedMapping::SharedMapping(const SharedFile& file, uint64_t offset, uint64_t size)
    : span_((offset % page + size + page - 1) / page * page), lead_(offset % page) {
    void* const seen = ::mmap(nullptr, span_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void* const held = seen == MAP_FAILED ? MAP_FAILED
                                          : ::mmap(nullptr, span_, PROT_READ | PROT_WRITE, MAP_SHARED,
                                                   file.descriptor(), static_cast<off_t>(offset - lead_));
    if (held == MAP_FAILED) {
        const std::string why = std::strerror(errno);
        if (seen != MAP_FAILED) ::munmap(seen, span_);
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY, "shared memory cannot be mapped: " + why);
    }
    seen_ = reinterpret_cast<uint64_t>(seen);
    held_ = reinterpret_cast<uint64_t>(held);
    driver().addresses().add_reservation(seen_, span_);
}

SharedMapping::~SharedMapping() {
    rest(held_, span_);
    static std::mutex mutex;
    static std::array<std::pair<uint64_t, uint64_t>, most_resting> resting{};  // a ring: the next one is the oldest
    static size_t next = 0;
    const std::lock_guard lock(mutex);
    const auto [seen, span] = std::exchange(resting[next], {seen_, span_});
    next = (next + 1) % most_resting;
    if (span == 0) return;
    driver().addresses().remove_reservation(seen);
    ::munmap(reinterpret_cast<void*>(seen), span);
}

}  // namespace cuprum::simulator::libcuda
