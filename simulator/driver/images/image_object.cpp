#include "driver/images/image_object.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "driver/images/image_objects.hpp"
#include "driver/images/resource_view.hpp"
#include "driver/memory/copy.hpp"
#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

size_t attribute_of(const Context& context, CUdevice_attribute attribute) {
    return static_cast<size_t>(context.device().attribute(attribute));
}

void require_at_most(const Context& context, size_t value, CUdevice_attribute limit, const char* what) {
    if (value <= attribute_of(context, limit)) return;
    throw DriverError(CUDA_ERROR_INVALID_VALUE,
                      format("%s is %zu; the device's limit is %zu", what, value, attribute_of(context, limit)));
}

void require_memory(const Context& context, CUdeviceptr address, size_t bytes, const char* what) {
    const size_t alignment = attribute_of(context, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
    const std::optional<Allocation> found = driver().addresses().find(address);
    if (!found || found->free_requested) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("%s.devPtr: %s is not in device memory", what, hexadecimal(address).c_str()));
    }
    if (address % alignment != 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%s.devPtr: %s is not a multiple of %zu", what,
                                                           hexadecimal(address).c_str(), alignment));
    }
    if (bytes > found->size - (address - found->begin)) {
        throw DriverError(
            CUDA_ERROR_INVALID_VALUE,
            format("%s: %zu bytes from %s run past the end of the %s at %s", what, bytes, hexadecimal(address).c_str(),
                   found->description.c_str(), hexadecimal(found->begin).c_str()));
    }
}

void check_linear(const Context& context, const CUDA_RESOURCE_DESC& descriptor) {
    const auto& linear = descriptor.res.linear;
    const size_t element = image_format(linear.format, linear.numChannels).element_bytes();
    if (linear.sizeInBytes < element) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("res.linear.sizeInBytes is %zu, less than an element's %zu",
                                                           linear.sizeInBytes, element));
    }
    require_at_most(context, linear.sizeInBytes / element, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH,
                    "the number of elements");
    require_memory(context, linear.devPtr, linear.sizeInBytes, "res.linear");
}

void check_pitched(const Context& context, const CUDA_RESOURCE_DESC& descriptor) {
    const auto& pitched = descriptor.res.pitch2D;
    const size_t element = image_format(pitched.format, pitched.numChannels).element_bytes();
    if (pitched.width == 0 || pitched.height == 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("there is no image of %zu x %zu elements", pitched.width, pitched.height));
    }
    require_at_most(context, pitched.width, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH, "res.pitch2D.width");
    require_at_most(context, pitched.height, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, "res.pitch2D.height");
    require_at_most(context, pitched.pitchInBytes, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH,
                    "res.pitch2D.pitchInBytes");
    const size_t alignment = attribute_of(context, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT);
    if (pitched.pitchInBytes % alignment != 0 || pitched.pitchInBytes < pitched.width * element) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("res.pitch2D.pitchInBytes is %zu; it must be a multiple of %zu that holds a row's %zu",
                                 pitched.pitchInBytes, alignment, pitched.width * element));
    }
    require_memory(context, pitched.devPtr, (pitched.height - 1) * pitched.pitchInBytes + pitched.width * element,
                   "res.pitch2D");
}

void require_context(const Context& context, const Context& owner, const char* what) {
    if (&context == &owner) return;
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%s belongs to another context than the current one", what));
}

Image image_of_array(const Array& array) {
    Image image;
    image.format = array.format();
    image.dimensions = array.dimensions();
    image.layered = array.layered();
    image.cube = array.cube();
    image.levels.push_back(array.level());
    image.description = array.describe();
    return image;
}

