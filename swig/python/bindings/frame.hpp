// What one call needs for as long as it takes: memory for values and arrays, buffers and objects kept alive.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cuprum::python {

/// On the stack of each call. The memory within serves nearly every call; what is larger comes from the heap.
class Frame {
public:
    Frame() noexcept = default;  // leaves the memory as it is
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    ~Frame() {
        if (held_ != 0 || overflow_ != nullptr) {
            release();
        }
    }

    /// Memory for `bytes`, aligned for any value, not initialised. Null with MemoryError set.
    char* take(std::size_t bytes) {
        const std::size_t rounded = (bytes + 15) & ~std::size_t{15};
        if (rounded <= size - used_) {
            char* memory = memory_ + used_;
            used_ += rounded;
            return memory;
        }
        return take_from_heap(rounded);
    }

    /// Same, with all bytes zero.
    char* take_zeroed(std::size_t bytes) {
        const std::size_t before = used_;
        char* const memory = take(bytes);
        if (used_ != before) {
            std::memset(memory, 0, bytes);
        }
        return memory;
    }

    /// The memory of an object with the buffer protocol, which stays locked until the end. False with an exception set.
    bool hold_buffer(PyObject* exporter, void*& address, std::size_t& bytes);

    /// Keeps an object until the end, taking over the reference. False with MemoryError set.
    bool keep(PyObject* owned);

private:
    static constexpr std::size_t size = 512;
    static constexpr std::size_t holds = 4;

    struct Overflow {
        std::vector<void*> blocks;
        std::vector<Py_buffer*> buffers;
        std::vector<PyObject*> objects;
    };

    char* take_from_heap(std::size_t bytes);
    Overflow* overflow();
    void release();

    std::size_t used_ = 0;
    std::size_t held_ = 0;
    Overflow* overflow_ = nullptr;
    alignas(16) char memory_[size];
    Py_buffer buffers_[holds];
};

}  // namespace cuprum::python
