#include "cuprum/capi/image.h"

#include <string>

#include "call.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/opaque_array.hpp"
#include "cuprum/core/texture_object.hpp"
#include "owners.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

core::ArrayFormat array_format(const Call& call, int32_t number) {
    if (number < CUPRUM_ARRAY_UINT8 || number > CUPRUM_ARRAY_FLOAT32) {
        call.refuse("format", "expected the number of a format, 0 to 7; given " + std::to_string(number));
    }
    return static_cast<core::ArrayFormat>(number);
}

int32_t one_if_zero(int32_t number) {
    return number == 0 ? 1 : number;
}

core::OpaqueArrayOptions array_options(const Call& call, const cuprum_array_options& given) {
    return {.shape = {given.width, given.height, given.depth},
            .format = array_format(call, given.format),
            .num_channels = one_if_zero(given.num_channels),
            .is_surface_load_store = given.is_surface_load_store != 0};
}

core::AddressMode address_mode(const Call& call, int32_t number) {
    switch (number) {
        case CUPRUM_ADDRESS_CLAMP:
            return core::AddressMode::clamp;
        case CUPRUM_ADDRESS_WRAP:
            return core::AddressMode::wrap;
        case CUPRUM_ADDRESS_MIRROR:
            return core::AddressMode::mirror;
        case CUPRUM_ADDRESS_BORDER:
            return core::AddressMode::border;
        default:
            call.refuse("options", "expected the number of an address mode, 0 to 3; given " + std::to_string(number));
    }
}

core::TextureObjectOptions texture_options(const Call& call, const cuprum_texture_options* options) {
    core::TextureObjectOptions values;
    if (options == nullptr) return values;
    const cuprum_texture_options given = read_struct(call, "options", options);
    values.address_mode = {address_mode(call, given.address_mode_x), address_mode(call, given.address_mode_y),
                           address_mode(call, given.address_mode_z)};
    values.filter_mode = static_cast<core::FilterMode>(given.filter_mode);
    values.read_mode = static_cast<core::ReadMode>(given.read_mode);
    values.normalized_coords = given.normalized_coords != 0;
    values.srgb = given.srgb != 0;
    values.disable_trilinear_optimization = given.disable_trilinear_optimization != 0;
    values.seamless_cubemap = given.seamless_cubemap != 0;
    values.max_anisotropy = given.max_anisotropy;
    values.mipmap_filter_mode = static_cast<core::FilterMode>(given.mipmap_filter_mode);
    values.mipmap_level_bias = given.mipmap_level_bias;
    values.min_mipmap_level_clamp = given.min_mipmap_level_clamp;
    values.max_mipmap_level_clamp = given.max_mipmap_level_clamp;
    values.border_color = {given.border_x, given.border_y, given.border_z, given.border_w};
    return values;
}

cuprum_texture_object make_texture(const Call& call, int32_t device, const core::ResourceDescriptor& resource,
                                   const cuprum_texture_options* options) {
    return call.give<cuprum_texture_object>(
        TextureObjectObject{core::TextureObject(core::Device(device), resource, texture_options(call, options))});
}

void give_shape(const Call& call, const core::ArrayShape& shape, uint64_t* width_out, uint64_t* height_out,
                uint64_t* depth_out) {
    call.require(width_out, "width_out");
    call.require(height_out, "height_out");
    call.require(depth_out, "depth_out");
    *width_out = shape.width;
    *height_out = shape.height;
    *depth_out = shape.depth;
}

}  // namespace

cuprum_status cuprum_opaque_array_create(cuprum_opaque_array* array_out, int32_t device,
                                         const cuprum_array_options* options) {
    return run("cuprum_opaque_array_create", [&](const Call& call) {
        call.require(array_out, "array_out");
        const core::OpaqueArrayOptions values = array_options(call, read_struct(call, "options", options));
        *array_out =
            call.give<cuprum_opaque_array>(OpaqueArrayObject{core::Device(device).create_opaque_array(values)});
    });
}

