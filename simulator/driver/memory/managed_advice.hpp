// Advice about managed memory, and where programs ask it to be: kept for cuMemRangeGetAttribute. Nothing moves, since
// every device and the host have the same pages.
#pragma once

#include <cstddef>
#include <memory>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Stream;

// Each throws DriverError(CUDA_ERROR_INVALID_VALUE) for what is not within one managed allocation, and for locations,
// unknown advice and attributes.
void advise_managed(CUdeviceptr pointer, size_t size, CUmem_advise advice, const CUmemLocation& location);
void prefetch_managed(const std::shared_ptr<Stream>& stream, CUdeviceptr pointer, size_t size,
                      const CUmemLocation& location);
void report_range_attribute(void* data, size_t data_size, CUmem_range_attribute attribute, CUdeviceptr pointer,
                            size_t size);

// Where most of each part of `summary` bytes is, as far as that is known: where it was prefetched to last, and the
// host, whose pages devices use, for what was not. `sampling`: how far the places lie apart that are looked at; 0: 64
// KiB.
struct LocationQuestion {
    CUdeviceptr pointer;
    size_t size, summary, sampling;
};
// Throws DriverError(CUDA_ERROR_INVALID_VALUE) for other memory than managed and pageable, and for sizes out of order.
void report_locations(const LocationQuestion& question, CUmemLocation* locations);

// Ranges that one call names; from range first_of_location[k] on, they go to locations[k].
struct ManagedBatch {
    const CUdeviceptr* pointers;
    const size_t* sizes;
    size_t count;
    bool with_locations = false;
    const CUmemLocation* locations = nullptr;
    const size_t* first_of_location = nullptr;
    size_t location_count = 0;
};
// What is discarded, without locations, stays what it was.
void prefetch_managed(const std::shared_ptr<Stream>& stream, const ManagedBatch& batch, unsigned long long flags);

}  // namespace cuprum::simulator::libcuda
