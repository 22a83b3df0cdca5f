// Resource views: an image seen in another format, or a part of its levels and layers.
#pragma once

#include "driver/process/cuda_api.hpp"
#include "engine/memory/image.hpp"

namespace cuprum::simulator::libcuda {

// Narrows the image to the view. Throws DriverError for views that there are not of it; `of_memory`: it is no array.
void apply_view(Image& image, const CUDA_RESOURCE_VIEW_DESC& view, bool of_memory);

}  // namespace cuprum::simulator::libcuda
