// Resources of devices that green contexts are made of: taken whole, split, described.
#pragma once

#include <span>

#include "driver/context/green_context.hpp"

namespace cuprum::simulator::libcuda {

CUdevResource whole_resource(const Device& device);

// Where a split puts its parts. `groups` may be null: then `count` alone is written.
struct ResourceParts {
    CUdevResource* groups;
    unsigned int* count;  // in: as many as there is room for
    CUdevResource* remaining;
};
// Parts of at least `least` multiprocessors. Throws DriverError for what cannot be split so.
void split_resource(const CUdevResource& input, unsigned int flags, unsigned int least, const ResourceParts& parts);

// The one description of all these. Throws DriverError if they are of several devices.
CUdevResourceDesc describe_resources(std::span<const CUdevResource> resources);
std::shared_ptr<ResourceDescription> find_description(CUdevResourceDesc handle, const Device& device);

}  // namespace cuprum::simulator::libcuda
