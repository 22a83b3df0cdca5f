#include "runtime/functions.hpp"
#include "runtime/registration.hpp"
#include "runtime/thread_state.hpp"

namespace cuprum::simulator::runtime {
namespace {

struct Sides {
    CUmemorytype from, to;
};

// The driver's words for a copy's direction. With cudaMemcpyDefault it looks at the addresses.
cudaError_t sides(cudaMemcpyKind kind, Sides& result) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            result = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST};
            return cudaSuccess;
        case cudaMemcpyHostToDevice:
            result = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE};
            return cudaSuccess;
        case cudaMemcpyDeviceToHost:
            result = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST};
            return cudaSuccess;
        case cudaMemcpyDeviceToDevice:
            result = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_DEVICE};
            return cudaSuccess;
        case cudaMemcpyDefault:
            result = {CU_MEMORYTYPE_UNIFIED, CU_MEMORYTYPE_UNIFIED};
            return cudaSuccess;
        default:
            return cudaErrorInvalidMemcpyDirection;
    }
}

CUdeviceptr address(const void* pointer) {
    return reinterpret_cast<CUdeviceptr>(pointer);
}

void from_memory(CUDA_MEMCPY3D& copy, CUmemorytype type, const void* memory, size_t pitch, size_t height) {
    copy.srcMemoryType = type;
    copy.srcHost = type == CU_MEMORYTYPE_HOST ? memory : nullptr;
    copy.srcDevice = type == CU_MEMORYTYPE_HOST ? 0 : address(memory);
    copy.srcPitch = pitch;
    copy.srcHeight = height;
}

void to_memory(CUDA_MEMCPY3D& copy, CUmemorytype type, void* memory, size_t pitch, size_t height) {
    copy.dstMemoryType = type;
    copy.dstHost = type == CU_MEMORYTYPE_HOST ? memory : nullptr;
    copy.dstDevice = type == CU_MEMORYTYPE_HOST ? 0 : address(memory);
    copy.dstPitch = pitch;
    copy.dstHeight = height;
}

void from_array(CUDA_MEMCPY3D& copy, cudaArray_const_t array, size_t x, size_t y) {
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = reinterpret_cast<CUarray>(const_cast<cudaArray*>(array));
    copy.srcXInBytes = x;
    copy.srcY = y;
}

void to_array(CUDA_MEMCPY3D& copy, cudaArray_t array, size_t x, size_t y) {
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = reinterpret_cast<CUarray>(array);
    copy.dstXInBytes = x;
    copy.dstY = y;
}

cudaError_t finish(cudaError_t result, Queue queue) {
    return result == cudaSuccess && queue.waits ? driver::call<cuStreamSynchronize>(queue.stream) : result;
}

cudaError_t run(const CUDA_MEMCPY3D& copy, Queue queue) {
    if (copy.WidthInBytes == 0 || copy.Height == 0 || copy.Depth == 0) return usable_context();
    if (queue.waits && queue.stream == nullptr) return call<cuMemcpy3D>(&copy);
    return finish(call<cuMemcpy3DAsync>(&copy, queue.stream), queue);
}

cudaError_t copy_and_wait(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToDevice:
            return call<cuMemcpyHtoD>(to, from, bytes);
        case cudaMemcpyDeviceToHost:
            return call<cuMemcpyDtoH>(to, from, bytes);
        case cudaMemcpyDeviceToDevice:
            return call<cuMemcpyDtoD>(to, from, bytes);
        default:
            return call<cuMemcpy>(to, from, bytes);
    }
}

cudaError_t copy_in(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    switch (kind) {
        case cudaMemcpyHostToDevice:
            return call<cuMemcpyHtoDAsync>(to, from, bytes, stream);
        case cudaMemcpyDeviceToHost:
            return call<cuMemcpyDtoHAsync>(to, from, bytes, stream);
        case cudaMemcpyDeviceToDevice:
            return call<cuMemcpyDtoDAsync>(to, from, bytes, stream);
        default:
            return call<cuMemcpyAsync>(to, from, bytes, stream);
    }
}

struct SymbolRange {
    cudaError_t result;
    void* begin;
};

SymbolRange range_of(const void* symbol, size_t bytes, size_t offset) {
    void* begin = nullptr;
    size_t size = 0;
    const cudaError_t result = symbol_in_context(symbol, &begin, &size);
    if (result != cudaSuccess) return {result, nullptr};
    if (offset > size || bytes > size - offset) return {cudaErrorInvalidValue, nullptr};
    return {cudaSuccess, static_cast<std::byte*>(begin) + offset};
}

}  // namespace

cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, Queue queue) {
    Sides known{};
    if (const cudaError_t result = sides(kind, known); result != cudaSuccess) return result;
    if (bytes == 0) return usable_context();
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    if (queue.waits && queue.stream == nullptr) return copy_and_wait(to, from, bytes, kind);
    return finish(copy_in(to, from, bytes, kind, queue.stream), queue);
}

