// Launches.
#include "driver/launch/launch_attribute.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

void launch_in(CUfunction handle, const LaunchShape& shape, CUstream stream_handle, void** parameters, void** extra,
               std::span<const CUlaunchAttribute> attributes = {}) {
    launch(find_stream(stream_handle), handle, shape, parameters, extra, attributes);
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuLaunchKernel(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                unsigned int shared_bytes, CUstream stream, void** parameters, void** extra) {
    return entry("cuLaunchKernel", [&] {
        if (!driver().launches()) return;
        launch_in(f, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, false}, stream, parameters,
                  extra);
    });
}

CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                           unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                           unsigned int shared_bytes, CUstream stream, void** parameters) {
    return entry("cuLaunchCooperativeKernel", [&] {
        if (!driver().launches()) return;
        launch_in(f, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, true}, stream, parameters,
                  nullptr);
    });
}

CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** parameters, void** extra) {
    return entry("cuLaunchKernelEx", [&] {
        if (!driver().launches()) return;
        require_pointer(config, "config");
        if (config->numAttrs > 0) require_pointer(config->attrs, "config->attrs");
        LaunchShape shape{{config->gridDimX, config->gridDimY, config->gridDimZ},
                          {config->blockDimX, config->blockDimY, config->blockDimZ},
                          config->sharedMemBytes,
                          false};
        for (unsigned int index = 0; index < config->numAttrs; ++index) {
            const CUlaunchAttributeID attribute = config->attrs[index].id;
            if (attribute == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT ||
                attribute == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT) {
                continue;  // launch() records them
            }
            apply_attribute(config->attrs[index], shape);
        }
        launch_in(f, shape, config->hStream, parameters, extra, {config->attrs, config->numAttrs});
    });
}

CUresult CUDAAPI cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction f, void** parameters, void** extra) {
    if (config == nullptr || config->hStream != nullptr) return cuLaunchKernelEx(config, f, parameters, extra);
    CUlaunchConfig adjusted = *config;
    adjusted.hStream = CU_STREAM_PER_THREAD;
    return cuLaunchKernelEx(&adjusted, f, parameters, extra);
}

}  // extern "C"
