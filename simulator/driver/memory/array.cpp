#include "driver/memory/array.hpp"

#include <sys/mman.h>

#include <cstring>

#include "driver/context/context.hpp"
#include "driver/device/device.hpp"
#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

namespace {

size_t bytes_of(CUarray_format format) {
    switch (format) {
        case CU_AD_FORMAT_UNSIGNED_INT8:
        case CU_AD_FORMAT_SIGNED_INT8:
            return 1;
        case CU_AD_FORMAT_UNSIGNED_INT16:
        case CU_AD_FORMAT_SIGNED_INT16:
        case CU_AD_FORMAT_HALF:
            return 2;
        case CU_AD_FORMAT_UNSIGNED_INT32:
        case CU_AD_FORMAT_SIGNED_INT32:
        case CU_AD_FORMAT_FLOAT:
            return 4;
        default:
            break;
    }
    if (format >= CU_AD_FORMAT_UNORM_INT_101010_2 && format <= CU_AD_FORMAT_SNORM_INT16X4) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          libcuda::format("the simulator has no arrays of format 0x%x", format));
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, libcuda::format("there is no array format 0x%x", format));
}

size_t bytes_of_element(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    const unsigned int channels = descriptor.NumChannels;
    if (channels != 1 && channels != 2 && channels != 4) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("NumChannels is %u; it must be 1, 2 or 4", channels));
    }
    return bytes_of(descriptor.Format) * channels;
}

}  // namespace

Array::Array(std::shared_ptr<Context> context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor)
    : context_(std::move(context)), descriptor_(descriptor), element_bytes_(bytes_of_element(descriptor)) {
    constexpr unsigned int known = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_TEXTURE_GATHER;
    if ((descriptor.Flags & ~known) != 0) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          format("the simulator has no arrays with flags 0x%x", descriptor.Flags & ~known));
    }
    const bool layered = (descriptor.Flags & CUDA_ARRAY3D_LAYERED) != 0;
    if (descriptor.Width == 0 || (!layered && descriptor.Height == 0 && descriptor.Depth != 0) ||
        (layered && descriptor.Depth == 0)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no array of %zu x %zu x %zu elements",
                                                           descriptor.Width, descriptor.Height, descriptor.Depth));
    }
    size_t slice = 0;
    const bool overflow = __builtin_mul_overflow(row_bytes(), rows(), &slice) ||
                          __builtin_mul_overflow(slice, slices(), &size_) || descriptor.Width > SIZE_MAX / 16;
    DeviceArena& arena = context_->device().arena();
    if (overflow || !arena.charge(size_)) {
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY, format("an array of %zu x %zu x %zu elements does not fit",
                                                           descriptor.Width, descriptor.Height, descriptor.Depth));
    }
    void* memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        arena.discharge(size_);
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY, format("the system cannot give %zu bytes", size_));
    }
    bytes_ = static_cast<std::byte*>(memory);
    std::memset(bytes_, std::to_integer<int>(DeviceArena::poison), size_);
}

Array::~Array() {
    ::munmap(bytes_, size_);
    context_->device().arena().discharge(size_);
}

}  // namespace cuprum::simulator::libcuda
