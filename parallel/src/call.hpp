// The way of a call, shared by all algorithms: checks, temporary storage, kernels with their parameters. Nothing here
// allocates on the host or locks while all is well.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archive.hpp"
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

// Counts are any numbers of the caller's: beyond this many bytes, which no address space has, they are refused, so that
// products and sums of sizes do not wrap. Throws InvalidArgument.
constexpr uint64_t max_bytes = uint64_t{1} << 56;
[[noreturn]] void throw_too_many(const char* operation, uint64_t count, uint64_t element_size);
inline void check_count(const char* operation, uint64_t count, uint64_t element_size) {
    if (count > max_bytes / element_size) [[unlikely]]
        throw_too_many(operation, count, element_size);
}

// Blocks as the driver takes them. Throws InvalidArgument.
uint32_t grid_of(uint64_t blocks);

// The stream is one of the device's.
void check_stream(const Call& call);
// `expected`: what the algorithm was built for. Null and host addresses are refused where they can be told, and a
// buffer that is too small.
void check_input(const Call& call, const char* name, const Iterator& expected, const Input& input);
void check_output(const Call& call, const char* name, const Type& type, const Output& output, uint64_t count);
// Of an algorithm that writes through iterators.
void check_output(const Call& call, const char* name, const Iterator& expected, const Output& output, uint64_t count);
void check_value(const Call& call, const char* name, const Type& expected, const Value& value);
// The operator's state for this call, as the kernel is passed it.
const void* operator_state(const Call& call, const Operator& built, const Operator* given);
inline const void* operator_state(const Call& call, const Operator& built, const CallOptions& options) {
    return operator_state(call, built, options.op);
}

inline bool overlap(core::DevicePointer left, uint64_t left_size, core::DevicePointer right, uint64_t right_size) {
    return left_size > 0 && right_size > 0 && left < right + right_size && right < left + left_size;
}

