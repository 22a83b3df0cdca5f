#include "driver/memory/managed_advice.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "driver/graph/capture.hpp"
#include "driver/memory/managed_ranges.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

void require_managed(CUdeviceptr pointer, size_t size) {
    const std::optional<Allocation> found = driver().addresses().find(pointer);
    if (!found || found->kind != Allocation::Kind::managed) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, hexadecimal(pointer) + " is not managed memory");
    }
    if (size == 0 || size > found->size - (pointer - found->begin)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%zu bytes at ", size) + hexadecimal(pointer) +
                                                        " are not within the " + found->description);
    }
}

void require_location(const CUmemLocation& location) {
    switch (location.type) {
        case CU_MEM_LOCATION_TYPE_DEVICE:
            driver().device(location.id);
            return;
        case CU_MEM_LOCATION_TYPE_HOST:
        case CU_MEM_LOCATION_TYPE_HOST_NUMA:
        case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
            return;
        default:
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown location of type %d", location.type));
    }
}

// The other way round; CU_DEVICE_INVALID for no location.
int device_number(const CUmemLocation& location) {
    if (location.type == CU_MEM_LOCATION_TYPE_INVALID) return CU_DEVICE_INVALID;
    return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU;
}

int id_of(const CUmemLocation& location) {
    return location.type == CU_MEM_LOCATION_TYPE_INVALID ? CU_DEVICE_INVALID : location.id;
}

// The location that all parts share; none if they differ.
CUmemLocation common_location(const std::vector<RangeAdvice>& parts, CUmemLocation RangeAdvice::*member) {
    const CUmemLocation first = parts.front().*member;
    const bool same = std::all_of(parts.begin(), parts.end(), [&](const RangeAdvice& part) {
        return (part.*member).type == first.type && (part.*member).id == first.id;
    });
    return same ? first : CUmemLocation{};
}

}  // namespace

void advise_managed(CUdeviceptr pointer, size_t size, CUmem_advise advice, const CUmemLocation& location) {
    require_managed(pointer, size);
    const bool with_location = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION ||
                               advice == CU_MEM_ADVISE_SET_ACCESSED_BY || advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
    if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown advice %d", advice));
    }
    if (with_location) require_location(location);
    managed_ranges().change(pointer, size, [&](RangeAdvice& range) {
        switch (advice) {
            case CU_MEM_ADVISE_SET_READ_MOSTLY:
                range.read_mostly = true;
                return;
            case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
                range.read_mostly = false;
                return;
            case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
                range.preferred = location;
                return;
            case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
                range.preferred = {};
                return;
            case CU_MEM_ADVISE_SET_ACCESSED_BY:
                range.accessed_by.insert(device_number(location));
                return;
            case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
                range.accessed_by.erase(device_number(location));
                return;
        }
    });
}

void prefetch_managed(const std::shared_ptr<Stream>& stream, CUdeviceptr pointer, size_t size,
                      const CUmemLocation& location) {
    require_managed(pointer, size);
    require_location(location);
    refuse_captured(stream, "a prefetch is not possible");
    managed_ranges().change(pointer, size, [&](RangeAdvice& range) { range.last_prefetch = location; });
}

void prefetch_managed(const std::shared_ptr<Stream>& stream, const ManagedBatch& batch, unsigned long long flags) {
    if (batch.count == 0 || flags != 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%zu ranges with flags 0x%llx", batch.count, flags));
    }
    require_pointer(batch.pointers, "dptrs");
    require_pointer(batch.sizes, "sizes");
    if (batch.with_locations) {
        require_pointer(batch.locations, "prefetchLocs");
        require_pointer(batch.first_of_location, "prefetchLocIdxs");
        if (batch.location_count == 0 || batch.location_count > batch.count || batch.first_of_location[0] != 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("%zu locations for %zu ranges", batch.location_count, batch.count));
        }
    }
    size_t current = 0;
    for (size_t index = 0; index < batch.count; ++index) {
        require_managed(batch.pointers[index], batch.sizes[index]);
        while (batch.with_locations && current + 1 < batch.location_count &&
               batch.first_of_location[current + 1] <= index) {
            ++current;
        }
        if (batch.with_locations)
            prefetch_managed(stream, batch.pointers[index], batch.sizes[index], batch.locations[current]);
    }
}

void report_locations(const LocationQuestion& question, CUmemLocation* locations) {
    const auto [pointer, size, summary, sampling] = question;
    if (summary == 0 || summary > size || sampling > summary) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            format("summaries of %zu bytes with a sample in each %zu of %zu bytes", summary, sampling, size));
    }
    const bool pageable = !driver().addresses().find(pointer);
    if (!pageable) require_managed(pointer, size);
    const size_t step = sampling != 0 ? sampling : std::min<size_t>(summary, size_t{64} << 10);
    for (size_t begin = 0; begin < size; begin += summary) {
        std::map<std::pair<int, int>, size_t> found;  // how many samples are where: type and identifier
        for (size_t at = begin; at < std::min(begin + summary, size); at += step) {
            CUmemLocation location{};
            if (!pageable) location = managed_ranges().within(pointer + at, 1).front().last_prefetch;
            if (location.type == CU_MEM_LOCATION_TYPE_INVALID) location.type = CU_MEM_LOCATION_TYPE_HOST;
            ++found[{location.type, location.id}];
        }
        const auto most = std::max_element(
            found.begin(), found.end(), [](const auto& one, const auto& other) { return one.second < other.second; });
        CUmemLocation& location = locations[begin / summary];
        location = {};
        location.type = static_cast<CUmemLocationType>(most->first.first);
        location.id = most->first.second;
    }
}

void report_range_attribute(void* data, size_t data_size, CUmem_range_attribute attribute, CUdeviceptr pointer,
                            size_t size) {
    require_pointer(data, "data");
    require_managed(pointer, size);
    if (data_size == 0 || data_size % sizeof(int) != 0 ||
        (attribute != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY && data_size != sizeof(int))) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("dataSize is %zu", data_size));
    }
    const std::vector<RangeAdvice> parts = managed_ranges().within(pointer, size);
    const CUmemLocation preferred = common_location(parts, &RangeAdvice::preferred);
    const CUmemLocation prefetched = common_location(parts, &RangeAdvice::last_prefetch);
    int value = 0;
    switch (attribute) {
        case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
            value = std::all_of(parts.begin(), parts.end(), [](const RangeAdvice& part) { return part.read_mostly; });
            break;
        case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
            value = device_number(preferred);
            break;
        case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
            value = device_number(prefetched);
            break;
        case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
            value = preferred.type;
            break;
        case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
            value = id_of(preferred);
            break;
        case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
            value = prefetched.type;
            break;
        case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
            value = id_of(prefetched);
            break;
        case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY: {
            auto* devices = static_cast<int*>(data);
            const size_t room = data_size / sizeof(int);
            size_t count = 0;
            for (const int dev : parts.front().accessed_by) {
                const bool everywhere = std::all_of(parts.begin(), parts.end(), [&](const RangeAdvice& part) {
                    return part.accessed_by.contains(dev);
                });
                if (everywhere && count < room) devices[count++] = dev;
            }
            std::fill(devices + count, devices + room, CU_DEVICE_INVALID);
            return;
        }
        default:
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown range attribute %d", attribute));
    }
    std::memcpy(data, &value, sizeof value);
}

}  // namespace cuprum::simulator::libcuda
