#include "cuprum/capi/launch.h"

#include "call.hpp"
#include "cuprum/core/launch.hpp"
#include "launch_arguments.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

cuprum_status cuprum_launch(cuprum_stream stream, const cuprum_launch_config* config, cuprum_kernel kernel,
                            const cuprum_argument* arguments, uint32_t argument_count) {
    return run("cuprum_launch", [&](const Call& call) {
        const auto in = call.use(stream, "stream");
        const auto launched = call.use(kernel, "kernel");
        const cuprum_launch_config given =
            read_struct(call, "config", config, {sizeof(cuprum_launch_config), 1, 1, 1, 1, 1, 1, 0, 0});
        if (argument_count != 0) {
            call.require(arguments, "arguments");
        }
        core::LaunchConfig values;
        values.grid = {given.grid_x, given.grid_y, given.grid_z};
        values.block = {given.block_x, given.block_y, given.block_z};
        values.shmem_size = given.shared_memory;
        values.is_cooperative = given.is_cooperative != 0;
        const core::Kernel& function = launched->kernel;
        const LaunchArguments converted(call, function.name(), function.arguments_info(), {arguments, argument_count});
        core::launch_arguments(in->stream, values, function, converted.get());
    });
}
