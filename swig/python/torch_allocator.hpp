// What PyTorch's CUDAPluggableAllocator calls, by these names in this extension module: memory of what a device
// allocates from (Device.memory_resource). It may be called by any thread, with the GIL or without, also when Python
// has ended.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "cuprum/cuprum.h"

namespace cuprum_python {

// Buffers by their addresses. Never destroyed: PyTorch frees memory while the process exits.
class TorchBuffers {
public:
    static TorchBuffers& get() {
        static auto* const buffers = new TorchBuffers;
        return *buffers;
    }
    void add(void* address, cuprum_buffer buffer) {
        const std::lock_guard lock(mutex_);
        buffers_.emplace(address, buffer);
    }
    // Null where it is none of these.
    cuprum_buffer take(void* address) {
        const std::lock_guard lock(mutex_);
        const auto found = buffers_.find(address);
        if (found == buffers_.end()) return nullptr;
        const cuprum_buffer buffer = found->second;
        buffers_.erase(found);
        return buffer;
    }

private:
    std::mutex mutex_;
    std::unordered_map<void*, cuprum_buffer> buffers_;
};

// PyTorch makes a RuntimeError of it.
inline void throw_last_error(cuprum_status status) {
    if (status == CUPRUM_SUCCESS) return;
    cuprum_error_info info = CUPRUM_ERROR_INFO_INIT;
    cuprum_error_last(&info);
    throw std::runtime_error(std::string("cuprum.allocators.torch: ") + info.message);
}

inline void* allocate_for_torch(std::ptrdiff_t size, int device, void* native_stream) {
    if (size <= 0) return nullptr;
    cuprum_stream stream = nullptr;
    throw_last_error(cuprum_stream_from_native(&stream, device, reinterpret_cast<uintptr_t>(native_stream)));
    cuprum_buffer buffer = nullptr;
    const cuprum_status status = cuprum_buffer_allocate(&buffer, device, static_cast<uint64_t>(size), stream);
    try {
        throw_last_error(status);
        uint64_t address = 0;
        throw_last_error(cuprum_buffer_native(&address, buffer));
        void* const memory = reinterpret_cast<void*>(static_cast<uintptr_t>(address));
        TorchBuffers::get().add(memory, buffer);
        cuprum_stream_destroy(stream);
        return memory;
    } catch (...) {
        cuprum_stream_destroy(stream);
        if (buffer != nullptr) cuprum_buffer_destroy(buffer);
        throw;
    }
}

// In the order of the stream that the memory was allocated in, as PyTorch's own allocator does.
inline void free_for_torch(void* memory) {
    if (const cuprum_buffer buffer = TorchBuffers::get().take(memory); buffer != nullptr) cuprum_buffer_destroy(buffer);
}

}  // namespace cuprum_python

extern "C" {
// cudaStream_t is a pointer.
[[gnu::visibility("default"), gnu::used]] inline void* cuprum_torch_allocate(std::ptrdiff_t size, int device,
                                                                             void* stream) {
    return cuprum_python::allocate_for_torch(size, device, stream);
}
[[gnu::visibility("default"), gnu::used]] inline void cuprum_torch_free(void* memory, std::ptrdiff_t /*size*/,
                                                                        int /*device*/, void* /*stream*/) {
    cuprum_python::free_for_torch(memory);
}
}