cuprum_status cuprum_opaque_array_from_native(cuprum_opaque_array* array_out, int32_t device, uint64_t native) {
    return run("cuprum_opaque_array_from_native", [&](const Call& call) {
        call.require(array_out, "array_out");
        const auto handle = reinterpret_cast<CUarray>(static_cast<uintptr_t>(native));
        *array_out = call.give<cuprum_opaque_array>(
            OpaqueArrayObject{core::OpaqueArray::from_handle(handle, core::Device(device))});
    });
}

cuprum_status cuprum_opaque_array_destroy(cuprum_opaque_array array) {
    return run("cuprum_opaque_array_destroy", [&](const Call& call) { call.destroy(array, "array"); });
}

cuprum_status cuprum_opaque_array_native(uint64_t* native_out, cuprum_opaque_array array) {
    return run("cuprum_opaque_array_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        *native_out = call.number_of(array, "array");
    });
}

cuprum_status cuprum_opaque_array_device(int32_t* device_out, cuprum_opaque_array array) {
    return run("cuprum_opaque_array_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = call.use(array, "array")->array.device_id();
    });
}

cuprum_status cuprum_opaque_array_shape(uint64_t* width_out, uint64_t* height_out, uint64_t* depth_out,
                                        cuprum_opaque_array array) {
    return run("cuprum_opaque_array_shape", [&](const Call& call) {
        give_shape(call, call.use(array, "array")->array.shape(), width_out, height_out, depth_out);
    });
}

cuprum_status cuprum_opaque_array_format(int32_t* format_out, cuprum_opaque_array array) {
    return run("cuprum_opaque_array_format", [&](const Call& call) {
        call.require(format_out, "format_out");
        *format_out = static_cast<int32_t>(call.use(array, "array")->array.format());
    });
}

cuprum_status cuprum_opaque_array_num_channels(int32_t* channels_out, cuprum_opaque_array array) {
    return run("cuprum_opaque_array_num_channels", [&](const Call& call) {
        call.require(channels_out, "channels_out");
        *channels_out = call.use(array, "array")->array.num_channels();
    });
}

cuprum_status cuprum_opaque_array_element_bytes(int32_t* bytes_out, cuprum_opaque_array array) {
    return run("cuprum_opaque_array_element_bytes", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        *bytes_out = static_cast<int32_t>(call.use(array, "array")->array.element_bytes());
    });
}

cuprum_status cuprum_opaque_array_size_bytes(uint64_t* bytes_out, cuprum_opaque_array array) {
    return run("cuprum_opaque_array_size_bytes", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        *bytes_out = call.use(array, "array")->array.size_bytes();
    });
}

cuprum_status cuprum_opaque_array_is_surface_load_store(int32_t* for_surfaces_out, cuprum_opaque_array array) {
    return run("cuprum_opaque_array_is_surface_load_store", [&](const Call& call) {
        call.require(for_surfaces_out, "for_surfaces_out");
        *for_surfaces_out = call.use(array, "array")->array.is_surface_load_store() ? 1 : 0;
    });
}

cuprum_status cuprum_opaque_array_copy_from(cuprum_opaque_array array, cuprum_buffer source, cuprum_stream stream) {
    return run("cuprum_opaque_array_copy_from", [&](const Call& call) {
        const auto to = call.use(array, "array");
        const auto from = call.use(source, "source");
        const auto in = call.use(stream, "stream");
        keep_captured(call, in->stream, array, source);
        to->array.copy_from(from->buffer, in->stream);
    });
}

cuprum_status cuprum_opaque_array_copy_to(cuprum_opaque_array array, cuprum_buffer destination, cuprum_stream stream) {
    return run("cuprum_opaque_array_copy_to", [&](const Call& call) {
        const auto from = call.use(array, "array");
        const auto to = call.use(destination, "destination");
        const auto in = call.use(stream, "stream");
        keep_captured(call, in->stream, array, destination);
        from->array.copy_to(to->buffer, in->stream);
    });
}

cuprum_status cuprum_opaque_array_copy_from_host(cuprum_opaque_array array, const void* source, uint64_t size,
                                                 cuprum_stream stream) {
    return run("cuprum_opaque_array_copy_from_host", [&](const Call& call) {
        call.require(source, "source");
        const auto to = call.use(array, "array");
        to->array.copy_from_host(source, size, call.use(stream, "stream")->stream);
    });
}