Image image_of_memory(const CUDA_RESOURCE_DESC& descriptor) {
    Image image;
    ImageLevel& level = image.levels.emplace_back();
    if (descriptor.resType == CU_RESOURCE_TYPE_LINEAR) {
        const auto& linear = descriptor.res.linear;
        image.format = image_format(linear.format, linear.numChannels);
        level.address = linear.devPtr;
        level.width = static_cast<uint32_t>(linear.sizeInBytes / image.format.element_bytes());
        level.row_bytes = linear.sizeInBytes;
        image.description = format("%u elements at %s", level.width, hexadecimal(linear.devPtr).c_str());
    } else {
        const auto& pitched = descriptor.res.pitch2D;
        image.format = image_format(pitched.format, pitched.numChannels);
        image.dimensions = 2;
        level.address = pitched.devPtr;
        level.width = static_cast<uint32_t>(pitched.width);
        level.height = static_cast<uint32_t>(pitched.height);
        level.row_bytes = pitched.pitchInBytes;
        image.description =
            format("%u x %u elements at %s", level.width, level.height, hexadecimal(pitched.devPtr).c_str());
    }
    level.slice_bytes = level.row_bytes * level.height;
    return image;
}

Image image_of(const ImageResource& resource) {
    if (resource.array) return image_of_array(*resource.array);
    if (!resource.mipmaps) return image_of_memory(resource.descriptor);
    Image image = image_of_array(*resource.mipmaps->levels().front());
    image.levels.clear();
    for (const std::shared_ptr<Array>& level : resource.mipmaps->levels())
        image.levels.push_back(level->level());
    image.description += format(", %zu levels", image.levels.size());
    return image;
}

AddressMode address_mode(CUaddress_mode mode, bool normalised) {
    switch (mode) {
        case CU_TR_ADDRESS_MODE_WRAP:
            return normalised ? AddressMode::wrap : AddressMode::clamp;
        case CU_TR_ADDRESS_MODE_CLAMP:
            return AddressMode::clamp;
        case CU_TR_ADDRESS_MODE_MIRROR:
            return normalised ? AddressMode::mirror : AddressMode::clamp;
        case CU_TR_ADDRESS_MODE_BORDER:
            return AddressMode::border;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no address mode %d", static_cast<int>(mode)));
}

bool is_linear(CUfilter_mode mode, const char* parameter) {
    if (mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR) return mode == CU_TR_FILTER_MODE_LINEAR;
    throw DriverError(CUDA_ERROR_INVALID_VALUE,
                      format("%s: there is no filter mode %d", parameter, static_cast<int>(mode)));
}

void require_texture_flags(unsigned int flags) {
    constexpr unsigned int known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                                   CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
    if ((flags & ~known) == 0) return;
    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("flags of a texture has unknown bits 0x%x", flags & ~known));
}

bool gives_floats(ImageChannel channel, unsigned int flags) {
    switch (channel) {
        case ImageChannel::f16:
        case ImageChannel::f32:
            return true;
        case ImageChannel::u32:
        case ImageChannel::s32:
            return false;
        default:
            return (flags & CU_TRSF_READ_AS_INTEGER) == 0;
    }
}

// What filters needs floats.
void require_floats_to_filter(const Texture& texture) {
    if (texture.as_float || (!texture.linear && !texture.linear_mipmaps)) return;
    throw DriverError(CUDA_ERROR_INVALID_VALUE,
                      "linear filtering of elements that are read as integers; read them as normalised floats, or "
                      "filter by the nearest point");
}

template <class Object>
const std::shared_ptr<Context>& context_of(const Object& object) {
    if constexpr (requires { object.context(); })
        return object.context();
    else
        return object.context;
}

template <class Uses>
std::vector<uint64_t> objects_that(const Uses& uses) {
    std::vector<uint64_t> found;
    for (const std::shared_ptr<TextureObject>& object : handles().textures.all()) {
        if (uses(object->resource)) found.push_back(handles().textures.handle_of(object));
    }
    for (const std::shared_ptr<SurfaceObject>& object : handles().surfaces.all()) {
        if (uses(object->resource)) found.push_back(handles().surfaces.handle_of(object));
    }
    return found;
}

}  // namespace

