// What all algorithms have in common.
//
// An algorithm is built once, for types, iterators' kinds and an operator, and called many times: the object is
// immutable and may be called from several threads at once, each with its own memory. Building compiles CUB's kernels
// with CUB's own tuning for the device's architecture, unless this process or the cache on disk has them.
//
// Calls are asynchronous and in the stream's order; they can be captured in a graph. Temporary storage comes from the
// device's stream-ordered pool, unless the caller gives it. Counts of elements may exceed 2^32: the first call with
// 2^31 elements or more builds a second program. A failed check throws before anything is launched.
//
// On the host's cores (Execution::host) an algorithm runs with no driver and nothing compiled, and takes host memory:
// see Execution.
#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/host_range.hpp"
#include "cuprum/core/stream.hpp"
#include "cuprum/parallel/execution.hpp"
#include "cuprum/parallel/iterator.hpp"

namespace cuprum::parallel {

struct BuildOptions {
    /// Use the program for counts of 2^31 and more for all calls, so that there is no second build later. Ignored
    /// on the host's cores.
    bool always_wide = false;
    /// What results are written through in place of memory: none, or an iterator for each output that has elements, in
    /// the order of the call's, each of the results' type (a pointer for one that stays memory). Algorithms that write
    /// to memory only throw InvalidArgument. On the host's cores results that are not written to memory directly go
    /// through temporary memory.
    std::vector<Iterator> outputs{};
    /// How the kernels are shaped, such as "threads=128 vectors=7 blocks=6" for a scan, instead of what the tables say
    /// (docs/parallel.md, Tuning); "cub" for CUB's own choice. Before compute capability 9.0 the choice is always
    /// CUB's. For algorithms that tables have rows for.
    std::string tuning{};
};

/// Reads the tables that builds take their shapes from (docs/parallel.md, Tuning). Throws InvalidArgument where the one
/// that CUPRUM_TUNINGS names cannot be read, with file and line. Thread-safe.
void check_tunings();

struct CallOptions {
    /// At least temp_storage_bytes(n), aligned to 256 bytes as Device::allocate aligns; invalid: from the pool. In use
    /// until the stream has passed the call.
    core::BufferRef temp_storage{};
    /// The operator with the state of this call, for algorithms whose operator has a state; null: the state that it was
    /// built with.
    const Operator* op = nullptr;
    /// The same for the second operator of algorithms that have two.
    const Operator* second_op = nullptr;
};

/// Loads what save() of an algorithm returned, in any language: algorithms built later in this process with the same
/// types, operator and options, on the device or architecture that it was saved for, then need neither NVRTC nor the
/// toolkit's headers. Returns the architectures in it. Throws InvalidArgument for bytes that are truncated, corrupted
/// or were not saved by save(), Unsupported for those of another version of Cuprum. Thread-safe.
std::vector<std::string> load_builds(std::string_view bytes);
/// The same, and throws Unsupported where nothing in it runs on that device.
std::vector<std::string> load_builds(std::string_view bytes, const core::Device& device);

/// The input of one call: an iterator of the kind that the algorithm was built for, or, for pointers, just the memory.
/// Pointers and ranges (a std::vector, std::array, std::span or C array, and no temporary one) are host memory, for
/// the host's cores. Borrows; not to be kept.
class Input {
public:
    Input(const Iterator& iterator) : iterator_(&iterator) {}
    Input(const core::BufferRef& buffer) : buffer_(&buffer), address_(buffer.handle()) {}
    Input(core::DevicePointer address) : address_(address) {}
    template <class Pointer>
        requires std::is_pointer_v<Pointer>
    Input(const Pointer& elements) : address_(reinterpret_cast<uintptr_t>(elements)), host_bytes_(UINT64_MAX) {}
    template <core::LastingHostRange Range>
        requires(!std::is_same_v<std::ranges::range_value_t<Range>, Input>)  // several inputs: Transform
    Input(Range&& elements)
        : address_(reinterpret_cast<uintptr_t>(std::ranges::data(elements))),
          host_bytes_(std::span(elements).size_bytes()) {}

    const Iterator* iterator() const { return iterator_; }
    const core::BufferRef* buffer() const { return buffer_; }
    /// How large the host memory is: UINT64_MAX where that is not known, none for other memory.
    std::optional<uint64_t> host_bytes() const { return host_bytes_; }
    core::DevicePointer address() const { return iterator_ != nullptr ? iterator_->address() : address_; }
    /// The bytes that the kernel is passed.
    const void* state() const {
        return iterator_ != nullptr ? static_cast<const void*>(iterator_->state().data()) : &address_;
    }

private:
    const Iterator* iterator_ = nullptr;
    const core::BufferRef* buffer_ = nullptr;
    core::DevicePointer address_ = 0;
    std::optional<uint64_t> host_bytes_;
};

/// The output of one call: memory for as many elements as the algorithm writes, or an iterator of the kind that it was
/// built for (BuildOptions::outputs). Borrows; not to be kept.
class Output {
public:
    Output(const Iterator& iterator) : iterator_(&iterator), address_(iterator.address()) {}
    Output(const core::BufferRef& buffer) : buffer_(&buffer), address_(buffer.handle()) {}
    Output(core::DevicePointer address) : address_(address) {}
    template <class Pointer>
        requires(std::is_pointer_v<Pointer> && !std::is_const_v<std::remove_pointer_t<Pointer>>)
    Output(const Pointer& elements) : address_(reinterpret_cast<uintptr_t>(elements)), host_bytes_(UINT64_MAX) {}
    template <core::WritableHostRange Range>
    Output(Range&& elements)
        : address_(reinterpret_cast<uintptr_t>(std::ranges::data(elements))),
          host_bytes_(std::span(elements).size_bytes()) {}

    const Iterator* iterator() const { return iterator_; }
    const core::BufferRef* buffer() const { return buffer_; }
    std::optional<uint64_t> host_bytes() const { return host_bytes_; }
    core::DevicePointer address() const { return address_; }
    /// The bytes that the kernel is passed.
    const void* state() const {
        return iterator_ != nullptr ? static_cast<const void*>(iterator_->state().data()) : &address_;
    }

private:
    const Iterator* iterator_ = nullptr;
    const core::BufferRef* buffer_ = nullptr;
    core::DevicePointer address_ = 0;
    std::optional<uint64_t> host_bytes_;
};

}  // namespace cuprum::parallel