cudaError_t copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                      cudaMemcpyKind kind, Queue queue) {
    Sides known{};
    if (const cudaError_t result = sides(kind, known); result != cudaSuccess) return result;
    if (to_pitch < width || from_pitch < width) return cudaErrorInvalidPitchValue;
    CUDA_MEMCPY3D copy{};
    from_memory(copy, known.from, from, from_pitch, height);
    to_memory(copy, known.to, to, to_pitch, height);
    copy.WidthInBytes = width;
    copy.Height = height;
    copy.Depth = 1;
    return run(copy, queue);
}

cudaError_t copy_to_array(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                          size_t height, cudaMemcpyKind kind, Queue queue) {
    Sides known{};
    if (const cudaError_t result = sides(kind, known); result != cudaSuccess) return result;
    if (pitch < width) return cudaErrorInvalidPitchValue;
    CUDA_MEMCPY3D copy{};
    from_memory(copy, known.from, from, pitch, height);
    to_array(copy, to, x, y);
    copy.WidthInBytes = width;
    copy.Height = height;
    copy.Depth = 1;
    return run(copy, queue);
}

cudaError_t copy_from_array(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                            size_t height, cudaMemcpyKind kind, Queue queue) {
    Sides known{};
    if (const cudaError_t result = sides(kind, known); result != cudaSuccess) return result;
    if (pitch < width) return cudaErrorInvalidPitchValue;
    CUDA_MEMCPY3D copy{};
    from_array(copy, from, x, y);
    to_memory(copy, known.to, to, pitch, height);
    copy.WidthInBytes = width;
    copy.Height = height;
    copy.Depth = 1;
    return run(copy, queue);
}

cudaError_t copy_array_to_array(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                size_t from_y, size_t width, size_t height, Queue queue) {
    CUDA_MEMCPY3D copy{};
    from_array(copy, from, from_x, from_y);
    to_array(copy, to, to_x, to_y);
    copy.WidthInBytes = width;
    copy.Height = height;
    copy.Depth = 1;
    return run(copy, queue);
}

cudaError_t to_driver(const cudaMemcpy3DParms& parameters, CUDA_MEMCPY3D& copy) {
    Sides known{};
    if (const cudaError_t result = sides(parameters.kind, known); result != cudaSuccess) return result;
    copy = {};
    // Widths and positions count an array's elements where one takes part, else bytes.
    size_t unit = 1;
    cudaArray_t const some_array = parameters.srcArray != nullptr ? parameters.srcArray : parameters.dstArray;
    if (some_array != nullptr) {
        if (const cudaError_t result = element_bytes(some_array, &unit); result != cudaSuccess) return result;
    }
    if (parameters.srcArray != nullptr) {
        from_array(copy, parameters.srcArray, parameters.srcPos.x * unit, parameters.srcPos.y);
    } else {
        from_memory(copy, known.from, parameters.srcPtr.ptr, parameters.srcPtr.pitch, parameters.srcPtr.ysize);
        copy.srcXInBytes = parameters.srcPos.x;
        copy.srcY = parameters.srcPos.y;
    }
    copy.srcZ = parameters.srcPos.z;
    if (parameters.dstArray != nullptr) {
        to_array(copy, parameters.dstArray, parameters.dstPos.x * unit, parameters.dstPos.y);
    } else {
        to_memory(copy, known.to, parameters.dstPtr.ptr, parameters.dstPtr.pitch, parameters.dstPtr.ysize);
        copy.dstXInBytes = parameters.dstPos.x;
        copy.dstY = parameters.dstPos.y;
    }
    copy.dstZ = parameters.dstPos.z;
    copy.WidthInBytes = parameters.extent.width * unit;
    copy.Height = parameters.extent.height;
    copy.Depth = parameters.extent.depth;
    return cudaSuccess;
}

void from_driver(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms& parameters) {
    parameters = {};
    size_t unit = 1;
    const bool from_an_array = copy.srcMemoryType == CU_MEMORYTYPE_ARRAY;
    const bool to_an_array = copy.dstMemoryType == CU_MEMORYTYPE_ARRAY;
    if (from_an_array) element_bytes(reinterpret_cast<cudaArray_t>(copy.srcArray), &unit);
    if (!from_an_array && to_an_array) element_bytes(reinterpret_cast<cudaArray_t>(copy.dstArray), &unit);
    const bool from_host = copy.srcMemoryType == CU_MEMORYTYPE_HOST;
    const bool to_host = copy.dstMemoryType == CU_MEMORYTYPE_HOST;
    if (from_an_array) {
        parameters.srcArray = reinterpret_cast<cudaArray_t>(copy.srcArray);
    } else {
        void* const from = from_host ? const_cast<void*>(copy.srcHost) : reinterpret_cast<void*>(copy.srcDevice);
        parameters.srcPtr = {from, copy.srcPitch, copy.WidthInBytes, copy.srcHeight};
    }
    if (to_an_array) {
        parameters.dstArray = reinterpret_cast<cudaArray_t>(copy.dstArray);
    } else {
        void* const to = to_host ? copy.dstHost : reinterpret_cast<void*>(copy.dstDevice);
        parameters.dstPtr = {to, copy.dstPitch, copy.WidthInBytes, copy.dstHeight};
    }
    parameters.srcPos = {copy.srcXInBytes / (from_an_array ? unit : 1), copy.srcY, copy.srcZ};
    parameters.dstPos = {copy.dstXInBytes / (to_an_array ? unit : 1), copy.dstY, copy.dstZ};
    parameters.extent = {copy.WidthInBytes / unit, copy.Height, copy.Depth};
    if (copy.srcMemoryType == CU_MEMORYTYPE_UNIFIED || copy.dstMemoryType == CU_MEMORYTYPE_UNIFIED) {
        parameters.kind = cudaMemcpyDefault;
    } else if (from_host) {
        parameters.kind = to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    } else {
        parameters.kind = to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
    }
}

