// Fills of device memory.
#include "driver/memory/copy.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

CUresult set(const char* call, CUdeviceptr address, size_t pitch, uint32_t value, size_t element, size_t width,
             size_t height, CUstream stream, CopyTiming timing) {
    return entry(call, [&] { fill(find_stream(stream), {address, pitch, value, element, width, height}, timing); });
}

constexpr CopyTiming blocking = CopyTiming::blocking;
constexpr CopyTiming asynchronous = CopyTiming::asynchronous;

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemsetD8_v2(CUdeviceptr p, unsigned char value, size_t n) {
    return set("cuMemsetD8", p, 0, value, 1, n, 1, CU_STREAM_LEGACY, blocking);
}

CUresult CUDAAPI cuMemsetD8_v2_ptds(CUdeviceptr p, unsigned char value, size_t n) {
    return set("cuMemsetD8", p, 0, value, 1, n, 1, CU_STREAM_PER_THREAD, blocking);
}

CUresult CUDAAPI cuMemsetD16_v2(CUdeviceptr p, unsigned short value, size_t n) {
    return set("cuMemsetD16", p, 0, value, 2, n, 1, CU_STREAM_LEGACY, blocking);
}

CUresult CUDAAPI cuMemsetD16_v2_ptds(CUdeviceptr p, unsigned short value, size_t n) {
    return set("cuMemsetD16", p, 0, value, 2, n, 1, CU_STREAM_PER_THREAD, blocking);
}

CUresult CUDAAPI cuMemsetD32_v2(CUdeviceptr p, unsigned int value, size_t n) {
    return set("cuMemsetD32", p, 0, value, 4, n, 1, CU_STREAM_LEGACY, blocking);
}

CUresult CUDAAPI cuMemsetD32_v2_ptds(CUdeviceptr p, unsigned int value, size_t n) {
    return set("cuMemsetD32", p, 0, value, 4, n, 1, CU_STREAM_PER_THREAD, blocking);
}

CUresult CUDAAPI cuMemsetD2D8_v2(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height) {
    return set("cuMemsetD2D8", p, pitch, value, 1, width, height, CU_STREAM_LEGACY, blocking);
}

CUresult CUDAAPI cuMemsetD2D8_v2_ptds(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height) {
    return set("cuMemsetD2D8", p, pitch, value, 1, width, height, CU_STREAM_PER_THREAD, blocking);
}

CUresult CUDAAPI cuMemsetD2D16_v2(CUdeviceptr p, size_t pitch, unsigned short value, size_t width, size_t height) {
    return set("cuMemsetD2D16", p, pitch, value, 2, width, height, CU_STREAM_LEGACY, blocking);
}

CUresult CUDAAPI cuMemsetD2D16_v2_ptds(CUdeviceptr p, size_t pitch, unsigned short value, size_t width, size_t height) {
    return set("cuMemsetD2D16", p, pitch, value, 2, width, height, CU_STREAM_PER_THREAD, blocking);
}

CUresult CUDAAPI cuMemsetD2D32_v2(CUdeviceptr p, size_t pitch, unsigned int value, size_t width, size_t height) {
    return set("cuMemsetD2D32", p, pitch, value, 4, width, height, CU_STREAM_LEGACY, blocking);
}

CUresult CUDAAPI cuMemsetD2D32_v2_ptds(CUdeviceptr p, size_t pitch, unsigned int value, size_t width, size_t height) {
    return set("cuMemsetD2D32", p, pitch, value, 4, width, height, CU_STREAM_PER_THREAD, blocking);
}

CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr p, unsigned char value, size_t n, CUstream stream) {
    return set("cuMemsetD8Async", p, 0, value, 1, n, 1, stream, asynchronous);
}

CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr p, unsigned short value, size_t n, CUstream stream) {
    return set("cuMemsetD16Async", p, 0, value, 2, n, 1, stream, asynchronous);
}

CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr p, unsigned int value, size_t n, CUstream stream) {
    return set("cuMemsetD32Async", p, 0, value, 4, n, 1, stream, asynchronous);
}

CUresult CUDAAPI cuMemsetD2D8Async(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height,
                                   CUstream stream) {
    return set("cuMemsetD2D8Async", p, pitch, value, 1, width, height, stream, asynchronous);
}

CUresult CUDAAPI cuMemsetD2D16Async(CUdeviceptr p, size_t pitch, unsigned short value, size_t width, size_t height,
                                    CUstream stream) {
    return set("cuMemsetD2D16Async", p, pitch, value, 2, width, height, stream, asynchronous);
}

CUresult CUDAAPI cuMemsetD2D32Async(CUdeviceptr p, size_t pitch, unsigned int value, size_t width, size_t height,
                                    CUstream stream) {
    return set("cuMemsetD2D32Async", p, pitch, value, 4, width, height, stream, asynchronous);
}

}  // extern "C"
