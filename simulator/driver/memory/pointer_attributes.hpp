// What a pointer is.
#pragma once

#include <optional>

#include "driver/memory/address_space.hpp"

namespace cuprum::simulator::libcuda {

// Throws DriverError(CUDA_ERROR_INVALID_VALUE) for what is no pointer of the driver's, and for an attribute that it
// does not have.
void report_pointer_attribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer);
// As cuPointerGetAttributes does: what a pointer does not have is zero, and so is all of what is no pointer, which is
// `found` nowhere. Throws for an attribute that there is not.
void report_attribute_or_default(void* data, CUpointer_attribute attribute, const std::optional<Allocation>& found,
                                 CUdeviceptr pointer);

}  // namespace cuprum::simulator::libcuda
