// Texture and surface objects.
#include "driver/images/image_object.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

std::shared_ptr<TextureObject> find_texture(CUtexObject handle) {
    std::shared_ptr<TextureObject> object = handles().textures.find(handle);
    if (!object) throw DriverError(CUDA_ERROR_INVALID_HANDLE, describe_bad_handle(HandleKind::texture, handle));
    require_usable(*object->context);
    return object;
}

std::shared_ptr<SurfaceObject> find_surface(CUsurfObject handle) {
    std::shared_ptr<SurfaceObject> object = handles().surfaces.find(handle);
    if (!object) throw DriverError(CUDA_ERROR_INVALID_HANDLE, describe_bad_handle(HandleKind::surface, handle));
    require_usable(*object->context);
    return object;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuTexObjectCreate(CUtexObject* handle, const CUDA_RESOURCE_DESC* resource,
                                   const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
    return entry("cuTexObjectCreate", [&] {
        require_pointer(handle, "pTexObject");
        require_pointer(resource, "pResDesc");
        require_pointer(texture, "pTexDesc");
        const std::shared_ptr<Context> context = current_context();
        auto object = std::make_shared<TextureObject>(context, find_resource(*resource, *context), *texture);
        if (view != nullptr) object->view = *view;
        auto seen = std::make_shared<const Texture>(describe_texture(object->resource, *texture, view));
        *handle = handles().textures.insert(std::move(object));
        context->images().add(*handle, std::move(seen));
    });
}

CUresult CUDAAPI cuTexObjectDestroy(CUtexObject handle) {
    return entry("cuTexObjectDestroy", [&] {
        const std::shared_ptr<TextureObject> object = find_texture(handle);
        object->context->images().remove(handle);
        handles().textures.remove(handle);
    });
}

CUresult CUDAAPI cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject handle) {
    return entry("cuTexObjectGetResourceDesc", [&] {
        require_pointer(resource, "pResDesc");
        *resource = find_texture(handle)->resource.descriptor;
    });
}

CUresult CUDAAPI cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* texture, CUtexObject handle) {
    return entry("cuTexObjectGetTextureDesc", [&] {
        require_pointer(texture, "pTexDesc");
        *texture = find_texture(handle)->texture;
    });
}

CUresult CUDAAPI cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject handle) {
    return entry("cuTexObjectGetResourceViewDesc", [&] {
        require_pointer(view, "pResViewDesc");
        const std::shared_ptr<TextureObject> object = find_texture(handle);
        if (!object->view) throw DriverError(CUDA_ERROR_INVALID_VALUE, "the texture object was made without a view");
        *view = *object->view;
    });
}

CUresult CUDAAPI cuSurfObjectCreate(CUsurfObject* handle, const CUDA_RESOURCE_DESC* resource) {
    return entry("cuSurfObjectCreate", [&] {
        require_pointer(handle, "pSurfObject");
        require_pointer(resource, "pResDesc");
        const std::shared_ptr<Context> context = current_context();
        auto object = std::make_shared<SurfaceObject>(context, find_resource(*resource, *context));
        auto seen = std::make_shared<const Image>(describe_surface(object->resource));
        *handle = handles().surfaces.insert(std::move(object));
        context->images().add(*handle, std::move(seen));
    });
}

CUresult CUDAAPI cuSurfObjectDestroy(CUsurfObject handle) {
    return entry("cuSurfObjectDestroy", [&] {
        const std::shared_ptr<SurfaceObject> object = find_surface(handle);
        object->context->images().remove(handle);
        handles().surfaces.remove(handle);
    });
}

CUresult CUDAAPI cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject handle) {
    return entry("cuSurfObjectGetResourceDesc", [&] {
        require_pointer(resource, "pResDesc");
        *resource = find_surface(handle)->resource.descriptor;
    });
}

CUresult CUDAAPI cuDeviceGetTexture1DLinearMaxWidth(size_t* width, CUarray_format format, unsigned int channels,
                                                    CUdevice device) {
    return entry("cuDeviceGetTexture1DLinearMaxWidth", [&] {
        require_pointer(width, "maxWidthInElements");
        image_format(format, channels);
        *width =
            static_cast<size_t>(driver().device(device).attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH));
    });
}

}  // extern "C"
