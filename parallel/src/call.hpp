// The way of a call, shared by all algorithms: checks, temporary storage, kernels with their parameters. Nothing here
// allocates on the host or locks while all is well.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "build.hpp"
#include "cuprum/core/launch.hpp"
#include "cuprum/parallel/algorithm.hpp"
#include "layout.hpp"
#include "source.hpp"

namespace cuprum::parallel {

// What one call works with; for the checks and their errors.
struct Call {
    const char* operation;  // "reducing"
    const core::Device& device;
    const core::StreamRef& stream;
    uint64_t count;  // elements
};

// The stream is one of the device's.
void check_stream(const Call& call);
// `expected`: what the algorithm was built for. Null and host addresses are refused where they can be told, and a
// buffer that is too small.
void check_input(const Call& call, const char* name, const Iterator& expected, const Input& input);
void check_output(const Call& call, const char* name, const Type& type, const Output& output, uint64_t count);
void check_value(const Call& call, const char* name, const Type& expected, const Value& value);
// The operator's state for this call, as the kernel is passed it.
const void* operator_state(const Call& call, const Operator& built, const CallOptions& options);

[[noreturn]] void throw_overlap(const Call& call, const char* first, const char* second);
inline bool overlap(core::DevicePointer left, uint64_t left_size, core::DevicePointer right, uint64_t right_size) {
    return left_size > 0 && right_size > 0 && left < right + right_size && right < left + left_size;
}

// Temporary storage for one call: the caller's, or the pool's, freed in the stream's order.
class Workspace {
public:
    Workspace(const Call& call, uint64_t needed, const CallOptions& options);
    core::DevicePointer operator[](uint64_t offset) const { return address_ + offset; }

private:
    core::Buffer owned_;
    core::DevicePointer address_ = 0;
};

// Lays out temporary storage: each part at 256 bytes, as wide loads need.
class StorageLayout {
public:
    uint64_t add(uint64_t size) { return append(layout_, {align_up(size, 256), 256}); }
    uint64_t size() const { return layout_.size; }

private:
    Layout layout_;
};

// A kernel's parameter that is given as bytes.
struct Raw {
    const void* data;
    uint64_t size;
};

inline core::LaunchArgument as_argument(const Raw& raw) {
    return {raw.data, static_cast<uint32_t>(raw.size)};
}
template <class T>
core::LaunchArgument as_argument(const T& value) {
    return {&value, static_cast<uint32_t>(sizeof(T))};
}

// Launches with parameters of exactly the types given.
template <class... Parameters>
void launch(const core::StreamRef& stream, uint64_t blocks, int64_t threads, const core::Kernel& kernel,
            const Parameters&... parameters) {
    const std::array<core::LaunchArgument, sizeof...(Parameters)> packed{as_argument(parameters)...};
    core::launch_arguments(stream, {static_cast<uint32_t>(blocks), static_cast<uint32_t>(threads)}, kernel, packed);
}

// A count as the kernel's offset type.
struct Offset {
    uint64_t value;
    bool wide;
};
inline core::LaunchArgument as_argument(const Offset& offset) {
    // Little-endian: the first 4 bytes are the low half.
    return {&offset.value, offset.wide ? 8U : 4U};
}

// An algorithm's two programs (source.hpp, Width), each with what the host keeps of it. The wide one is made at the
// first call that needs it.
template <class Program>
class Programs {
public:
    using Make = std::function<Program(Width)>;

    explicit Programs(Make make) : make_(std::move(make)), narrow_(make_(Width::narrow)) {}

    const Program& for_count(uint64_t count) const {
        if (count <= narrow_limit) [[likely]]
            return narrow_;
        return wide();
    }
    // Made if it is not yet.
    const Program& wide() const {
        std::call_once(once_, [this] { wide_ = std::make_unique<const Program>(make_(Width::wide)); });
        return *wide_;
    }

private:
    Make make_;
    Program narrow_;
    mutable std::once_flag once_;
    mutable std::unique_ptr<const Program> wide_;
};

}  // namespace cuprum::parallel
