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

// The driver counts channels of one size; the first ones are used, and all of them have it.
cudaError_t to_driver(const cudaChannelFormatDesc& description, CUDA_ARRAY3D_DESCRIPTOR& array) {
    const int bits[] = {description.x, description.y, description.z, description.w};
    unsigned int channels = 0;
    while (channels < 4 && bits[channels] != 0)
        ++channels;
    for (unsigned int channel = 0; channel < 4; ++channel) {
        if (bits[channel] != (channel < channels ? bits[0] : 0)) return cudaErrorInvalidChannelDescriptor;
    }
    for (const Format& format : formats) {
        if (channels != 0 && format.kind == description.f && format.bits == description.x) {
            array.Format = format.driver;
            array.NumChannels = channels;
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidChannelDescriptor;
}

const Format* find(CUarray_format driver) {
    for (const Format& format : formats) {
        if (format.driver == driver) return &format;
    }
    return nullptr;
}

}  // namespace

cudaError_t make_array(cudaArray_t* array, const cudaChannelFormatDesc* description, cudaExtent extent,
                       unsigned int flags) {
    if (array == nullptr || description == nullptr) return cudaErrorInvalidValue;
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    descriptor.Width = extent.width;
    descriptor.Height = extent.height;
    descriptor.Depth = extent.depth;
    descriptor.Flags = flags;
    const cudaError_t result = to_driver(*description, descriptor);
    return result == cudaSuccess ? call<cuArray3DCreate>(array, &descriptor) : result;
}

cudaError_t array_information(cudaChannelFormatDesc* description, cudaExtent* extent, unsigned int* flags,
                              cudaArray_const_t array) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    const cudaError_t result = call<cuArray3DGetDescriptor>(&descriptor, handle(array));
    if (result != cudaSuccess) return result;
    if (description != nullptr) {
        const Format* const format = find(descriptor.Format);
        if (format == nullptr) return cudaErrorNotSupported;
        int* const bits[] = {&description->x, &description->y, &description->z, &description->w};
        for (unsigned int channel = 0; channel < 4; ++channel)
            *bits[channel] = channel < descriptor.NumChannels ? format->bits : 0;
        description->f = format->kind;
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