cudaError_t copy_box(const cudaMemcpy3DParms* parameters, Queue queue) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    CUDA_MEMCPY3D copy{};
    const cudaError_t result = to_driver(*parameters, copy);
    return result == cudaSuccess ? run(copy, queue) : result;
}

cudaError_t copy_box_between_devices(const cudaMemcpy3DPeerParms* parameters, Queue queue) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    cudaMemcpy3DParms within{};
    within.srcArray = parameters->srcArray;
    within.srcPos = parameters->srcPos;
    within.srcPtr = parameters->srcPtr;
    within.dstArray = parameters->dstArray;
    within.dstPos = parameters->dstPos;
    within.dstPtr = parameters->dstPtr;
    within.extent = parameters->extent;
    within.kind = cudaMemcpyDefault;
    CUDA_MEMCPY3D copy{};
    cudaError_t result = to_driver(within, copy);
    if (result != cudaSuccess) return result;
    CUDA_MEMCPY3D_PEER peer{};
    peer.srcXInBytes = copy.srcXInBytes, peer.srcY = copy.srcY, peer.srcZ = copy.srcZ;
    peer.srcMemoryType = copy.srcMemoryType, peer.srcDevice = copy.srcDevice, peer.srcArray = copy.srcArray;
    peer.srcPitch = copy.srcPitch, peer.srcHeight = copy.srcHeight;
    peer.dstXInBytes = copy.dstXInBytes, peer.dstY = copy.dstY, peer.dstZ = copy.dstZ;
    peer.dstMemoryType = copy.dstMemoryType, peer.dstDevice = copy.dstDevice, peer.dstArray = copy.dstArray;
    peer.dstPitch = copy.dstPitch, peer.dstHeight = copy.dstHeight;
    peer.WidthInBytes = copy.WidthInBytes, peer.Height = copy.Height, peer.Depth = copy.Depth;
    result = primary_context(parameters->srcDevice, &peer.srcContext);
    if (result == cudaSuccess) result = primary_context(parameters->dstDevice, &peer.dstContext);
    if (result != cudaSuccess) return result;
    return finish(call<cuMemcpy3DPeerAsync>(&peer, queue.stream), queue);
}

cudaError_t copy_between_devices(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                 Queue queue) {
    CUcontext to_context = nullptr;
    CUcontext from_context = nullptr;
    cudaError_t result = primary_context(to_device, &to_context);
    if (result == cudaSuccess) result = primary_context(from_device, &from_context);
    if (result != cudaSuccess || bytes == 0) return result;
    if (queue.waits) return call<cuMemcpyPeer>(to, to_context, from, from_context, bytes);
    return call<cuMemcpyPeerAsync>(to, to_context, from, from_context, bytes, queue.stream);
}

cudaError_t copy_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                           Queue queue) {
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
    const SymbolRange range = range_of(symbol, bytes, offset);
    return range.result == cudaSuccess ? copy(range.begin, from, bytes, kind, queue) : range.result;
}

cudaError_t copy_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                             Queue queue) {
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
    const SymbolRange range = range_of(symbol, bytes, offset);
    return range.result == cudaSuccess ? copy(to, range.begin, bytes, kind, queue) : range.result;
}

cudaError_t symbol_address(void** address, const void* symbol) {
    if (address == nullptr) return cudaErrorInvalidValue;
    size_t bytes = 0;
    return symbol_in_context(symbol, address, &bytes);
}

cudaError_t symbol_size(size_t* bytes, const void* symbol) {
    if (bytes == nullptr) return cudaErrorInvalidValue;
    void* begin = nullptr;
    return symbol_in_context(symbol, &begin, bytes);
}

cudaMemcpy3DParms line(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    cudaMemcpy3DParms parameters{};
    parameters.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
    parameters.dstPtr = {to, bytes, bytes, 1};
    parameters.extent = {bytes, 1, 1};
    parameters.kind = kind;
    return parameters;
}

SymbolCopy line_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    const SymbolRange range = range_of(symbol, bytes, offset);
    return {range.result, line(range.begin, from, bytes, kind)};
}

SymbolCopy line_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    const SymbolRange range = range_of(symbol, bytes, offset);
    return {range.result, line(to, range.begin, bytes, kind)};
}

}  // namespace cuprum::simulator::runtime
