// Splitting a device's multiprocessors into groups that are described one by one (CUDA 13.1). All multiprocessors of
// the simulated device are near one another: any of them can be scheduled together, and are in its one locality domain.
#include <algorithm>
#include <cstring>

#include "driver/context/device_resource.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// CU_DEV_SM_RESOURCE_GROUP_*.
constexpr uint32_t backfill = 1, in_locality_domain = 2, beyond_locality_domain = 4;
constexpr uint32_t any_locality_domain = ~0u;

// What CUDA 13.1 has put behind CUdevSmResource's three numbers.
struct SmResource {
    uint32_t count, least, alignment, flags, locality_domain;
};
static_assert(sizeof(SplitGroup) == 64 && sizeof(SmResource) == 20);
static_assert(sizeof(CUdevResource) == 144 && offsetof(CUdevResource, sm) == 96);

[[noreturn]] void refuse(size_t index, const std::string& why) {
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("group %zu: ", index) + why);
}

void check(const SplitGroup& group, size_t index, uint32_t available, bool has_clusters) {
    if ((group.flags & ~(backfill | in_locality_domain | beyond_locality_domain)) != 0) {
        refuse(index, format("unknown flags 0x%x", group.flags));
    }
    const bool local = (group.flags & in_locality_domain) != 0;
    if (local && group.locality_domain != 0 && group.locality_domain != any_locality_domain) {
        refuse(index, format("the device has one locality domain, and no number %u", group.locality_domain));
    }
    if (!local && ((group.flags & beyond_locality_domain) != 0 || group.locality_domain != 0)) {
        refuse(index, "there is no locality domain without CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID");
    }
    const uint32_t most_coscheduled = has_clusters ? 32 : 2;
    for (const uint32_t together : {group.coscheduled, group.preferred_coscheduled}) {
        if (together % 2 != 0 || together > most_coscheduled) {
            refuse(index, format("%u multiprocessors cannot be scheduled together: up to %u can, in pairs", together,
                                 most_coscheduled));
        }
    }
    if (group.preferred_coscheduled != 0 && group.coscheduled != 0 &&
        group.preferred_coscheduled % group.coscheduled != 0) {
        refuse(index, "preferredCoscheduledSmCount is no multiple of coscheduledSmCount");
    }
    if (group.count % 2 != 0 || group.count > available) {
        refuse(index, format("smCount is %u; it must be even, and at most %u", group.count, available));
    }
    if (std::any_of(std::begin(group.reserved), std::end(group.reserved), [](uint32_t word) { return word != 0; })) {
        refuse(index, "what is reserved is not zero");
    }
}

CUdevResource made_of(const Device& device, const SplitGroup& group, uint32_t together, MultiprocessorSet numbers) {
    CUdevResource made = make_resource(device, {device.ordinal(), true, std::move(numbers)}, false);
    const SmResource sm{made.sm.smCount, 2, together, group.flags, group.locality_domain};
    std::memcpy(&made.sm, &sm, sizeof sm);
    return made;
}

}  // namespace

void split_into_groups(const CUdevResource& input, std::span<SplitGroup> groups, CUdevResource* results,
                       CUdevResource* remainder) {
    const MultiprocessorResource whole = read_resource(input);
    const Device& device = driver().device(static_cast<CUdevice>(whole.device));
    if (whole.divided) {
        throw DriverError(
            CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
            "what a split has made is not split again, but for the resource of a green context made of it");
    }
    const auto count = static_cast<uint32_t>(whole.multiprocessors.size());
    const bool has_clusters = device.model().compute_capability_major >= 9;
    uint32_t taken = 0;
    for (size_t index = 0; index < groups.size(); ++index) {
        SplitGroup& group = groups[index];
        check(group, index, count, has_clusters);
        const uint32_t together = group.coscheduled != 0 ? group.coscheduled : (has_clusters ? 8 : 2);
        const uint32_t unit = (group.flags & backfill) != 0 ? 2 : together;
        if (group.count % unit != 0) {
            refuse(index, format("smCount is %u, no multiple of coscheduledSmCount, %u", group.count, together));
        }
        const uint32_t left = count - taken;
        if (group.count == 0) group.count = left / unit * unit;
        if (group.count > left || (results != nullptr && group.count < together)) {
            throw DriverError(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
                              format("group %zu: %u multiprocessors, %u of them scheduled together, and %u are left",
                                     index, group.count, together, left));
        }
        const auto first = whole.multiprocessors.begin() + taken;
        if (results != nullptr) results[index] = made_of(device, group, together, {first, first + group.count});
        taken += group.count;
    }
    if (results != nullptr && remainder != nullptr) {
        const auto first = whole.multiprocessors.begin() + taken;
        *remainder = make_resource(device, {whole.device, true, {first, whole.multiprocessors.end()}}, false);
    }
}

}  // namespace cuprum::simulator::libcuda