cuprum_status cuprum_opaque_array_copy_to_host(cuprum_opaque_array array, void* destination, uint64_t size,
                                               cuprum_stream stream) {
    return run("cuprum_opaque_array_copy_to_host", [&](const Call& call) {
        call.require(destination, "destination");
        const auto from = call.use(array, "array");
        from->array.copy_to_host(destination, size, call.use(stream, "stream")->stream);
    });
}

cuprum_status cuprum_mipmapped_array_create(cuprum_mipmapped_array* array_out, int32_t device,
                                            const cuprum_array_options* options) {
    return run("cuprum_mipmapped_array_create", [&](const Call& call) {
        call.require(array_out, "array_out");
        const cuprum_array_options given = read_struct(call, "options", options);
        const core::OpaqueArrayOptions each = array_options(call, given);
        const core::MipmappedArrayOptions values{.shape = each.shape,
                                                 .format = each.format,
                                                 .num_channels = each.num_channels,
                                                 .num_levels = one_if_zero(given.num_levels),
                                                 .is_surface_load_store = each.is_surface_load_store};
        *array_out = call.give<cuprum_mipmapped_array>(
            MipmappedArrayObject{core::Device(device).create_mipmapped_array(values)});
    });
}

cuprum_status cuprum_mipmapped_array_destroy(cuprum_mipmapped_array array) {
    return run("cuprum_mipmapped_array_destroy", [&](const Call& call) { call.destroy(array, "array"); });
}

cuprum_status cuprum_mipmapped_array_native(uint64_t* native_out, cuprum_mipmapped_array array) {
    return run("cuprum_mipmapped_array_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        *native_out = call.number_of(array, "array");
    });
}

cuprum_status cuprum_mipmapped_array_device(int32_t* device_out, cuprum_mipmapped_array array) {
    return run("cuprum_mipmapped_array_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = call.use(array, "array")->array.device_id();
    });
}

cuprum_status cuprum_mipmapped_array_shape(uint64_t* width_out, uint64_t* height_out, uint64_t* depth_out,
                                           cuprum_mipmapped_array array) {
    return run("cuprum_mipmapped_array_shape", [&](const Call& call) {
        give_shape(call, call.use(array, "array")->array.shape(), width_out, height_out, depth_out);
    });
}

cuprum_status cuprum_mipmapped_array_format(int32_t* format_out, cuprum_mipmapped_array array) {
    return run("cuprum_mipmapped_array_format", [&](const Call& call) {
        call.require(format_out, "format_out");
        *format_out = static_cast<int32_t>(call.use(array, "array")->array.format());
    });
}

cuprum_status cuprum_mipmapped_array_num_channels(int32_t* channels_out, cuprum_mipmapped_array array) {
    return run("cuprum_mipmapped_array_num_channels", [&](const Call& call) {
        call.require(channels_out, "channels_out");
        *channels_out = call.use(array, "array")->array.num_channels();
    });
}

cuprum_status cuprum_mipmapped_array_num_levels(int32_t* levels_out, cuprum_mipmapped_array array) {
    return run("cuprum_mipmapped_array_num_levels", [&](const Call& call) {
        call.require(levels_out, "levels_out");
        *levels_out = call.use(array, "array")->array.num_levels();
    });
}

cuprum_status cuprum_mipmapped_array_is_surface_load_store(int32_t* for_surfaces_out, cuprum_mipmapped_array array) {
    return run("cuprum_mipmapped_array_is_surface_load_store", [&](const Call& call) {
        call.require(for_surfaces_out, "for_surfaces_out");
        *for_surfaces_out = call.use(array, "array")->array.is_surface_load_store() ? 1 : 0;
    });
}

cuprum_status cuprum_mipmapped_array_get_level(cuprum_opaque_array* array_out, cuprum_mipmapped_array array,
                                               int32_t level) {
    return run("cuprum_mipmapped_array_get_level", [&](const Call& call) {
        call.require(array_out, "array_out");
        *array_out =
            call.give<cuprum_opaque_array>(OpaqueArrayObject{call.use(array, "array")->array.get_level(level)});
    });
}