// The memory of an input or output of a call, on a device or on the host. Address 0: it has none.
struct Extent {
    const char* name;
    uint64_t address, bytes;
};
inline Extent extent_of(const char* name, const Input& input, const Type& type, uint64_t count) {
    return {name, input.address(), count * type.size()};
}
// Of an iterator that is not plain memory nothing is known.
inline Extent extent_of(const char* name, const Output& output, const Type& type, uint64_t count) {
    return {name, output.address(), output.address() == 0 ? 0 : count * type.size()};
}
[[noreturn]] void throw_overlap(const char* operation, const char* first, const char* second);
inline void refuse_overlap(const char* operation, const Extent& first, const Extent& second) {
    if (first.address != 0 && overlap(first.address, first.bytes, second.address, second.bytes)) [[unlikely]]
        throw_overlap(operation, first.name, second.name);
}
// The same where one may be the other: each element is read before its place is written.
inline void refuse_partial_overlap(const char* operation, const Extent& first, const Extent& second) {
    if (first.address != second.address || first.bytes != second.bytes) refuse_overlap(operation, first, second);
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

inline const void* argument_address(const Raw& raw) {
    return raw.data;
}
inline core::ArgumentType argument_type(const Raw& raw) {
    return {static_cast<uint32_t>(raw.size)};
}
template <class T>
const void* argument_address(const T& value) {
    return &value;
}
template <class T>
core::ArgumentType argument_type(const T& /*value*/) {
    return {static_cast<uint32_t>(sizeof(T))};
}

// Launches with parameters of exactly the types given.
template <class... Parameters>
void launch_kernel(const core::StreamRef& stream, const core::LaunchConfig& config, const core::Kernel& kernel,
                   const Parameters&... parameters) {
    const std::array<const void*, sizeof...(Parameters)> addresses{argument_address(parameters)...};
    const std::array<core::ArgumentType, sizeof...(Parameters)> types{argument_type(parameters)...};
    core::launch_arguments(stream, config, kernel, addresses, types);
}

template <class... Parameters>
void launch_kernel(const core::StreamRef& stream, uint64_t blocks, int64_t threads, const core::Kernel& kernel,
                   const Parameters&... parameters) {
    launch_kernel(stream, core::LaunchConfig{grid_of(blocks), static_cast<uint32_t>(threads)}, kernel, parameters...);
}

// How many blocks of so many threads, with so much dynamic shared memory, the device holds at once: at least 1, so that
// a kernel that does not fit is refused by its launch.
inline uint64_t resident_blocks(const core::Device& device, const core::Kernel& kernel, int64_t threads,
                                uint64_t dynamic_bytes = 0) {
    const int32_t each =
        kernel.max_active_blocks_per_multiprocessor(device, static_cast<int32_t>(threads), dynamic_bytes);
    return static_cast<uint64_t>(std::max(each, 1)) * static_cast<uint64_t>(device.properties().multiprocessor_count);
}

// A count as the kernel's offset type.
struct Offset {
    uint64_t value;
    bool wide;
};
inline const void* argument_address(const Offset& offset) {
    return &offset.value;
}
inline core::ArgumentType argument_type(const Offset& offset) {
    // Little-endian: the first 4 bytes are the low half.
    return {offset.wide ? 8U : 4U};
}

// What an algorithm is built for, with what is asked of the device once.
class Target {
public:
    // Throws InvalidArgument for a name that is no architecture, where there is no such device, and for options with
    // outputs, unless the algorithm takes them (output_iterators).
    Target(const Execution& execution, const BuildOptions& options, bool takes_outputs = false);

    // Then nothing is built, and what is called is in host_execution.hpp.
    bool is_host() const { return is_host_; }

    // Throws InvalidState where the algorithm was built ahead of time, Unsupported where it was built for the host's
    // cores.
    const core::Device& device() const {
        if (!device_) [[unlikely]]
            throw_without_device();
        return *device_;
    }
    bool is_ahead_of_time() const { return !device_; }
    const std::vector<Architecture>& architectures() const { return architectures_; }
    bool always_wide() const { return always_wide_; }
    // BuildOptions::tuning.
    const std::string& tuning() const { return tuning_; }
    [[noreturn]] static void throw_nothing_to_save();

private:
    [[noreturn]] void throw_without_device() const;

    std::optional<core::Device> device_;
    std::vector<Architecture> architectures_;
    bool always_wide_;
    std::string tuning_;
    bool is_host_;
};

// What an algorithm writes through: memory of these types, or the iterators of the options. Throws InvalidArgument
// where there are too few or too many, for other types, and for those that can only be read.
std::vector<Iterator> output_iterators(const BuildOptions& options, std::initializer_list<Type> types);
inline Raw output_bytes(const Output& output, const Iterator& built) {
    return {output.state(), built.state().size()};
}

// The builds that an algorithm has asked for, to be saved. Thread-safe.
class BuildRecords {
public:
    std::shared_ptr<const Build> get(const Architecture& architecture, const BuildRequest& request);
    std::string save() const;

private:
    mutable std::mutex mutex_;
    std::vector<BuildRecord> records_;
};

// An algorithm's two programs (source.hpp, Width), each with what callers of its kernels need. The wide one is made at
// the first call that needs it, or at once and alone. `Program` is made of a device, a CompiledProgram and a Width.
template <class Program>
class Programs {
public:
    using Request = std::function<BuildRequest(Width)>;

    Programs(const Target& target, Request request) : target_(target), request_(std::move(request)) {
        const Width first = target_.always_wide() ? Width::wide : Width::narrow;
        if (target_.is_host()) return;
        if (first == Width::wide) limit_ = max_bytes;
        if (!target_.is_ahead_of_time()) {
            first_ = make(first);
            return;
        }
        const BuildRequest wanted = request_(first);
        for (const Architecture& architecture : target_.architectures())
            records_.get(architecture, wanted);
    }

    const Program& for_count(uint64_t count) const {
        if (first_ == nullptr) [[unlikely]]
            target_.device();  // throws
        if (count <= limit_) [[likely]]
            return *first_;
        check_count("calling an algorithm", count, 1);
        std::call_once(once_, [this] { wide_ = make(Width::wide); });
        return *wide_;
    }
    std::string save() const {
        if (target_.is_host()) Target::throw_nothing_to_save();
        return records_.save();
    }

private:
    std::unique_ptr<const Program> make(Width width) const {
        const BuildRequest request = request_(width);
        const auto build = records_.get(target_.architectures().front(), request);
        return std::make_unique<const Program>(target_.device(), CompiledProgram(*build, request), width);
    }

    const Target& target_;
    Request request_;
    uint64_t limit_ = narrow_limit;
    std::unique_ptr<const Program> first_;
    mutable BuildRecords records_;
    mutable std::once_flag once_;
    mutable std::unique_ptr<const Program> wide_;
};

}  // namespace cuprum::parallel
