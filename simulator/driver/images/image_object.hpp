// Texture and surface objects: what they were made from, and what kernels see of them.
#pragma once

#include <memory>
#include <optional>

#include "driver/images/mipmapped_array.hpp"
#include "driver/memory/array.hpp"
#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// What a resource descriptor names.
struct ImageResource {
    CUDA_RESOURCE_DESC descriptor{};
    std::shared_ptr<Array> array = nullptr;
    std::shared_ptr<MipmappedArray> mipmaps = nullptr;
};

struct TextureObject {
    std::shared_ptr<Context> context;
    ImageResource resource;
    CUDA_TEXTURE_DESC texture{};
    std::optional<CUDA_RESOURCE_VIEW_DESC> view;
};

struct SurfaceObject {
    std::shared_ptr<Context> context;
    ImageResource resource;
};

// Throws DriverError(CUDA_ERROR_INVALID_HANDLE).
std::shared_ptr<MipmappedArray> find_mipmapped_array(CUmipmappedArray handle);

// Finds what the descriptor names. Throws DriverError for what is not there, or not as textures need it.
ImageResource find_resource(const CUDA_RESOURCE_DESC& descriptor, const Context& context);
// What kernels see. Throws DriverError for descriptors that contradict themselves or the resource.
Texture describe_texture(const ImageResource& resource, const CUDA_TEXTURE_DESC& texture,
                         const CUDA_RESOURCE_VIEW_DESC* view);
Image describe_surface(const ImageResource& resource);

// The array is about to be destroyed: kernels that use objects of it are told so. (One of a mipmapped array: the same.)
void disable_objects_of(const Array& array);
void disable_objects_of(const MipmappedArray& mipmaps);
// The context comes to its end, and its arrays and objects with it.
void forget_images_of(Context& context);

}  // namespace cuprum::simulator::libcuda
