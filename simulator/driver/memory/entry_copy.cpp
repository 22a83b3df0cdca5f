// Copies: 1D, 2D and 3D, between host and devices.
#include "driver/memory/copy_batch.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

using CopyPlace = CopySide::Place;

CUresult copy_linear(const char* call, CopyPlace to_place, uint64_t to, CopyPlace from_place, uint64_t from,
                     size_t bytes, CUstream stream, CopyTiming timing) {
    return entry(call, [&] {
        copy(find_stream(stream), {to_place, to, 0, 0, "the destination"}, {from_place, from, 0, 0, "the source"},
             {bytes, 1, 1}, timing);
    });
}

uint64_t address_of(const void* pointer) {
    return reinterpret_cast<uint64_t>(pointer);
}

CUresult copy_3d(const char* call, const CUDA_MEMCPY3D* parameters, CUstream stream, CopyTiming timing) {
    return entry(call, [&] {
        require_pointer(parameters, "pCopy");
        const std::shared_ptr<Stream> target = find_stream(stream);
        if (parameters->WidthInBytes == 0 || parameters->Height == 0 || parameters->Depth == 0) return;
        const Copy described = describe_copy(*parameters);
        copy(target, described.destination, described.source, described.extent, timing);
    });
}

CUresult copy_2d(const char* call, const CUDA_MEMCPY2D* parameters, CUstream stream, CopyTiming timing) {
    if (parameters == nullptr) return copy_3d(call, nullptr, stream, timing);
    const CUDA_MEMCPY3D flat = widen(*parameters);
    return copy_3d(call, &flat, stream, timing);
}

}  // namespace

// The blocking forms exist with either default stream (_ptds); the others get their stream.
extern "C" {

CUresult CUDAAPI cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpy", CopyPlace::any, dst, CopyPlace::any, src, bytes, CU_STREAM_LEGACY,
                       CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpy", CopyPlace::any, dst, CopyPlace::any, src, bytes, CU_STREAM_PER_THREAD,
                       CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
    return copy_linear("cuMemcpyAsync", CopyPlace::any, dst, CopyPlace::any, src, bytes, stream,
                       CopyTiming::asynchronous);
}

CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr dst, const void* src, size_t bytes) {
    return copy_linear("cuMemcpyHtoD", CopyPlace::device, dst, CopyPlace::host, address_of(src), bytes,
                       CU_STREAM_LEGACY, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyHtoD_v2_ptds(CUdeviceptr dst, const void* src, size_t bytes) {
    return copy_linear("cuMemcpyHtoD", CopyPlace::device, dst, CopyPlace::host, address_of(src), bytes,
                       CU_STREAM_PER_THREAD, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void* src, size_t bytes, CUstream stream) {
    return copy_linear("cuMemcpyHtoDAsync", CopyPlace::device, dst, CopyPlace::host, address_of(src), bytes, stream,
                       CopyTiming::asynchronous);
}

CUresult CUDAAPI cuMemcpyDtoH_v2(void* dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpyDtoH", CopyPlace::host, address_of(dst), CopyPlace::device, src, bytes,
                       CU_STREAM_LEGACY, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyDtoH_v2_ptds(void* dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpyDtoH", CopyPlace::host, address_of(dst), CopyPlace::device, src, bytes,
                       CU_STREAM_PER_THREAD, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyDtoHAsync_v2(void* dst, CUdeviceptr src, size_t bytes, CUstream stream) {
    return copy_linear("cuMemcpyDtoHAsync", CopyPlace::host, address_of(dst), CopyPlace::device, src, bytes, stream,
                       CopyTiming::asynchronous);
}

CUresult CUDAAPI cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpyDtoD", CopyPlace::device, dst, CopyPlace::device, src, bytes, CU_STREAM_LEGACY,
                       CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyDtoD_v2_ptds(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
    return copy_linear("cuMemcpyDtoD", CopyPlace::device, dst, CopyPlace::device, src, bytes, CU_STREAM_PER_THREAD,
                       CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
    return copy_linear("cuMemcpyDtoDAsync", CopyPlace::device, dst, CopyPlace::device, src, bytes, stream,
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
        copy(find_stream(stream), {CopyPlace::device, dst, 0, 0, "dstDevice"},
             {CopyPlace::device, src, 0, 0, "srcDevice"}, {bytes, 1, 1}, CopyTiming::asynchronous,
             CopyAccess::any_peer);
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
