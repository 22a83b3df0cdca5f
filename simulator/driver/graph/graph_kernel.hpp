// What programs see and set of kernels in graphs: parameters and attributes.
#pragma once

#include "driver/graph/graph_operation.hpp"
#include "driver/launch/launch.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

// The kernel's parameters are pointed to where the node holds them: valid until the node is changed or destroyed.
template <typename Parameters>
void report_kernel(const KernelOperation& kernel, Parameters& parameters) {
    const KernelLaunch& launch = *kernel.launch;
    const LaunchRequest& request = launch.request;
    parameters = {};
    parameters.func = launch.function;
    parameters.gridDimX = request.grid.x;
    parameters.gridDimY = request.grid.y;
    parameters.gridDimZ = request.grid.z;
    parameters.blockDimX = request.block.x;
    parameters.blockDimY = request.block.y;
    parameters.blockDimZ = request.block.z;
    parameters.sharedMemBytes = request.dynamic_shared_bytes;
    parameters.kernelParams = launch.parameter_pointers();
    // The form of before CUDA 12 has no place for a library's kernel.
    if constexpr (requires { parameters.kern; }) {
        const std::shared_ptr<Library> library = handles().libraries.find(launch.module->library());
        if (library) parameters.kern = library->kernel(request.kernel);
    }
}

CUkernelNodeAttrValue kernel_attribute(const KernelOperation& kernel, CUkernelNodeAttrID attribute);
// A launch that is performed keeps what it had.
void set_kernel_attribute(KernelOperation& kernel, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue& value);
void copy_kernel_attributes(const KernelOperation& copied, KernelOperation& kernel);

}  // namespace cuprum::simulator::libcuda
