// Copies: 1D, 2D and 3D, between host and devices.
#include "driver/copy.hpp"
#include "driver/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

using Place = CopySide::Place;

CUresult copy_linear(const char* call, Place to_place, uint64_t to, Place from_place, uint64_t from, size_t bytes,
                     CUstream stream, CopyTiming timing) {
    return entry(call, [&] {
        copy(find_stream(stream), {to_place, to, 0, 0, "the destination"}, {from_place, from, 0, 0, "the source"},
             {bytes, 1, 1}, timing);
    });
}

uint64_t address_of(const void* pointer) {
    return reinterpret_cast<uint64_t>(pointer);
}

// The side of a 2D or 3D copy that CUDA_MEMCPY3D describes by memory type, host pointer, device pointer and array.
CopySide side_of(CUmemorytype type, const void* host, CUdeviceptr device, size_t x, size_t y, size_t z, size_t pitch,
                 size_t height, const char* parameter) {
    CopySide side;
    side.parameter = parameter;
    side.pitch = pitch;
    side.slice_pitch = pitch * height;
    switch (type) {
        case CU_MEMORYTYPE_HOST:
            side.place = Place::host;
            side.address = address_of(host);
            break;
        case CU_MEMORYTYPE_DEVICE:
            side.place = Place::device;
            side.address = device;
            break;
        case CU_MEMORYTYPE_UNIFIED:
            side.place = Place::any;
            side.address = device;
            break;
        case CU_MEMORYTYPE_ARRAY:
            throw DriverError(CUDA_ERROR_NOT_SUPPORTED, "the simulator has no CUDA arrays");
        default:
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%s: there is no memory type %d", parameter, type));
    }
    if (side.address == 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%s is null", parameter));
    side.address += z * side.slice_pitch + y * pitch + x;
    return side;
}

CUresult copy_2d(const char* call, const CUDA_MEMCPY2D* parameters, CUstream stream, CopyTiming timing) {
    return entry(call, [&] {
        require_pointer(parameters, "pCopy");
        const CUDA_MEMCPY2D& p = *parameters;
        const std::shared_ptr<Stream> target = find_stream(stream);
        if (p.WidthInBytes == 0 || p.Height == 0) return;
        // A pitch of 0 stands for rows that follow one another.
        const size_t source_pitch = p.srcPitch ? p.srcPitch : p.WidthInBytes + p.srcXInBytes;
        const size_t destination_pitch = p.dstPitch ? p.dstPitch : p.WidthInBytes + p.dstXInBytes;
        const CopySide source = side_of(p.srcMemoryType, p.srcHost, p.srcDevice, p.srcXInBytes, p.srcY, 0, source_pitch,
                                        p.Height, "the source");
        const CopySide destination = side_of(p.dstMemoryType, p.dstHost, p.dstDevice, p.dstXInBytes, p.dstY, 0,
                                             destination_pitch, p.Height, "the destination");
        copy(target, destination, source, {p.WidthInBytes, p.Height, 1}, timing);
    });
}

CUresult copy_3d(const char* call, const CUDA_MEMCPY3D* parameters, CUstream stream, CopyTiming timing) {
    return entry(call, [&] {
        require_pointer(parameters, "pCopy");
        const CUDA_MEMCPY3D& p = *parameters;
        const std::shared_ptr<Stream> target = find_stream(stream);
        if (p.WidthInBytes == 0 || p.Height == 0 || p.Depth == 0) return;
        const size_t source_pitch = p.srcPitch ? p.srcPitch : p.WidthInBytes + p.srcXInBytes;
        const size_t destination_pitch = p.dstPitch ? p.dstPitch : p.WidthInBytes + p.dstXInBytes;
        const CopySide source = side_of(p.srcMemoryType, p.srcHost, p.srcDevice, p.srcXInBytes, p.srcY, p.srcZ,
                                        source_pitch, p.srcHeight ? p.srcHeight : p.Height + p.srcY, "the source");
        const CopySide destination =
            side_of(p.dstMemoryType, p.dstHost, p.dstDevice, p.dstXInBytes, p.dstY, p.dstZ, destination_pitch,
                    p.dstHeight ? p.dstHeight : p.Height + p.dstY, "the destination");
        copy(target, destination, source, {p.WidthInBytes, p.Height, p.Depth}, timing);
    });
}

}  // namespace

