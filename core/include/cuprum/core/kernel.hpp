#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "cuprum/core/handles.hpp"

namespace cuprum::core {

class Device;

struct KernelArgumentInfo {
    uint64_t offset = 0;  // bytes, in the parameter buffer
    uint64_t size = 0;    // bytes
};

// Of a kernel on one device. Sizes in bytes.
struct KernelAttributes {
    int32_t max_threads_per_block = 0;
    int32_t shared_size_bytes = 0;
    int32_t const_size_bytes = 0;
    int32_t local_size_bytes = 0;  // per thread
    int32_t num_regs = 0;
    int32_t ptx_version = 0;
    int32_t binary_version = 0;
    int32_t max_dynamic_shared_size_bytes = 0;
};

// A kernel, ready to be launched on any device. Copies are cheap and keep the code loaded. Thread-safe.
class Kernel {
public:
    Kernel() = default;  // invalid

    bool is_valid() const { return state_ != nullptr; }
    CUkernel handle() const;
    const std::string& name() const;  // as it was asked for in get_kernel()
    // One entry per parameter; empty for a kernel without parameters. Never allocates.
    std::span<const KernelArgumentInfo> arguments_info() const;
    uint32_t num_arguments() const { return static_cast<uint32_t>(arguments_info().size()); }
    KernelAttributes attributes(const Device& device) const;
    int32_t max_active_blocks_per_multiprocessor(const Device& device, int32_t block_size,
                                                 uint64_t dynamic_shared_memory) const;
    // Allows up to `bytes` of dynamic shared memory per block (beyond 48 KiB it must be asked for).
    void set_max_dynamic_shared_size(const Device& device, int32_t bytes) const;

private:
    friend class ObjectCode;
    friend struct KernelAccess;
    struct State;
    explicit Kernel(std::shared_ptr<const State> state) : state_(std::move(state)) {}
    std::shared_ptr<const State> state_;
};

}  // namespace cuprum::core
