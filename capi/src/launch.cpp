#include "cuprum/capi/launch.h"

#include "call.hpp"
#include "cuprum/core/launch.hpp"
#include "launch_arguments.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

// 0 is the default.
uint32_t or_one(uint32_t dimension) {
    return dimension == 0 ? 1 : dimension;
}

}  // namespace

cuprum_status cuprum_launch(cuprum_stream stream, const cuprum_launch_config* config, cuprum_kernel kernel,
                            const cuprum_argument* arguments, uint32_t argument_count) {
    return run("cuprum_launch", [&](const Call& call) {
        const auto in = call.use(stream, "stream");
        const auto launched = call.use(kernel, "kernel");
        const cuprum_launch_config given = read_struct(call, "config", config);
        if (argument_count != 0) {
            call.require(arguments, "arguments");
        }
        core::LaunchConfig values;
        values.grid = {or_one(given.grid_x), or_one(given.grid_y), or_one(given.grid_z)};
        values.block = {or_one(given.block_x), or_one(given.block_y), or_one(given.block_z)};
        values.shmem_size = given.shared_memory;
        values.is_cooperative = given.is_cooperative != 0;
        const core::Kernel& function = launched->kernel;
        const core::ArgumentCheck check{function.name(), in->stream.device_id(), function.arguments_info()};
        const LaunchArguments checked(call, check, {arguments, argument_count});
        core::launch_checked(in->stream, values, function, checked.addresses());
    });
}
