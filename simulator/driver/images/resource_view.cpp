#include "driver/images/resource_view.hpp"

#include <array>

#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

namespace {

ImageFormat format_of_view(CUresourceViewFormat view) {
    // In the order of their numbers, of 1, 2 and 4 channels each.
    constexpr std::array channels{ImageChannel::u8,  ImageChannel::s8,  ImageChannel::u16, ImageChannel::s16,
                                  ImageChannel::u32, ImageChannel::s32, ImageChannel::f16, ImageChannel::f32};
    if (view >= CU_RES_VIEW_FORMAT_UNSIGNED_BC1 && view <= CU_RES_VIEW_FORMAT_UNSIGNED_BC7) {
        throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the simulator has no block-compressed images");
    }
    if (view < CU_RES_VIEW_FORMAT_UINT_1X8 || view > CU_RES_VIEW_FORMAT_FLOAT_4X32) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no view format %d", static_cast<int>(view)));
    }
    const auto number = static_cast<unsigned int>(view - CU_RES_VIEW_FORMAT_UINT_1X8);
    return {channels[number / 3], 1u << number % 3};
}

void require_range(unsigned int first, unsigned int last, size_t count, const char* what) {
    if (first <= last && last < count) return;
    throw DriverError(CUDA_ERROR_INVALID_VALUE,
                      format("a view of %s %u to %u of an image that has %zu", what, first, last, count));
}

}  // namespace

void apply_view(Image& image, const CUDA_RESOURCE_VIEW_DESC& view, bool of_memory) {
    if (of_memory) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          "a resource view is of an array or a mipmapped array, not of memory");
    }
    if (view.format == CU_RES_VIEW_FORMAT_NONE) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "a view without a format: it may be the image's own");
    }
    const ImageFormat seen = format_of_view(view.format);
    if (seen.element_bytes() != image.format.element_bytes()) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("a view of elements of %u bytes as elements of %u",
                                                           image.format.element_bytes(), seen.element_bytes()));
    }
    image.format = seen;
    const ImageLevel& base = image.levels.front();
    const bool layers = image.layered || image.cube;
    const size_t height = image.dimensions > 1 ? base.height : 0;
    // Of layers it is the number that there are, not those of the view (580, on an H200).
    const size_t depth = layers || image.dimensions > 2 ? base.slices : 0;
    if (view.width != base.width || view.height != height || view.depth != depth) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("a view of %zu x %zu x %zu elements of an image of %u x %zu x %zu", view.width,
                                 view.height, view.depth, base.width, height, depth));
    }
    require_range(view.firstMipmapLevel, view.lastMipmapLevel, image.levels.size(), "levels");
    require_range(view.firstLayer, view.lastLayer, layers ? base.slices : 1, "layers");
    image.levels.erase(image.levels.begin() + view.lastMipmapLevel + 1, image.levels.end());
    image.levels.erase(image.levels.begin(), image.levels.begin() + view.firstMipmapLevel);
    if (!layers) return;
    for (ImageLevel& level : image.levels) {
        level.bytes += view.firstLayer * level.slice_bytes;
        level.slices = view.lastLayer - view.firstLayer + 1;
    }
}

}  // namespace cuprum::simulator::libcuda
