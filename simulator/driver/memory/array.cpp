#include "driver/memory/array.hpp"

#include <sys/mman.h>

#include <cstring>

#include "driver/context/context.hpp"
#include "driver/device/device.hpp"
#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

namespace {

ImageChannel channel_of(CUarray_format format) {
    switch (format) {
        case CU_AD_FORMAT_UNSIGNED_INT8:
            return ImageChannel::u8;
        case CU_AD_FORMAT_SIGNED_INT8:
            return ImageChannel::s8;
        case CU_AD_FORMAT_UNSIGNED_INT16:
            return ImageChannel::u16;
        case CU_AD_FORMAT_SIGNED_INT16:
            return ImageChannel::s16;
        case CU_AD_FORMAT_HALF:
            return ImageChannel::f16;
        case CU_AD_FORMAT_UNSIGNED_INT32:
            return ImageChannel::u32;
        case CU_AD_FORMAT_SIGNED_INT32:
            return ImageChannel::s32;
        case CU_AD_FORMAT_FLOAT:
            return ImageChannel::f32;
        default:
            break;
    }
    if (format >= CU_AD_FORMAT_UNORM_INT_101010_2 && format <= CU_AD_FORMAT_SNORM_INT16X4) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          libcuda::format("the simulator has no arrays of format 0x%x", format));
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, libcuda::format("there is no array format 0x%x", format));
}

std::string shape_text(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    return format("%zu x %zu x %zu elements", descriptor.Width, descriptor.Height, descriptor.Depth);
}

void require_known_flags(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    constexpr unsigned int known =
        CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER;
    if ((descriptor.Flags & ~known) != 0) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED,
                          format("the simulator has no arrays with flags 0x%x", descriptor.Flags & ~known));
    }
}

// That there are arrays of such a shape (cuArray3DCreate).
void require_shape(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    const bool layered = (descriptor.Flags & CUDA_ARRAY3D_LAYERED) != 0;
    const bool cube = (descriptor.Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
    if (descriptor.Width == 0 || (!layered && descriptor.Height == 0 && descriptor.Depth != 0) ||
        (layered && descriptor.Depth == 0)) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "there is no array of " + shape_text(descriptor));
    }
    if (cube && (descriptor.Width != descriptor.Height || descriptor.Depth % 6 != 0 || descriptor.Depth == 0 ||
                 (!layered && descriptor.Depth != 6))) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            "a cube has six square faces, layers of cubes a multiple of six; not " + shape_text(descriptor));
    }
    if ((descriptor.Flags & CUDA_ARRAY3D_TEXTURE_GATHER) != 0 &&
        (descriptor.Height == 0 || (descriptor.Depth != 0 && !layered && !cube))) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            "CUDA_ARRAY3D_TEXTURE_GATHER is for arrays of two dimensions, not of " + shape_text(descriptor));
    }
}

struct ShapeLimits {
    CUdevice_attribute width, height, depth;
};
// Of arrays that textures read; the height and the depth of those that have none count as 0.
ShapeLimits limits_of(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    const bool layered = (descriptor.Flags & CUDA_ARRAY3D_LAYERED) != 0;
    if ((descriptor.Flags & CUDA_ARRAY3D_CUBEMAP) != 0) {
        return layered ? ShapeLimits{CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
                                     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
                                     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS}
                       : ShapeLimits{CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH,
                                     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH,
                                     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH};
    }
    if (layered && descriptor.Height == 0) {
        return {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS};
    }
    if (layered) {
        return {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS};
    }
    if (descriptor.Depth != 0) {
        return {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH};
    }
    if (descriptor.Height == 0) {
        return {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH};
    }
    return {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT,
            CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH};
}

void require_within_limits(const Device& device, const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    const ShapeLimits limits = limits_of(descriptor);
    const auto most = [&](CUdevice_attribute attribute) { return static_cast<size_t>(device.attribute(attribute)); };
    if (descriptor.Width <= most(limits.width) && descriptor.Height <= most(limits.height) &&
        descriptor.Depth <= most(limits.depth))
        return;
    throw DriverError(
        CUDA_ERROR_INVALID_VALUE,
        format("an array of %s is larger than the device's limit for its kind, %zu x %zu x %zu",
               shape_text(descriptor).c_str(), most(limits.width), most(limits.height), most(limits.depth)));
}

}  // namespace

ImageFormat image_format(CUarray_format format, unsigned int channels) {
    if (channels != 1 && channels != 2 && channels != 4) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          libcuda::format("NumChannels is %u; it must be 1, 2 or 4", channels));
    }
    return {channel_of(format), channels};
}

Array::Array(std::shared_ptr<Context> context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool of_mipmap)
    : context_(std::move(context)),
      descriptor_(descriptor),
      format_(image_format(descriptor.Format, descriptor.NumChannels)),
      of_mipmap_(of_mipmap) {
    require_known_flags(descriptor);
    require_shape(descriptor);
    require_within_limits(context_->device(), descriptor);
    size_t slice = 0;
    const bool overflow =
        __builtin_mul_overflow(row_bytes(), rows(), &slice) || __builtin_mul_overflow(slice, slices(), &size_);
    DeviceArena& arena = context_->device().arena();
    if (overflow || !arena.charge(size_)) {
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY, "an array of " + shape_text(descriptor) + " does not fit");
    }
    void* memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        arena.discharge(size_);
        throw DriverError(CUDA_ERROR_OUT_OF_MEMORY, libcuda::format("the system cannot give %zu bytes", size_));
    }
    bytes_ = static_cast<std::byte*>(memory);
    std::memset(bytes_, std::to_integer<int>(DeviceArena::poison), size_);
}

Array::~Array() {
    ::munmap(bytes_, size_);
    context_->device().arena().discharge(size_);
}

uint32_t Array::dimensions() const {
    if (descriptor_.Height == 0) return 1;
    return descriptor_.Depth == 0 || layered() || cube() ? 2 : 3;
}

ImageLevel Array::level() const {
    ImageLevel level;
    level.bytes = bytes_;
    level.width = static_cast<uint32_t>(descriptor_.Width);
    level.height = static_cast<uint32_t>(rows());
    level.slices = static_cast<uint32_t>(slices());
    level.row_bytes = row_bytes();
    level.slice_bytes = row_bytes() * rows();
    return level;
}

std::string Array::describe() const {
    std::string text = "an array of " + std::to_string(descriptor_.Width);
    if (dimensions() > 1) text += " x " + std::to_string(descriptor_.Height);
    if (dimensions() > 2) text += " x " + std::to_string(descriptor_.Depth);
    text += " elements of " + std::to_string(element_bytes()) + " bytes";
    if (cube()) text += ", " + std::to_string(descriptor_.Depth) + " faces of cubes";
    if (layered() && !cube()) text += ", in " + std::to_string(descriptor_.Depth) + " layers";
    return text;
}

}  // namespace cuprum::simulator::libcuda
