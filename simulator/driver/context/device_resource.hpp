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

// CU_DEV_SM_RESOURCE_GROUP_PARAMS of CUDA 13.1 and later, which the headers of this build need not have.
struct SplitGroup {
    uint32_t count;        // of multiprocessors; 0: as many as there are, which is written here
    uint32_t coscheduled;  // that `count` is a multiple of; 0: as many as the device's rule says
    uint32_t preferred_coscheduled;
    uint32_t flags;  // CU_DEV_SM_RESOURCE_GROUP_*
    uint32_t locality_domain;
    uint32_t reserved[11];
};
// Into groups, each as it is described, one after the other, and what is left over. `results` may be null: then the
// groups alone are written. Throws DriverError for groups that cannot be had.
void split_into_groups(const CUdevResource& input, std::span<SplitGroup> groups, CUdevResource* results,
                       CUdevResource* remainder);

// The one description of all these. Throws DriverError if they are of several devices.
CUdevResourceDesc describe_resources(std::span<const CUdevResource> resources);
std::shared_ptr<ResourceDescription> find_description(CUdevResourceDesc handle, const Device& device);

}  // namespace cuprum::simulator::libcuda
