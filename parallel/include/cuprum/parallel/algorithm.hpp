// What all algorithms have in common.
//
// An algorithm is built once, for types, iterators' kinds and an operator, and called many times: the object is
// immutable and may be called from several threads at once, each with its own memory. Building compiles CUB's kernels
// with CUB's own tuning for the device's architecture, unless this process or the cache on disk has them.
//
// Calls are asynchronous and in the stream's order; they can be captured in a graph. Temporary storage comes from the
// device's stream-ordered pool, unless the caller gives it. Counts of elements may be beyond 2^32: the first call with
// 2^31 elements or more builds a second program. A failed check throws before anything is launched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/stream.hpp"
#include "cuprum/parallel/iterator.hpp"

namespace cuprum::parallel {

struct BuildOptions {
    int32_t device_id = 0;
};

struct CallOptions {
    /// At least temp_storage_bytes(n), aligned to 256 bytes as Device::allocate aligns; invalid: from the pool. In use
    /// until the stream has passed the call.
    core::BufferRef temp_storage{};
    /// The operator with the state of this call, for algorithms whose operator has a state; null: the state that it was
    /// built with.
    const Operator* op = nullptr;
};

/// The input of one call: an iterator of the kind that the algorithm was built for, or, for pointers, just the memory.
/// Borrows; not to be kept.
class Input {
public:
    Input(const Iterator& iterator) : iterator_(&iterator) {}
    Input(const core::BufferRef& buffer) : buffer_(&buffer), address_(buffer.handle()) {}
    Input(core::DevicePointer address) : address_(address) {}

    const Iterator* iterator() const { return iterator_; }
    const core::BufferRef* buffer() const { return buffer_; }
    core::DevicePointer address() const { return iterator_ != nullptr ? iterator_->address() : address_; }
    /// The bytes that the kernel is passed.
    const void* state() const {
        return iterator_ != nullptr ? static_cast<const void*>(iterator_->state().data()) : &address_;
    }

private:
    const Iterator* iterator_ = nullptr;
    const core::BufferRef* buffer_ = nullptr;
    core::DevicePointer address_ = 0;
};

/// The output of one call: memory for as many elements as the algorithm writes.
class Output {
public:
    Output(const core::BufferRef& buffer) : buffer_(&buffer), address_(buffer.handle()) {}
    Output(core::DevicePointer address) : address_(address) {}

    const core::BufferRef* buffer() const { return buffer_; }
    core::DevicePointer address() const { return address_; }

private:
    const core::BufferRef* buffer_ = nullptr;
    core::DevicePointer address_ = 0;
};

}  // namespace cuprum::parallel
