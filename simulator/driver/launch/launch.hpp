// Kernel launches.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "driver/module/module.hpp"
#include "driver/process/cuda_api.hpp"
#include "driver/stream/stream.hpp"

namespace cuprum::simulator::libcuda {

struct LaunchShape {
    std::array<uint32_t, 3> grid{};
    std::array<uint32_t, 3> block{};
    uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;
    std::shared_ptr<const std::vector<uint32_t>> multiprocessors = nullptr;  // null: all of the device's
    std::array<uint32_t, 3> cluster{};                                       // zeros: what the kernel requires, or none
};

// A kernel with its arguments, checked: what runs once in a stream or at each launch of a graph.
struct KernelLaunch {
    std::shared_ptr<Context> context;
    std::shared_ptr<Module> module;  // held so that its variables live as long as the kernel runs
    CUfunction function = nullptr;   // the handle that the program gave
    LaunchRequest request;           // all but the memory, which is what there is when the kernel starts
    std::vector<CUlaunchAttribute> attributes;
    // Of the kernel's parameters in the request, in the form of cuLaunchKernel's kernelParams; valid as long as this
    // is.
    void** parameter_pointers() const;

private:
    // A copy has none: they point into the launch that they were made for. So that may be copied while it is asked for
    // them, by one thread at a time.
    struct Pointers {
        Pointers() = default;
        Pointers(const Pointers& /*other*/) {}
        Pointers& operator=(const Pointers& /*other*/) {
            values.clear();
            return *this;
        }
        std::vector<void*> values;
    };
    mutable Pointers pointers_;
};

// Checks everything that the driver checks and packs the arguments. Throws DriverError that names the limit and what
// was given.
std::shared_ptr<KernelLaunch> prepare_launch(const std::shared_ptr<Context>& context, CUfunction handle,
                                             const LaunchShape& shape, void** kernel_parameters, void** extra);
// Puts the launch's blocks into the clusters that the shape asks for, or else the kernel. Throws DriverError.
void set_cluster(KernelLaunch& launch, LaunchShape shape);
// Runs the kernel now, once, unless its context is out of service; a fault puts it there.
void run_launch(KernelLaunch& launch);

// Appends a launch to the stream, or to what it captures.
void launch(const std::shared_ptr<Stream>& stream, CUfunction handle, const LaunchShape& shape,
            void** kernel_parameters, void** extra, std::span<const CUlaunchAttribute> attributes = {});

// Shared memory is given out to blocks in units of so many bytes.
uint32_t shared_memory_unit(const Device& device);

// Shared memory that a block takes of a multiprocessor, in the units it is given out in.
uint64_t shared_bytes_of_block(const Function& function, size_t dynamic_shared_bytes);

// How many blocks of `block_threads` threads one multiprocessor holds at once.
uint32_t resident_blocks(const Function& function, uint32_t block_threads, size_t dynamic_shared_bytes);

}  // namespace cuprum::simulator::libcuda