cuprum_status cuprum_texture_object_of_opaque_array(cuprum_texture_object* texture_out, int32_t device,
                                                    cuprum_opaque_array array, const cuprum_texture_options* options) {
    return run("cuprum_texture_object_of_opaque_array", [&](const Call& call) {
        call.require(texture_out, "texture_out");
        const auto resource = core::ResourceDescriptor::from_opaque_array(call.use(array, "array")->array);
        *texture_out = make_texture(call, device, resource, options);
    });
}

cuprum_status cuprum_texture_object_of_mipmapped_array(cuprum_texture_object* texture_out, int32_t device,
                                                       cuprum_mipmapped_array array,
                                                       const cuprum_texture_options* options) {
    return run("cuprum_texture_object_of_mipmapped_array", [&](const Call& call) {
        call.require(texture_out, "texture_out");
        const auto resource = core::ResourceDescriptor::from_mipmapped_array(call.use(array, "array")->array);
        *texture_out = make_texture(call, device, resource, options);
    });
}

cuprum_status cuprum_texture_object_of_linear(cuprum_texture_object* texture_out, int32_t device, cuprum_buffer buffer,
                                              int32_t format, int32_t num_channels, uint64_t size_bytes,
                                              const cuprum_texture_options* options) {
    return run("cuprum_texture_object_of_linear", [&](const Call& call) {
        call.require(texture_out, "texture_out");
        const auto resource = core::ResourceDescriptor::from_linear(
            call.use(buffer, "buffer")->buffer, array_format(call, format), num_channels, size_bytes);
        *texture_out = make_texture(call, device, resource, options);
    });
}

cuprum_status cuprum_texture_object_of_pitch2d(cuprum_texture_object* texture_out, int32_t device, cuprum_buffer buffer,
                                               int32_t format, int32_t num_channels, uint64_t width, uint64_t height,
                                               uint64_t pitch_bytes, const cuprum_texture_options* options) {
    return run("cuprum_texture_object_of_pitch2d", [&](const Call& call) {
        call.require(texture_out, "texture_out");
        const auto resource = core::ResourceDescriptor::from_pitch2d(
            call.use(buffer, "buffer")->buffer, array_format(call, format), num_channels, width, height, pitch_bytes);
        *texture_out = make_texture(call, device, resource, options);
    });
}

cuprum_status cuprum_texture_object_destroy(cuprum_texture_object texture) {
    return run("cuprum_texture_object_destroy", [&](const Call& call) { call.destroy(texture, "texture"); });
}

cuprum_status cuprum_texture_object_native(uint64_t* native_out, cuprum_texture_object texture) {
    return run("cuprum_texture_object_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        *native_out = call.number_of(texture, "texture");
    });
}

cuprum_status cuprum_texture_object_device(int32_t* device_out, cuprum_texture_object texture) {
    return run("cuprum_texture_object_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = call.use(texture, "texture")->texture.device_id();
    });
}

cuprum_status cuprum_surface_object_create(cuprum_surface_object* surface_out, int32_t device,
                                           cuprum_opaque_array array) {
    return run("cuprum_surface_object_create", [&](const Call& call) {
        call.require(surface_out, "surface_out");
        const auto resource = core::ResourceDescriptor::from_opaque_array(call.use(array, "array")->array);
        *surface_out =
            call.give<cuprum_surface_object>(SurfaceObjectObject{core::SurfaceObject(core::Device(device), resource)});
    });
}

cuprum_status cuprum_surface_object_destroy(cuprum_surface_object surface) {
    return run("cuprum_surface_object_destroy", [&](const Call& call) { call.destroy(surface, "surface"); });
}

cuprum_status cuprum_surface_object_native(uint64_t* native_out, cuprum_surface_object surface) {
    return run("cuprum_surface_object_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        *native_out = call.number_of(surface, "surface");
    });
}

cuprum_status cuprum_surface_object_device(int32_t* device_out, cuprum_surface_object surface) {
    return run("cuprum_surface_object_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = call.use(surface, "surface")->surface.device_id();
    });
}
