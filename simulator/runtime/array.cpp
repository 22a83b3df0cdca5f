#include "runtime/functions.hpp"
#include "runtime/thread_state.hpp"

namespace cuprum::simulator::runtime {
namespace {

CUarray handle(cudaArray_const_t array) {
    return reinterpret_cast<CUarray>(const_cast<cudaArray*>(array));
}

struct Format {
    CUarray_format driver;
    cudaChannelFormatKind kind;
    int bits;
};
constexpr Format formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, cudaChannelFormatKindUnsigned, 8},
    {CU_AD_FORMAT_UNSIGNED_INT16, cudaChannelFormatKindUnsigned, 16},
    {CU_AD_FORMAT_UNSIGNED_INT32, cudaChannelFormatKindUnsigned, 32},
    {CU_AD_FORMAT_SIGNED_INT8, cudaChannelFormatKindSigned, 8},
    {CU_AD_FORMAT_SIGNED_INT16, cudaChannelFormatKindSigned, 16},
    {CU_AD_FORMAT_SIGNED_INT32, cudaChannelFormatKindSigned, 32},
    {CU_AD_FORMAT_HALF, cudaChannelFormatKindFloat, 16},
    {CU_AD_FORMAT_FLOAT, cudaChannelFormatKindFloat, 32},
};

cudaError_t describe_array(const cudaChannelFormatDesc& description, cudaExtent extent, unsigned int flags,
                           CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    descriptor.Width = extent.width;
    descriptor.Height = extent.height;
    descriptor.Depth = extent.depth;
    descriptor.Flags = flags;
    return element_format(description, descriptor.Format, descriptor.NumChannels);
}

const Format* find(CUarray_format driver) {
    for (const Format& format : formats) {
        if (format.driver == driver) return &format;
    }
    return nullptr;
}

}  // namespace

// The driver counts channels of one size; the first ones are used, and all of them have it.
cudaError_t element_format(const cudaChannelFormatDesc& description, CUarray_format& format, unsigned int& channels) {
    const int bits[] = {description.x, description.y, description.z, description.w};
    channels = 0;
    while (channels < 4 && bits[channels] != 0)
        ++channels;
    for (unsigned int channel = 0; channel < 4; ++channel) {
        if (bits[channel] != (channel < channels ? bits[0] : 0)) return cudaErrorInvalidChannelDescriptor;
    }
    for (const Format& known : formats) {
        if (channels != 0 && known.kind == description.f && known.bits == description.x) {
            format = known.driver;
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidChannelDescriptor;
}

cudaError_t channel_description(CUarray_format format, unsigned int channels, cudaChannelFormatDesc& description) {
    const Format* const known = find(format);
    if (known == nullptr) return cudaErrorNotSupported;
    int* const bits[] = {&description.x, &description.y, &description.z, &description.w};
    for (unsigned int channel = 0; channel < 4; ++channel)
        *bits[channel] = channel < channels ? known->bits : 0;
    description.f = known->kind;
    return cudaSuccess;
}

cudaError_t make_array(cudaArray_t* array, const cudaChannelFormatDesc* description, cudaExtent extent,
                       unsigned int flags) {
    if (array == nullptr || description == nullptr) return cudaErrorInvalidValue;
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    const cudaError_t result = describe_array(*description, extent, flags, descriptor);
    return result == cudaSuccess ? call<cuArray3DCreate>(array, &descriptor) : result;
}

cudaError_t make_mipmapped_array(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* description,
                                 cudaExtent extent, unsigned int levels, unsigned int flags) {
    if (array == nullptr || description == nullptr) return cudaErrorInvalidValue;
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    const cudaError_t result = describe_array(*description, extent, flags, descriptor);
    return result == cudaSuccess ? call<cuMipmappedArrayCreate>(array, &descriptor, levels) : result;
}

cudaError_t mipmapped_array_level(cudaArray_t* level_array, cudaMipmappedArray_const_t array, unsigned int level) {
    const auto mipmaps = reinterpret_cast<CUmipmappedArray>(const_cast<cudaMipmappedArray*>(array));
    return call<cuMipmappedArrayGetLevel>(level_array, mipmaps, level);
}

cudaError_t array_information(cudaChannelFormatDesc* description, cudaExtent* extent, unsigned int* flags,
                              cudaArray_const_t array) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    const cudaError_t result = call<cuArray3DGetDescriptor>(&descriptor, handle(array));
    if (result != cudaSuccess) return result;
    if (description != nullptr) {
        const cudaError_t described = channel_description(descriptor.Format, descriptor.NumChannels, *description);
        if (described != cudaSuccess) return described;
    }
    if (extent != nullptr) *extent = {descriptor.Width, descriptor.Height, descriptor.Depth};
    if (flags != nullptr) *flags = descriptor.Flags;
    return cudaSuccess;
}

cudaError_t element_bytes(cudaArray_const_t array, size_t* bytes) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    const cudaError_t result = call<cuArray3DGetDescriptor>(&descriptor, handle(array));
    if (result != cudaSuccess) return result;
    const Format* const format = find(descriptor.Format);
    if (format == nullptr) return cudaErrorNotSupported;
    *bytes = static_cast<size_t>(format->bits / 8) * descriptor.NumChannels;
    return cudaSuccess;
}

}  // namespace cuprum::simulator::runtime
