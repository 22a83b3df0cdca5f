// Copies in batches, and copies as other structures of the driver describe them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "driver/memory/copy.hpp"

namespace cuprum::simulator::libcuda {

// Attributes are for the copies from first_of_attribute[k] on.
struct CopyBatch {
    const CUdeviceptr* destinations;
    const CUdeviceptr* sources;
    const size_t* sizes;
    size_t count;
    const CUmemcpyAttributes* attributes;
    const size_t* first_of_attribute;
    size_t attribute_count;
};
// A batch's copies may run in any order and overlap one another; here they run in the order in which they are given.
// Throws DriverError before the first, with the number of the copy in `failed`, where not null.
void copy_in_batch(const std::shared_ptr<Stream>& stream, const CopyBatch& batch, size_t* failed);
void copy_in_batch(const std::shared_ptr<Stream>& stream, std::span<const CUDA_MEMCPY3D_BATCH_OP> operations,
                   size_t* failed);

// One alone, in any stream. Throw DriverError.
void copy_with_attributes(const std::shared_ptr<Stream>& stream, CUdeviceptr destination, CUdeviceptr source,
                          size_t size, const CUmemcpyAttributes& attributes);
void copy_with_attributes(const std::shared_ptr<Stream>& stream, const CUDA_MEMCPY3D_BATCH_OP& operation);

CUDA_MEMCPY3D widen(const CUDA_MEMCPY2D& parameters);
CUDA_MEMCPY3D without_contexts(const CUDA_MEMCPY3D_PEER& parameters);

}  // namespace cuprum::simulator::libcuda
