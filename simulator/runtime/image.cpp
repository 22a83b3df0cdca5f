// Texture and surface objects: the runtime's descriptions and the driver's.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "runtime/functions.hpp"
#include "runtime/thread_state.hpp"

namespace cuprum::simulator::runtime {
namespace {

cudaError_t to_driver(const cudaResourceDesc& from, CUDA_RESOURCE_DESC& to) {
    to.flags = from.flags;
    switch (from.resType) {
        case cudaResourceTypeArray:
            to.resType = CU_RESOURCE_TYPE_ARRAY;
            to.res.array.hArray = reinterpret_cast<CUarray>(from.res.array.array);
            return cudaSuccess;
        case cudaResourceTypeMipmappedArray:
            to.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
            to.res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(from.res.mipmap.mipmap);
            return cudaSuccess;
        case cudaResourceTypeLinear:
            to.resType = CU_RESOURCE_TYPE_LINEAR;
            to.res.linear.devPtr = reinterpret_cast<CUdeviceptr>(from.res.linear.devPtr);
            to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
            return element_format(from.res.linear.desc, to.res.linear.format, to.res.linear.numChannels);
        case cudaResourceTypePitch2D:
            to.resType = CU_RESOURCE_TYPE_PITCH2D;
            to.res.pitch2D.devPtr = reinterpret_cast<CUdeviceptr>(from.res.pitch2D.devPtr);
            to.res.pitch2D.width = from.res.pitch2D.width;
            to.res.pitch2D.height = from.res.pitch2D.height;
            to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
            return element_format(from.res.pitch2D.desc, to.res.pitch2D.format, to.res.pitch2D.numChannels);
        default:
            return cudaErrorInvalidValue;
    }
}

cudaError_t from_driver(const CUDA_RESOURCE_DESC& from, cudaResourceDesc& to) {
    std::memset(&to, 0, sizeof(to));
    switch (from.resType) {
        case CU_RESOURCE_TYPE_ARRAY:
            to.resType = cudaResourceTypeArray;
            to.res.array.array = reinterpret_cast<cudaArray_t>(from.res.array.hArray);
            return cudaSuccess;
        case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
            to.resType = cudaResourceTypeMipmappedArray;
            to.res.mipmap.mipmap = reinterpret_cast<cudaMipmappedArray_t>(from.res.mipmap.hMipmappedArray);
            return cudaSuccess;
        case CU_RESOURCE_TYPE_LINEAR:
            to.resType = cudaResourceTypeLinear;
            to.res.linear.devPtr = reinterpret_cast<void*>(from.res.linear.devPtr);
            to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
            return channel_description(from.res.linear.format, from.res.linear.numChannels, to.res.linear.desc);
        default:
            to.resType = cudaResourceTypePitch2D;
            to.res.pitch2D.devPtr = reinterpret_cast<void*>(from.res.pitch2D.devPtr);
            to.res.pitch2D.width = from.res.pitch2D.width;
            to.res.pitch2D.height = from.res.pitch2D.height;
            to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
            return channel_description(from.res.pitch2D.format, from.res.pitch2D.numChannels, to.res.pitch2D.desc);
    }
}

// The flags of the driver that members of the runtime's structure are.
struct Flag {
    int cudaTextureDesc::*member;
    unsigned int bit;
};
constexpr Flag texture_flags[] = {
    {&cudaTextureDesc::sRGB, CU_TRSF_SRGB},
    {&cudaTextureDesc::normalizedCoords, CU_TRSF_NORMALIZED_COORDINATES},
    {&cudaTextureDesc::disableTrilinearOptimization, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION},
    {&cudaTextureDesc::seamlessCubemap, CU_TRSF_SEAMLESS_CUBEMAP}};

// Their enumerations have the driver's numbers.
CUDA_TEXTURE_DESC to_driver(const cudaTextureDesc& from) {
    CUDA_TEXTURE_DESC to{};
    for (size_t axis = 0; axis < 3; ++axis)
        to.addressMode[axis] = static_cast<CUaddress_mode>(from.addressMode[axis]);
    to.filterMode = static_cast<CUfilter_mode>(from.filterMode);
    to.mipmapFilterMode = static_cast<CUfilter_mode>(from.mipmapFilterMode);
    to.maxAnisotropy = from.maxAnisotropy;
    to.mipmapLevelBias = from.mipmapLevelBias;
    to.minMipmapLevelClamp = from.minMipmapLevelClamp;
    to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
    std::copy(std::begin(from.borderColor), std::end(from.borderColor), to.borderColor);
    if (from.readMode == cudaReadModeElementType) to.flags |= CU_TRSF_READ_AS_INTEGER;
    for (const auto& [member, bit] : texture_flags)
        to.flags |= from.*member != 0 ? bit : 0u;
    return to;
}

cudaTextureDesc from_driver(const CUDA_TEXTURE_DESC& from) {
    cudaTextureDesc to{};
    for (size_t axis = 0; axis < 3; ++axis)
        to.addressMode[axis] = static_cast<cudaTextureAddressMode>(from.addressMode[axis]);
    to.filterMode = static_cast<cudaTextureFilterMode>(from.filterMode);
    to.mipmapFilterMode = static_cast<cudaTextureFilterMode>(from.mipmapFilterMode);
    to.maxAnisotropy = from.maxAnisotropy;
    to.mipmapLevelBias = from.mipmapLevelBias;
    to.minMipmapLevelClamp = from.minMipmapLevelClamp;
    to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
    std::copy(std::begin(from.borderColor), std::end(from.borderColor), to.borderColor);
    to.readMode = (from.flags & CU_TRSF_READ_AS_INTEGER) != 0 ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    for (const auto& [member, bit] : texture_flags)
        to.*member = (from.flags & bit) != 0 ? 1 : 0;
    return to;
}

CUDA_RESOURCE_VIEW_DESC to_driver(const cudaResourceViewDesc& from) {
    CUDA_RESOURCE_VIEW_DESC to{};
    to.format = static_cast<CUresourceViewFormat>(from.format);
    to.width = from.width;
    to.height = from.height;
    to.depth = from.depth;
    to.firstMipmapLevel = from.firstMipmapLevel;
    to.lastMipmapLevel = from.lastMipmapLevel;
    to.firstLayer = from.firstLayer;
    to.lastLayer = from.lastLayer;
    return to;
}

}  // namespace

cudaError_t widest_linear_texture(size_t* width, const cudaChannelFormatDesc* description, int device) {
    if (description == nullptr) return cudaErrorInvalidValue;
    CUarray_format format{};
    unsigned int channels = 0;
    const cudaError_t result = element_format(*description, format, channels);
    return result == cudaSuccess ? call<cuDeviceGetTexture1DLinearMaxWidth>(width, format, channels, device) : result;
}

cudaError_t create_texture(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                           const cudaTextureDesc* reading, const cudaResourceViewDesc* view) {
    if (texture == nullptr || resource == nullptr || reading == nullptr) return cudaErrorInvalidValue;
    CUDA_RESOURCE_DESC what{};
    const cudaError_t result = to_driver(*resource, what);
    if (result != cudaSuccess) return result;
    const CUDA_TEXTURE_DESC how = to_driver(*reading);
    CUDA_RESOURCE_VIEW_DESC part{};
    if (view != nullptr) part = to_driver(*view);
    return call<cuTexObjectCreate>(texture, &what, &how, view != nullptr ? &part : nullptr);
}

cudaError_t create_surface(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
    if (surface == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    CUDA_RESOURCE_DESC what{};
    const cudaError_t result = to_driver(*resource, what);
    return result == cudaSuccess ? call<cuSurfObjectCreate>(surface, &what) : result;
}

cudaError_t texture_resource(cudaResourceDesc* resource, cudaTextureObject_t texture) {
    if (resource == nullptr) return cudaErrorInvalidValue;
    CUDA_RESOURCE_DESC found{};
    const cudaError_t result = call<cuTexObjectGetResourceDesc>(&found, texture);
    return result == cudaSuccess ? from_driver(found, *resource) : result;
}

cudaError_t surface_resource(cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
    if (resource == nullptr) return cudaErrorInvalidValue;
    CUDA_RESOURCE_DESC found{};
    const cudaError_t result = call<cuSurfObjectGetResourceDesc>(&found, surface);
    return result == cudaSuccess ? from_driver(found, *resource) : result;
}

cudaError_t texture_description(cudaTextureDesc* reading, cudaTextureObject_t texture) {
    if (reading == nullptr) return cudaErrorInvalidValue;
    CUDA_TEXTURE_DESC found{};
    const cudaError_t result = call<cuTexObjectGetTextureDesc>(&found, texture);
    if (result == cudaSuccess) *reading = from_driver(found);
    return result;
}

cudaError_t texture_view(cudaResourceViewDesc* view, cudaTextureObject_t texture) {
    if (view == nullptr) return cudaErrorInvalidValue;
    CUDA_RESOURCE_VIEW_DESC found{};
    const cudaError_t result = call<cuTexObjectGetResourceViewDesc>(&found, texture);
    if (result != cudaSuccess) return result;
    *view = {};
    view->format = static_cast<cudaResourceViewFormat>(found.format);
    view->width = found.width;
    view->height = found.height;
    view->depth = found.depth;
    view->firstMipmapLevel = found.firstMipmapLevel;
    view->lastMipmapLevel = found.lastMipmapLevel;
    view->firstLayer = found.firstLayer;
    view->lastLayer = found.lastLayer;
    return cudaSuccess;
}

}  // namespace cuprum::simulator::runtime
