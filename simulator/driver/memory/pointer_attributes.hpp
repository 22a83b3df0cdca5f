// What a pointer is.
#pragma once

#include <optional>

#include "driver/memory/address_space.hpp"

namespace cuprum::simulator::libcuda {

// Throws DriverError(CUDA_ERROR_INVALID_VALUE) for an address that is not the driver's, and for an attribute that it
// does not have.
void report_pointer_attribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer);
// As cuPointerGetAttributes does: an attribute that the address does not have is zero, and so are all where nothing was
// `found` there. Throws for an unknown attribute.
void report_attribute_or_default(void* data, CUpointer_attribute attribute, const std::optional<Allocation>& found,
                                 CUdeviceptr pointer);

}  // namespace cuprum::simulator::libcuda
