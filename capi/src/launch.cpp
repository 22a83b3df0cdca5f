#include "cuprum/capi/launch.h"

#include <string>

#include "call.hpp"
#include "cuprum/core/launch.hpp"
#include "graph_arguments.hpp"
#include "launch_arguments.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

// 0 is the default.
uint32_t or_one(uint32_t dimension) {
    return dimension == 0 ? 1 : dimension;
}

core::AccessProperty access_property(const Call& call, const char* field, int32_t given,
                                     core::AccessProperty by_default) {
    switch (given) {
        case 0:
            return by_default;
        case CUPRUM_ACCESS_NORMAL:
            return core::AccessProperty::normal;
        case CUPRUM_ACCESS_STREAMING:
            return core::AccessProperty::streaming;
        case CUPRUM_ACCESS_PERSISTING:
            return core::AccessProperty::persisting;
        default:
            call.refuse("config", std::string(field) + " is " + std::to_string(given) +
                                      "; expected 0 or one of CUPRUM_ACCESS_* (1 to 3)");
    }
}

core::MemorySyncDomain memory_sync_domain(const Call& call, int32_t given) {
    if (given != CUPRUM_MEMORY_SYNC_DOMAIN_DEFAULT && given != CUPRUM_MEMORY_SYNC_DOMAIN_REMOTE) {
        call.refuse("config", "memory_sync_domain is " + std::to_string(given) +
                                  "; expected 0 or one of CUPRUM_MEMORY_SYNC_DOMAIN_* (1 or 2)");
    }
    return given == CUPRUM_MEMORY_SYNC_DOMAIN_REMOTE ? core::MemorySyncDomain::remote
                                                     : core::MemorySyncDomain::default_domain;
}

// The device says how many domains it has; a number that does not even fit into the driver's 8 bits is refused here.
uint8_t hardware_domain(const Call& call, const char* field, uint32_t given) {
    if (given > UINT8_MAX) {
        call.refuse("config", std::string(field) + " is " + std::to_string(given) +
                                  "; expected one of the device's domains, counted from 0");
    }
    return static_cast<uint8_t>(given);
}

// The fields that a config has beyond those that every launch has.
void read_attributes(const Call& call, const cuprum_launch_config& given, core::LaunchConfig& values) {
    values.programmatic_stream_serialization = given.programmatic_stream_serialization != 0;
    if (given.cluster_x != 0 || given.cluster_y != 0 || given.cluster_z != 0) {
        values.cluster = core::Dimensions{or_one(given.cluster_x), or_one(given.cluster_y), or_one(given.cluster_z)};
    }
    if (given.has_priority != 0) values.priority = given.priority;
    if (given.has_shared_memory_carveout != 0) {
        values.preferred_shared_memory_carveout = given.preferred_shared_memory_carveout;
    }
    if (given.memory_sync_domain != 0) values.memory_sync_domain = memory_sync_domain(call, given.memory_sync_domain);
    if (given.has_memory_sync_domain_map != 0) {
        values.memory_sync_domain_map = {
            hardware_domain(call, "memory_sync_domain_default", given.memory_sync_domain_default),
            hardware_domain(call, "memory_sync_domain_remote", given.memory_sync_domain_remote)};
    }
    if (given.access_policy_size != 0) {
        values.access_policy_window = {
            given.access_policy_address, given.access_policy_size, given.access_policy_hit_ratio,
            access_property(call, "access_policy_hit", given.access_policy_hit, core::AccessProperty::persisting),
            access_property(call, "access_policy_miss", given.access_policy_miss, core::AccessProperty::streaming)};
    }
}

}  // namespace

namespace cuprum::capi {

core::LaunchConfig read_config(const Call& call, const cuprum_launch_config* config) {
    const cuprum_launch_config given = read_struct(call, "config", config);
    core::LaunchConfig values;
    values.grid = {or_one(given.grid_x), or_one(given.grid_y), or_one(given.grid_z)};
    values.block = {or_one(given.block_x), or_one(given.block_y), or_one(given.block_z)};
    values.shmem_size = given.shared_memory;
    values.is_cooperative = given.is_cooperative != 0;
    read_attributes(call, given, values);
    return values;
}

}  // namespace cuprum::capi

cuprum_status cuprum_launch(cuprum_stream stream, const cuprum_launch_config* config, cuprum_kernel kernel,
                            const cuprum_argument* arguments, uint32_t argument_count) {
    return run("cuprum_launch", [&](const Call& call) {
        const auto in = call.use(stream, "stream");
        const auto launched = call.use(kernel, "kernel");
        const core::LaunchConfig values = read_config(call, config);
        if (argument_count != 0) {
            call.require(arguments, "arguments");
        }
        const core::Kernel& function = launched->kernel;
        const core::ArgumentCheck check{function.name(), in->stream.device_id(), function.arguments_info()};
        const LaunchArguments checked(call, check, {arguments, argument_count});
        if (core::is_any_graph_being_built()) [[unlikely]]
            core::keep_for_capture(in->stream, owners_in_capture(call, {arguments, argument_count}));
        core::launch_checked(in->stream, values, function, checked.addresses());
    });
}

cuprum_status cuprum_kernel_max_potential_cluster_size(int32_t* cluster_size_out, cuprum_kernel kernel,
                                                       const cuprum_launch_config* config, cuprum_stream stream) {
    return run("cuprum_kernel_max_potential_cluster_size", [&](const Call& call) {
        call.require(cluster_size_out, "cluster_size_out");
        const core::LaunchConfig values = read_config(call, config);
        const auto in = call.use(stream, "stream");
        *cluster_size_out = call.use(kernel, "kernel")->kernel.max_potential_cluster_size(values, in->stream);
    });
}

cuprum_status cuprum_kernel_max_active_clusters(int32_t* clusters_out, cuprum_kernel kernel,
                                                const cuprum_launch_config* config, cuprum_stream stream) {
    return run("cuprum_kernel_max_active_clusters", [&](const Call& call) {
        call.require(clusters_out, "clusters_out");
        const core::LaunchConfig values = read_config(call, config);
        const auto in = call.use(stream, "stream");
        *clusters_out = call.use(kernel, "kernel")->kernel.max_active_clusters(values, in->stream);
    });
}
