// What clusters a kernel can be launched in: the driver reckons with a whole launch configuration, and takes the
// context, which may have only a part of the device, from the stream.
#include "context.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/launch.hpp"
#include "device_properties.hpp"
#include "driver_error.hpp"
#include "kernel_state.hpp"
#include "launch_attributes.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

using Ask = CUresult (*)(int*, CUfunction, const CUlaunchConfig*);

struct Question {
    Ask ask;
    const char* driver_function;
    const char* operation;
};

int32_t answer(const Question& question, const Kernel& kernel, const LaunchConfig& config, const StreamRef& stream) {
    const KernelAccess::State* const state = KernelAccess::state(kernel);
    if (state == nullptr) {
        throw InvalidArgument(question.operation, "kernel", "the kernel is invalid (moved-from or default-constructed)",
                              "get one from object code");
    }
    require_valid(stream, question.operation);
    const int32_t device_id = stream.device_id();
    if (!device_properties(device_state(device_id), device_id).cluster_launch) {
        throw Unsupported(question.operation, describe_kernel(state->name, device_id), "the device has no clusters",
                          "use a device of compute capability 9.0 or newer");
    }
    const ContextScope scope(stream);
    LaunchAttributes attributes(config);
    const CUlaunchConfig given = attributes.driver_config(config, stream.handle());
    int found = 0;
    // A CUkernel may stand for the CUfunction of the stream's context (cuda.h).
    const CUresult result = question.ask(&found, reinterpret_cast<CUfunction>(state->handle), &given);
    if (result != CUDA_SUCCESS) {
        throw_driver_error(result, question.driver_function, question.operation,
                           describe_kernel(state->name, device_id));
    }
    return found;
}

}  // namespace

int32_t Kernel::max_potential_cluster_size(const LaunchConfig& config, const StreamRef& stream) const {
    LaunchConfig without_cluster = config;
    without_cluster.cluster.reset();
    return answer({driver::cuOccupancyMaxPotentialClusterSize, "cuOccupancyMaxPotentialClusterSize",
                   "asking for the largest cluster"},
                  *this, without_cluster, stream);
}

int32_t Kernel::max_active_clusters(const LaunchConfig& config, const StreamRef& stream) const {
    return answer({driver::cuOccupancyMaxActiveClusters, "cuOccupancyMaxActiveClusters",
                   "asking for the clusters that run at once"},
                  *this, config, stream);
}

}  // namespace cuprum::core