// The blocking forms exist with either default stream (_ptds); the others get their stream.
extern "C" {

CUresult CUDAAPI cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpy", Place::any, dst, Place::any, src, bytes, CU_STREAM_LEGACY, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpy", Place::any, dst, Place::any, src, bytes, CU_STREAM_PER_THREAD, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
    return copy_linear("cuMemcpyAsync", Place::any, dst, Place::any, src, bytes, stream, CopyTiming::asynchronous);
}

CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr dst, const void* src, size_t bytes) {
    return copy_linear("cuMemcpyHtoD", Place::device, dst, Place::host, address_of(src), bytes, CU_STREAM_LEGACY,
                       CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyHtoD_v2_ptds(CUdeviceptr dst, const void* src, size_t bytes) {
    return copy_linear("cuMemcpyHtoD", Place::device, dst, Place::host, address_of(src), bytes, CU_STREAM_PER_THREAD,
                       CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void* src, size_t bytes, CUstream stream) {
    return copy_linear("cuMemcpyHtoDAsync", Place::device, dst, Place::host, address_of(src), bytes, stream,
                       CopyTiming::asynchronous);
}

CUresult CUDAAPI cuMemcpyDtoH_v2(void* dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpyDtoH", Place::host, address_of(dst), Place::device, src, bytes, CU_STREAM_LEGACY,
                       CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyDtoH_v2_ptds(void* dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpyDtoH", Place::host, address_of(dst), Place::device, src, bytes, CU_STREAM_PER_THREAD,
                       CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyDtoHAsync_v2(void* dst, CUdeviceptr src, size_t bytes, CUstream stream) {
    return copy_linear("cuMemcpyDtoHAsync", Place::host, address_of(dst), Place::device, src, bytes, stream,
                       CopyTiming::asynchronous);
}

CUresult CUDAAPI cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpyDtoD", Place::device, dst, Place::device, src, bytes, CU_STREAM_LEGACY,
                       CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyDtoD_v2_ptds(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpyDtoD", Place::device, dst, Place::device, src, bytes, CU_STREAM_PER_THREAD,
                       CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
    return copy_linear("cuMemcpyDtoDAsync", Place::device, dst, Place::device, src, bytes, stream,
                       CopyTiming::asynchronous);
}

CUresult CUDAAPI cuMemcpyPeer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
                              size_t bytes) {
    return cuMemcpyPeerAsync(dst, dst_context, src, src_context, bytes, CU_STREAM_LEGACY);
}

CUresult CUDAAPI cuMemcpyPeer_ptds(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
                                   size_t bytes) {
    return cuMemcpyPeerAsync(dst, dst_context, src, src_context, bytes, CU_STREAM_PER_THREAD);
}

CUresult CUDAAPI cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
                                   size_t bytes, CUstream stream) {
    return entry("cuMemcpyPeer", [&] {
        require_usable(*find_context(dst_context));
        require_usable(*find_context(src_context));
        copy(find_stream(stream), {Place::device, dst, 0, 0, "dstDevice"}, {Place::device, src, 0, 0, "srcDevice"},
             {bytes, 1, 1}, CopyTiming::asynchronous);
    });
}

CUresult CUDAAPI cuMemcpy2D_v2(const CUDA_MEMCPY2D* p) {
    return copy_2d("cuMemcpy2D", p, CU_STREAM_LEGACY, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D* p) {
    return copy_2d("cuMemcpy2D", p, CU_STREAM_PER_THREAD, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* p) {
    return copy_2d("cuMemcpy2DUnaligned", p, CU_STREAM_LEGACY, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D* p) {
    return copy_2d("cuMemcpy2DUnaligned", p, CU_STREAM_PER_THREAD, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* p, CUstream stream) {
    return copy_2d("cuMemcpy2DAsync", p, stream, CopyTiming::asynchronous);
}

CUresult CUDAAPI cuMemcpy3D_v2(const CUDA_MEMCPY3D* p) {
    return copy_3d("cuMemcpy3D", p, CU_STREAM_LEGACY, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D* p) {
    return copy_3d("cuMemcpy3D", p, CU_STREAM_PER_THREAD, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* p, CUstream stream) {
    return copy_3d("cuMemcpy3DAsync", p, stream, CopyTiming::asynchronous);
}

}  // extern "C"