ImageResource find_resource(const CUDA_RESOURCE_DESC& descriptor, const Context& context) {
    ImageResource resource{descriptor};
    if (descriptor.flags != 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("flags of a resource is 0x%x; it must be 0", descriptor.flags));
    }
    switch (descriptor.resType) {
        case CU_RESOURCE_TYPE_ARRAY:
            resource.array = find_array(descriptor.res.array.hArray);
            require_context(context, *resource.array->context(), "res.array.hArray");
            return resource;
        case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
            resource.mipmaps = find_mipmapped_array(descriptor.res.mipmap.hMipmappedArray);
            require_context(context, *resource.mipmaps->context(), "res.mipmap.hMipmappedArray");
            return resource;
        case CU_RESOURCE_TYPE_LINEAR:
            check_linear(context, descriptor);
            return resource;
        case CU_RESOURCE_TYPE_PITCH2D:
            check_pitched(context, descriptor);
            return resource;
    }
    throw DriverError(CUDA_ERROR_INVALID_VALUE,
                      format("there is no type of resource %d", static_cast<int>(descriptor.resType)));
}

Texture describe_texture(const ImageResource& resource, const CUDA_TEXTURE_DESC& descriptor,
                         const CUDA_RESOURCE_VIEW_DESC* view) {
    require_texture_flags(descriptor.flags);
    Texture texture;
    texture.image = image_of(resource);
    texture.mipmapped = resource.mipmaps != nullptr;
    if (view != nullptr) apply_view(texture.image, *view, !resource.array && !resource.mipmaps);
    texture.normalised = (descriptor.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    for (size_t axis = 0; axis < 3; ++axis)
        texture.address[axis] = address_mode(descriptor.addressMode[axis], texture.normalised);
    texture.linear = is_linear(descriptor.filterMode, "filterMode");
    texture.linear_mipmaps = is_linear(descriptor.mipmapFilterMode, "mipmapFilterMode") && texture.mipmapped;
    texture.as_float = gives_floats(texture.image.format.channel, descriptor.flags);
    texture.srgb = (descriptor.flags & CU_TRSF_SRGB) != 0;
    texture.seamless = (descriptor.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
    texture.bias = descriptor.mipmapLevelBias;
    texture.least_level = descriptor.minMipmapLevelClamp;
    texture.most_level = descriptor.maxMipmapLevelClamp;
    std::copy(std::begin(descriptor.borderColor), std::end(descriptor.borderColor), texture.border.begin());
    if (resource.descriptor.resType == CU_RESOURCE_TYPE_LINEAR) {
        // Elements are read one by one, and outside there are zeros.
        texture.address.fill(AddressMode::border);
        texture.border = {};
        texture.linear = texture.normalised = false;
    }
    require_floats_to_filter(texture);
    return texture;
}

Image describe_surface(const ImageResource& resource) {
    if (!resource.array) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "a surface object needs an array (CU_RESOURCE_TYPE_ARRAY)");
    }
    if ((resource.array->descriptor().Flags & CUDA_ARRAY3D_SURFACE_LDST) == 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          "a surface object of an array that was made without CUDA_ARRAY3D_SURFACE_LDST");
    }
    return image_of_array(*resource.array);
}

void disable_objects_of(const Array& array) {
    array.context()->images().disable(
        objects_that([&](const ImageResource& resource) { return resource.array.get() == &array; }),
        "which was destroyed (cuArrayDestroy)");
}

void disable_objects_of(const MipmappedArray& mipmaps) {
    const auto uses = [&](const ImageResource& resource) {
        return resource.mipmaps.get() == &mipmaps ||
               std::ranges::find(mipmaps.levels(), resource.array) != mipmaps.levels().end();
    };
    mipmaps.context()->images().disable(objects_that(uses), "which was destroyed (cuMipmappedArrayDestroy)");
}

void forget_images_of(Context& context) {
    context.images().clear();
    const auto forget = [&](auto& table) {
        for (const auto& object : table.all()) {
            if (context_of(*object).get() == &context) table.remove(table.handle_of(object));
        }
    };
    forget(handles().textures);
    forget(handles().surfaces);
    forget(handles().mipmapped_arrays);
    forget(handles().arrays);
}

}  // namespace cuprum::simulator::libcuda
