#include "driver/images/mipmapped_array.hpp"

#include <algorithm>
#include <bit>

#include "driver/error/driver_error.hpp"
#include "driver/process/driver.hpp"

namespace cuprum::simulator::libcuda {

MipmappedArray::MipmappedArray(const std::shared_ptr<Context>& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                               unsigned int levels) {
    if (levels == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, "a mipmapped array has at least one level, not 0");
    const bool volume =
        descriptor.Depth != 0 && (descriptor.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) == 0;
    const size_t longest = std::max({descriptor.Width, descriptor.Height, volume ? descriptor.Depth : size_t{1}});
    const auto most = static_cast<unsigned int>(std::bit_width(longest));
    const auto halved = [](size_t size, unsigned int level) {
        return size == 0 ? 0 : std::max<size_t>(size >> level, 1);
    };
    for (unsigned int level = 0; level < std::max(1u, std::min(levels, most)); ++level) {
        CUDA_ARRAY3D_DESCRIPTOR smaller = descriptor;
        smaller.Width = halved(descriptor.Width, level);
        smaller.Height = halved(descriptor.Height, level);
        if (volume) smaller.Depth = halved(descriptor.Depth, level);
        levels_.push_back(std::make_shared<Array>(context, smaller, true));
    }
    handles_.resize(levels_.size());
}

CUarray MipmappedArray::level_handle(unsigned int level) {
    if (level >= levels_.size()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("level %u of a mipmapped array that has %zu", level, levels_.size()));
    }
    const std::lock_guard lock(mutex_);
    if (handles_[level] == nullptr) handles_[level] = handles().arrays.insert(levels_[level]);
    return handles_[level];
}

void MipmappedArray::forget_levels() {
    const std::lock_guard lock(mutex_);
    for (CUarray& handle : handles_) {
        if (handle != nullptr) handles().arrays.remove(handle);
        handle = nullptr;
    }
}

}  // namespace cuprum::simulator::libcuda
