// Launches.
#include "driver/entry.hpp"
#include "driver/launch.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

void launch_in(CUfunction handle, const LaunchShape& shape, CUstream stream_handle, void** parameters, void** extra) {
    const std::shared_ptr<Stream> stream = find_stream(stream_handle);
    launch(stream, *find_function(handle, stream->context()), shape, parameters, extra);
}

// Applies what a launch attribute asks for. What only tunes a GPU is accepted; what would change the meaning of the
// launch and is not there is refused.
void apply(const CUlaunchAttribute& attribute, LaunchShape& shape) {
    switch (attribute.id) {
        case CU_LAUNCH_ATTRIBUTE_IGNORE:
        case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        // Its early start is permitted, not required: the kernel starts when the one before it has ended.
        case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
            return;
        case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
            shape.cooperative = attribute.value.cooperative != 0;
            return;
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: {
            const auto& cluster = attribute.value.clusterDim;
            if (cluster.x == 1 && cluster.y == 1 && cluster.z == 1) return;
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                              format("clusters of %u x %u x %u blocks: the simulated device has none", cluster.x,
                                     cluster.y, cluster.z));
        }
        default:
            break;
    }
    throw DriverError(CUDA_ERROR_NOT_SUPPORTED, format("the simulator has not launch attribute %d", attribute.id));
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
            apply(config->attrs[index], shape);
        }
        launch_in(f, shape, config->hStream, parameters, extra);
    });
}

CUresult CUDAAPI cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction f, void** parameters, void** extra) {
    if (config == nullptr || config->hStream != nullptr) return cuLaunchKernelEx(config, f, parameters, extra);
    CUlaunchConfig adjusted = *config;
    adjusted.hStream = CU_STREAM_PER_THREAD;
    return cuLaunchKernelEx(&adjusted, f, parameters, extra);
}

}  // extern "C"
