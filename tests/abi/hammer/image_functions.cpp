// Arrays, texture and surface objects.
#include "choices.hpp"

namespace hammer {

namespace {

cuprum_opaque_array an_array(Turn& t) {
    return as_handle<cuprum_opaque_array>(t.handle(opaque_array));
}
cuprum_mipmapped_array mipmaps(Turn& t) {
    return as_handle<cuprum_mipmapped_array>(t.handle(mipmapped_array));
}
cuprum_texture_object a_texture(Turn& t) {
    return as_handle<cuprum_texture_object>(t.handle(texture_object));
}
cuprum_surface_object a_surface(Turn& t) {
    return as_handle<cuprum_surface_object>(t.handle(surface_object));
}

int32_t format(Turn& t) {
    constexpr std::array<int32_t, 8> formats{0, 1, 2, 3, 4, 5, 6, 7};
    return choice(t, formats);
}
int32_t channels(Turn& t) {
    constexpr std::array<int32_t, 4> numbers{0, 1, 2, 4};
    return choice(t, numbers);
}

// Of 4096 bytes at most.
cuprum_array_options array_options(Turn& t) {
    constexpr std::array<uint64_t, 3> widths{1, 4, 16}, heights{0, 4, 8}, depths{0, 0, 2};
    constexpr std::array<int32_t, 3> levels{0, 1, 2};
    cuprum_array_options options = CUPRUM_ARRAY_OPTIONS_INIT;
    options.struct_size = t.struct_size(48, 48);
    options.format = format(t);
    options.num_channels = channels(t);
    options.num_levels = choice(t, levels);
    options.width = t.random.one_in(10) ? most : t.random.pick(widths);
    options.height = t.random.pick(heights);
    options.depth = t.random.pick(depths);
    options.is_surface_load_store = static_cast<int32_t>(t.random.below(2));
    return options;
}

cuprum_texture_options texture_options(Turn& t) {
    constexpr std::array<int32_t, 4> modes{0, 1, 2, 3};
    constexpr std::array<int32_t, 2> two{0, 1};
    cuprum_texture_options options = CUPRUM_TEXTURE_OPTIONS_INIT;
    options.struct_size = t.struct_size(76, 76);
    options.address_mode_x = choice(t, modes);
    options.address_mode_y = choice(t, modes);
    options.filter_mode = choice(t, two);
    options.mipmap_filter_mode = choice(t, two);
    options.read_mode = choice(t, two);
    options.max_anisotropy = choice(t, two);
    options.normalized_coords = static_cast<int32_t>(t.random.below(2));
    return options;
}
// The options, or NULL now and then.
template <class Create>
cuprum_status with_options(Turn& t, const Create& create) {
    const cuprum_texture_options options = texture_options(t);
    return create(t.output_handle<cuprum_texture_object>(texture_object), t.random.one_in(2) ? nullptr : &options);
}

std::vector<Function> array_functions() {
    return {
        {"cuprum_opaque_array_copy_from", 20,
         [](Turn& t) { return cuprum_opaque_array_copy_from(an_array(t), a_buffer(t), memory_stream(t)); }},
        {"cuprum_opaque_array_copy_from_host", 20,
         [](Turn& t) { return cuprum_opaque_array_copy_from_host(an_array(t), host(t), size(t), a_stream(t)); }},
        {"cuprum_opaque_array_copy_to", 20,
         [](Turn& t) { return cuprum_opaque_array_copy_to(an_array(t), a_buffer(t), memory_stream(t)); }},
        {"cuprum_opaque_array_copy_to_host", 20,
         [](Turn& t) { return cuprum_opaque_array_copy_to_host(an_array(t), host(t), size(t), a_stream(t)); }},
        {"cuprum_opaque_array_create", 40,
         [](Turn& t) {
             const cuprum_array_options options = array_options(t);
             return cuprum_opaque_array_create(t.output_handle<cuprum_opaque_array>(opaque_array), device(t),
                                               t.random.one_in(20) ? nullptr : &options);
         }},
        {"cuprum_opaque_array_destroy", 40, [](Turn& t) { return destroy(opaque_array, t.doomed(opaque_array)); }},
        {"cuprum_opaque_array_device", 20,
         [](Turn& t) { return cuprum_opaque_array_device(t.output<int32_t>(), an_array(t)); }},
        {"cuprum_opaque_array_element_bytes", 20,
         [](Turn& t) { return cuprum_opaque_array_element_bytes(t.output<int32_t>(), an_array(t)); }},
        {"cuprum_opaque_array_format", 20,
         [](Turn& t) { return cuprum_opaque_array_format(t.output<int32_t>(), an_array(t)); }},
        // Of an array that lasts, so that it is there for as long as it is borrowed.
        {"cuprum_opaque_array_from_native", 20,
         [](Turn& t) {
             uint64_t native = 0;
             cuprum_opaque_array_native(&native,
                                        as_handle<cuprum_opaque_array>(t.shared.lasting[opaque_array].front()));
             if (t.random.one_in(4)) native = t.random.one_in(2) ? 0 : t.random.next();
             return cuprum_opaque_array_from_native(t.output_handle<cuprum_opaque_array>(opaque_array), device(t),
                                                    native);
         }},
        {"cuprum_opaque_array_is_surface_load_store", 20,
         [](Turn& t) { return cuprum_opaque_array_is_surface_load_store(t.output<int32_t>(), an_array(t)); }},
        {"cuprum_opaque_array_native", 20,
         [](Turn& t) { return cuprum_opaque_array_native(t.output<uint64_t>(), an_array(t)); }},
        {"cuprum_opaque_array_num_channels", 20,
         [](Turn& t) { return cuprum_opaque_array_num_channels(t.output<int32_t>(), an_array(t)); }},
        {"cuprum_opaque_array_shape", 20,
         [](Turn& t) {
             return cuprum_opaque_array_shape(t.output<uint64_t>(), t.output<uint64_t>(), t.output<uint64_t>(),
                                              an_array(t));
         }},
        {"cuprum_opaque_array_size_bytes", 20,
         [](Turn& t) { return cuprum_opaque_array_size_bytes(t.output<uint64_t>(), an_array(t)); }},
        {"cuprum_mipmapped_array_create", 40,
         [](Turn& t) {
             const cuprum_array_options options = array_options(t);
             return cuprum_mipmapped_array_create(t.output_handle<cuprum_mipmapped_array>(mipmapped_array), device(t),
                                                  t.random.one_in(20) ? nullptr : &options);
         }},
        {"cuprum_mipmapped_array_destroy", 40,
         [](Turn& t) { return destroy(mipmapped_array, t.doomed(mipmapped_array)); }},
        {"cuprum_mipmapped_array_device", 20,
         [](Turn& t) { return cuprum_mipmapped_array_device(t.output<int32_t>(), mipmaps(t)); }},
        {"cuprum_mipmapped_array_format", 20,
         [](Turn& t) { return cuprum_mipmapped_array_format(t.output<int32_t>(), mipmaps(t)); }},
        {"cuprum_mipmapped_array_get_level", 20,
         [](Turn& t) {
             constexpr std::array<int32_t, 3> levels{0, 1, 2};
             return cuprum_mipmapped_array_get_level(t.output_handle<cuprum_opaque_array>(opaque_array), mipmaps(t),
                                                     choice(t, levels));
         }},
        {"cuprum_mipmapped_array_is_surface_load_store", 20,
         [](Turn& t) { return cuprum_mipmapped_array_is_surface_load_store(t.output<int32_t>(), mipmaps(t)); }},
        {"cuprum_mipmapped_array_native", 20,
         [](Turn& t) { return cuprum_mipmapped_array_native(t.output<uint64_t>(), mipmaps(t)); }},
        {"cuprum_mipmapped_array_num_channels", 20,
         [](Turn& t) { return cuprum_mipmapped_array_num_channels(t.output<int32_t>(), mipmaps(t)); }},
        {"cuprum_mipmapped_array_num_levels", 20,
         [](Turn& t) { return cuprum_mipmapped_array_num_levels(t.output<int32_t>(), mipmaps(t)); }},
        {"cuprum_mipmapped_array_shape", 20,
         [](Turn& t) {
             return cuprum_mipmapped_array_shape(t.output<uint64_t>(), t.output<uint64_t>(), t.output<uint64_t>(),
                                                 mipmaps(t));
         }},
    };
}

cuprum_tensor_map_description a_tensor(Turn& t) {
    cuprum_tensor_map_description map{};
    map.struct_size = t.random.one_in(12) ? 8 : sizeof map;
    map.mode = t.random.one_in(6) ? static_cast<int32_t>(t.random.below(9)) - 2 : CUPRUM_TENSOR_MAP_TILED;
    map.data_type = t.random.one_in(6) ? static_cast<int32_t>(t.random.below(20)) - 2 : 7;
    map.rank = t.random.one_in(6) ? static_cast<uint32_t>(t.random.below(8)) : 2;
    map.address = t.own_memory();
    for (uint64_t& size : map.shape)
        size = t.random.one_in(8) ? t.random.next() : 16;
    for (uint32_t& box : map.box_dim)
        box = static_cast<uint32_t>(t.random.below(20));
    return map;
}

std::vector<Function> object_functions() {
    return {
        {"cuprum_texture_object_of_opaque_array", 30,
         [](Turn& t) {
             return with_options(t, [&](auto* out, const auto* options) {
                 return cuprum_texture_object_of_opaque_array(out, device(t), an_array(t), options);
             });
         }},
        {"cuprum_texture_object_of_mipmapped_array", 30,
         [](Turn& t) {
             return with_options(t, [&](auto* out, const auto* options) {
                 return cuprum_texture_object_of_mipmapped_array(out, device(t), mipmaps(t), options);
             });
         }},
        {"cuprum_texture_object_of_linear", 40,
         [](Turn& t) {
             return with_options(t, [&](auto* out, const auto* options) {
                 return cuprum_texture_object_of_linear(out, device(t), a_buffer(t), format(t), channels(t), size(t),
                                                        options);
             });
         }},
        {"cuprum_texture_object_of_pitch2d", 60,
         [](Turn& t) {
             constexpr std::array<uint64_t, 4> sizes{1, 2, 4, 0}, pitches{32, 64, 512, 3};
             return with_options(t, [&](auto* out, const auto* options) {
                 return cuprum_texture_object_of_pitch2d(out, device(t), a_buffer(t), format(t), channels(t),
                                                         t.random.pick(sizes), t.random.pick(sizes),
                                                         t.random.pick(pitches), options);
             });
         }},
        {"cuprum_texture_object_destroy", 60,
         [](Turn& t) { return destroy(texture_object, t.doomed(texture_object)); }},
        {"cuprum_texture_object_device", 20,
         [](Turn& t) { return cuprum_texture_object_device(t.output<int32_t>(), a_texture(t)); }},
        {"cuprum_texture_object_native", 20,
         [](Turn& t) { return cuprum_texture_object_native(t.output<uint64_t>(), a_texture(t)); }},
        {"cuprum_surface_object_create", 30,
         [](Turn& t) {
             return cuprum_surface_object_create(t.output_handle<cuprum_surface_object>(surface_object), device(t),
                                                 an_array(t));
         }},
        {"cuprum_surface_object_destroy", 40,
         [](Turn& t) { return destroy(surface_object, t.doomed(surface_object)); }},
        {"cuprum_surface_object_device", 20,
         [](Turn& t) { return cuprum_surface_object_device(t.output<int32_t>(), a_surface(t)); }},
        {"cuprum_surface_object_native", 20,
         [](Turn& t) { return cuprum_surface_object_native(t.output<uint64_t>(), a_surface(t)); }},
        // The simulated device, of compute capability 8.0, has no tensor maps.
        {"cuprum_tensor_map_encode", 20,
         [](Turn& t) {
             cuprum_tensor_map_description map = a_tensor(t);
             return cuprum_tensor_map_encode(t.output<const void*>(), t.output<uint64_t>(), device(t),
                                             t.random.one_in(12) ? nullptr : &map,
                                             t.random.one_in(8) ? t.random.below(300) : sizeof map);
         },
         CUPRUM_ERROR_UNSUPPORTED},
        {"cuprum_tensor_map_replace_address", 20,
         [](Turn& t) {
             const std::array<unsigned char, 128> map{};
             return cuprum_tensor_map_replace_address(
                 t.output<const void*>(), t.output<uint64_t>(), device(t), t.random.one_in(12) ? nullptr : map.data(),
                 t.random.one_in(8) ? t.random.below(128) : map.size(), t.own_memory());
         },
         CUPRUM_ERROR_UNSUPPORTED},
    };
}

}  // namespace

std::vector<Function> image_functions() {
    std::vector<Function> all = array_functions();
    const std::vector<Function> objects = object_functions();
    all.insert(all.end(), objects.begin(), objects.end());
    return all;
}

}  // namespace hammer
