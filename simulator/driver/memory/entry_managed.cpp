// Advice about managed memory, and where it is asked to be.
#include "driver/memory/managed_advice.hpp"
#include "driver/process/entry.hpp"
#include "driver/process/newer_api.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

// CU_DEVICE_CPU or an ordinal, as the functions before CUDA 13 take it.
CUmemLocation location_of(CUdevice dev) {
    CUmemLocation location{};
    location.type = dev == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = dev == CU_DEVICE_CPU ? 0 : dev;
    return location;
}

CUresult advise(CUdeviceptr pointer, size_t size, CUmem_advise advice, const CUmemLocation& location) {
    return entry("cuMemAdvise", [&] {
        current_context();
        advise_managed(pointer, size, advice, location);
    });
}

CUresult prefetch_one(CUdeviceptr pointer, size_t size, const CUmemLocation& location, unsigned int flags,
                      CUstream stream) {
    return entry("cuMemPrefetchAsync", [&] {
        require_flags(flags, 0, "flags");
        prefetch_managed(find_stream(stream), pointer, size, location);
    });
}

CUresult for_each_range(const char* call, const ManagedBatch& batch, unsigned long long flags, CUstream stream) {
    return entry(call, [&] { prefetch_managed(find_stream(stream), batch, flags); });
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
    return for_each_range("cuMemPrefetchBatchAsync",
                          {pointers, sizes, count, true, locations, first_of_location, location_count}, flags, stream);
}

// What is discarded may be anything from then on: that it stays what it was is allowed.
CUresult CUDAAPI cuMemDiscardBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count, unsigned long long flags,
                                        CUstream stream) {
    return for_each_range("cuMemDiscardBatchAsync", {pointers, sizes, count}, flags, stream);
}

CUresult CUDAAPI cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count,
                                                   CUmemLocation* locations, size_t* first_of_location,
                                                   size_t location_count, unsigned long long flags, CUstream stream) {
    return for_each_range("cuMemDiscardAndPrefetchBatchAsync",
                          {pointers, sizes, count, true, locations, first_of_location, location_count}, flags, stream);
}

CUresult CUDAAPI cuMemGetLocationInfo(CUdeviceptr pointer, size_t size, size_t summary, size_t sampling,
                                      CUmemLocation* locations) {
    return entry("cuMemGetLocationInfo", [&] {
        current_context();
        require_pointer(locations, "location_out");
        report_locations({pointer, size, summary, sampling}, locations);
    });
}

CUresult CUDAAPI cuMemRangeGetAttribute(void* data, size_t data_size, CUmem_range_attribute attribute,
                                        CUdeviceptr pointer, size_t size) {
    return entry("cuMemRangeGetAttribute", [&] {
        current_context();
        report_range_attribute(data, data_size, attribute, pointer, size);
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
            report_range_attribute(data[index], data_sizes[index], attributes[index], pointer, size);
        }
    });
}

}  // extern "C"
