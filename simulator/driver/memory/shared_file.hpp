// Memory that several processes of this machine map: files in memory.
#pragma once

#include <cstdint>
#include <memory>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// A file in memory, closed with the object. Its size never changes. Move-only.
class SharedFile {
public:
    SharedFile() = default;
    // Owns `descriptor`.
    explicit SharedFile(int descriptor) : descriptor_(descriptor) {}
    // A new one of `size` bytes, zeros. Throw DriverError(CUDA_ERROR_OUT_OF_MEMORY); `create` also where that is more
    // than the host has, `create_sparse` is for files of which few pages are written.
    static SharedFile create(uint64_t size);
    static SharedFile create_sparse(uint64_t size);
    ~SharedFile();
    SharedFile(SharedFile&& other) noexcept;
    SharedFile& operator=(SharedFile&& other) noexcept;

    int descriptor() const { return descriptor_; }
    bool exists() const { return descriptor_ >= 0; }
    // For programs, which close it. Throws DriverError(CUDA_ERROR_OPERATING_SYSTEM).
    int duplicate() const;
    // Throw DriverError(CUDA_ERROR_OPERATING_SYSTEM).
    void write(uint64_t offset, const void* bytes, uint64_t size) const;
    void fill(uint64_t offset, int value, uint64_t size) const;
    // Gives whole pages back to the system, as far as it takes them: they read as zeros.
    void discard(uint64_t offset, uint64_t size) const;

private:
    int descriptor_ = -1;
};

// How one process tells another where bytes are. It fits into CUDA's handles, and holds as long as the process that
// made it keeps the file open.
struct SharedReference {
    enum class Content : uint32_t { memory = 0x6D656D31, pool_memory = 0x706F6F31, event = 0x65766531 };

    Content content{};
    uint32_t device = 0;  // ordinal of the owner
    int32_t process = 0;
    int32_t descriptor = -1;
    uint64_t inode = 0;
    uint64_t offset = 0;
    uint64_t size = 0;

    static SharedReference to(const SharedFile& file, Content content, uint32_t device, uint64_t offset, uint64_t size);
    // Throws DriverError(CUDA_ERROR_INVALID_VALUE) for anything else, or a reference that is gone.
    SharedFile open(Content expected) const;
    bool of_this_process() const;
};

// What the file of a shareable pool or physical allocation, handed over as a descriptor, says of itself.
struct SharedHeader {
    static constexpr uint64_t bytes = 4096;  // that a header takes in a file
    enum class Content : uint64_t { physical_memory = 0x43757072756D4D31, pool = 0x43757072756D5031 };

    Content content{};
    uint64_t size = 0;  // of the memory before the header
    CUmemAllocationProp properties{};

    // A duplicate of the program's descriptor, which it keeps. Throws DriverError(CUDA_ERROR_INVALID_VALUE) if it is no
    // file of that content.
    static SharedFile adopt(void* handle, Content expected, SharedHeader& header);
};

// Part of a file as device memory: addresses that programs see, never accessible to the host, and the bytes at a fixed
// distance. The addresses rest before they are used again.
class SharedMapping {
public:
    // Throws DriverError(CUDA_ERROR_OUT_OF_MEMORY). `offset` is any.
    SharedMapping(const SharedFile& file, uint64_t offset, uint64_t size);
    ~SharedMapping();
    SharedMapping(const SharedMapping&) = delete;
    SharedMapping& operator=(const SharedMapping&) = delete;

    uint64_t address() const { return seen_ + lead_; }
    int64_t host_offset() const { return static_cast<int64_t>(held_ - seen_); }

private:
    uint64_t seen_ = 0, held_ = 0, span_ = 0;
    static constexpr size_t most_resting = 1024;  // of the process
    uint64_t lead_ = 0;                           // from the beginning of a page to the first byte
};

}  // namespace cuprum::simulator::libcuda
