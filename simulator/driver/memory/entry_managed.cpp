// Advice about managed memory, and where it is asked to be.
#include <algorithm>
#include <cstring>

#include "driver/graph/capture.hpp"
#include "driver/memory/managed_ranges.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

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
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no location of type %d", location.type));
    }
}

// CU_DEVICE_CPU or an ordinal, as the functions before CUDA 13 take it.
CUmemLocation location_of(CUdevice dev) {
    CUmemLocation location{};
    location.type = dev == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = dev == CU_DEVICE_CPU ? 0 : dev;
    return location;
}

// The other way round; CU_DEVICE_INVALID for no location.
int device_number(const CUmemLocation& location) {
    if (location.type == CU_MEM_LOCATION_TYPE_INVALID) return CU_DEVICE_INVALID;
    return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU;
}

int id_of(const CUmemLocation& location) {
    return location.type == CU_MEM_LOCATION_TYPE_INVALID ? CU_DEVICE_INVALID : location.id;
}

CUresult advise(CUdeviceptr pointer, size_t size, CUmem_advise advice, const CUmemLocation& location) {
    return entry("cuMemAdvise", [&] {
        current_context();
        require_managed(pointer, size);
        const bool with_location = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION ||
                                   advice == CU_MEM_ADVISE_SET_ACCESSED_BY || advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
        if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no advice %d", advice));
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
    });
}

void prefetch(const std::shared_ptr<Stream>& stream, CUdeviceptr pointer, size_t size, const CUmemLocation& location) {
    require_managed(pointer, size);
    require_location(location);
    refuse_captured(stream, "a prefetch is not possible");
    managed_ranges().change(pointer, size, [&](RangeAdvice& range) { range.last_prefetch = location; });
    // Nothing moves: every device and the host have the same pages.
}

CUresult prefetch_one(CUdeviceptr pointer, size_t size, const CUmemLocation& location, unsigned int flags,
                      CUstream stream) {
    return entry("cuMemPrefetchAsync", [&] {
        require_flags(flags, 0, "flags");
        prefetch(find_stream(stream), pointer, size, location);
    });
}

CUresult for_each_range(const char* call, const CUdeviceptr* pointers, const size_t* sizes, size_t count,
                        unsigned long long flags, CUstream handle, const CUmemLocation* locations,
                        const size_t* first_of_location, size_t location_count, bool with_locations) {
    return entry(call, [&] {
        const std::shared_ptr<Stream> stream = find_stream(handle);
        if (count == 0 || flags != 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%zu ranges with flags 0x%llx", count, flags));
        }
        require_pointer(pointers, "dptrs");
        require_pointer(sizes, "sizes");
        if (with_locations) {
            require_pointer(locations, "prefetchLocs");
            require_pointer(first_of_location, "prefetchLocIdxs");
            if (location_count == 0 || location_count > count || first_of_location[0] != 0) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE,
                                  format("%zu locations for %zu ranges", location_count, count));
            }
        }
        size_t current = 0;
        for (size_t index = 0; index < count; ++index) {
            require_managed(pointers[index], sizes[index]);
            while (with_locations && current + 1 < location_count && first_of_location[current + 1] <= index) {
                ++current;
            }
            if (with_locations) prefetch(stream, pointers[index], sizes[index], locations[current]);
        }
    });
}

// The location that all parts share; none if they differ.
CUmemLocation common_location(const std::vector<RangeAdvice>& parts, CUmemLocation RangeAdvice::*member) {
    const CUmemLocation first = parts.front().*member;
    const bool same = std::all_of(parts.begin(), parts.end(), [&](const RangeAdvice& part) {
        return (part.*member).type == first.type && (part.*member).id == first.id;
    });
    return same ? first : CUmemLocation{};
}

void range_attribute(void* data, size_t data_size, CUmem_range_attribute attribute, CUdeviceptr pointer, size_t size) {
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
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no range attribute %d", attribute));
    }
    std::memcpy(data, &value, sizeof value);
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemAdvise_v2(CUdeviceptr pointer, size_t size, CUmem_advise advice, CUmemLocation location) {
    return advise(pointer, size, advice, location);
}

CUresult CUDAAPI cuMemAdvise(CUdeviceptr pointer, size_t size, CUmem_advise advice, CUdevice dev) {
    return advise(pointer, size, advice, location_of(dev));
}

CUresult CUDAAPI cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t size, CUmemLocation location, unsigned int flags,
                                       CUstream stream) {
    return prefetch_one(pointer, size, location, flags, stream);
}

CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr pointer, size_t size, CUdevice dev, CUstream stream) {
    return prefetch_one(pointer, size, location_of(dev), 0, stream);
}

CUresult CUDAAPI cuMemPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count, CUmemLocation* locations,
                                         size_t* first_of_location, size_t location_count, unsigned long long flags,
                                         CUstream stream) {
    return for_each_range("cuMemPrefetchBatchAsync", pointers, sizes, count, flags, stream, locations,
                          first_of_location, location_count, true);
}

// What is discarded may be anything from then on: that it stays what it was is allowed.
CUresult CUDAAPI cuMemDiscardBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count, unsigned long long flags,
                                        CUstream stream) {
    return for_each_range("cuMemDiscardBatchAsync", pointers, sizes, count, flags, stream, nullptr, nullptr, 0, false);
}

CUresult CUDAAPI cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count,
                                                   CUmemLocation* locations, size_t* first_of_location,
                                                   size_t location_count, unsigned long long flags, CUstream stream) {
    return for_each_range("cuMemDiscardAndPrefetchBatchAsync", pointers, sizes, count, flags, stream, locations,
                          first_of_location, location_count, true);
}

CUresult CUDAAPI cuMemRangeGetAttribute(void* data, size_t data_size, CUmem_range_attribute attribute,
                                        CUdeviceptr pointer, size_t size) {
    return entry("cuMemRangeGetAttribute", [&] {
        current_context();
        range_attribute(data, data_size, attribute, pointer, size);
    });
}

CUresult CUDAAPI cuMemRangeGetAttributes(void** data, size_t* data_sizes, CUmem_range_attribute* attributes,
                                         size_t count, CUdeviceptr pointer, size_t size) {
    return entry("cuMemRangeGetAttributes", [&] {
        current_context();
        require_pointer(data, "data");
        require_pointer(data_sizes, "dataSizes");
        require_pointer(attributes, "attributes");
        for (size_t index = 0; index < count; ++index) {
            range_attribute(data[index], data_sizes[index], attributes[index], pointer, size);
        }
    });
}

}  // extern "C"
