// CUDA arrays, and linear copies from and to them.
#include "driver/graph/capture.hpp"
#include "driver/images/image_object.hpp"
#include "driver/memory/array.hpp"
#include "driver/memory/copy.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

CUresult create_array(const char* call, CUarray* handle, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
    return entry(call, [&] {
        require_pointer(handle, "pHandle");
        require_pointer(descriptor, "pAllocateArray");
        const std::shared_ptr<Context> context = current_context();
        refuse_unsafe_call("an array cannot be created");
        *handle = handles().arrays.insert(std::make_shared<Array>(context, *descriptor));
    });
}

// One row's bytes from an offset on.
CopySide array_side(CUarray handle, size_t offset, const char* parameter) {
    CopySide side;
    side.array = find_array(handle);
    side.x = offset;
    side.parameter = parameter;
    return side;
}

CopySide linear_side(CopySide::Place place, uint64_t address, const char* parameter) {
    return {place, address, 0, 0, parameter};
}

CUresult copy_of_array(const char* call, size_t bytes, CUstream stream, CopyTiming timing,
                       const std::function<std::pair<CopySide, CopySide>()>& sides) {
    return entry(call, [&] {
        const auto [destination, source] = sides();
        copy(find_stream(stream), destination, source, {bytes, 1, 1}, timing);
    });
}

CUresult array_to_device(CUdeviceptr dst, CUarray src, size_t offset, size_t bytes, CUstream stream) {
    return copy_of_array("cuMemcpyAtoD", bytes, stream, CopyTiming::blocking, [&] {
        return std::pair(linear_side(CopySide::Place::device, dst, "dstDevice"), array_side(src, offset, "srcArray"));
    });
}

CUresult device_to_array(CUarray dst, size_t offset, CUdeviceptr src, size_t bytes, CUstream stream) {
    return copy_of_array("cuMemcpyDtoA", bytes, stream, CopyTiming::blocking, [&] {
        return std::pair(array_side(dst, offset, "dstArray"), linear_side(CopySide::Place::device, src, "srcDevice"));
    });
}

CUresult array_to_host(void* dst, CUarray src, size_t offset, size_t bytes, CUstream stream, CopyTiming timing) {
    return copy_of_array("cuMemcpyAtoH", bytes, stream, timing, [&] {
        return std::pair(linear_side(CopySide::Place::host, reinterpret_cast<uint64_t>(dst), "dstHost"),
                         array_side(src, offset, "srcArray"));
    });
}

CUresult host_to_array(CUarray dst, size_t offset, const void* src, size_t bytes, CUstream stream, CopyTiming timing) {
    return copy_of_array("cuMemcpyHtoA", bytes, stream, timing, [&] {
        return std::pair(array_side(dst, offset, "dstArray"),
                         linear_side(CopySide::Place::host, reinterpret_cast<uint64_t>(src), "srcHost"));
    });
}

CUresult array_to_array(CUarray dst, size_t dst_offset, CUarray src, size_t src_offset, size_t bytes, CUstream stream) {
    return copy_of_array("cuMemcpyAtoA", bytes, stream, CopyTiming::blocking, [&] {
        return std::pair(array_side(dst, dst_offset, "dstArray"), array_side(src, src_offset, "srcArray"));
    });
}

}  // namespace

namespace cuprum::simulator::libcuda {

std::shared_ptr<Array> find_array(CUarray handle) {
    std::shared_ptr<Array> array = handles().arrays.find(handle);
    if (!array) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE,
                          describe_bad_handle(HandleKind::array, reinterpret_cast<uint64_t>(handle)));
    }
    require_usable(*array->context());
    return array;
}

}  // namespace cuprum::simulator::libcuda

extern "C" {

CUresult CUDAAPI cuArray3DCreate_v2(CUarray* handle, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
    return create_array("cuArray3DCreate", handle, descriptor);
}

CUresult CUDAAPI cuArrayCreate_v2(CUarray* handle, const CUDA_ARRAY_DESCRIPTOR* descriptor) {
    if (descriptor == nullptr) return create_array("cuArrayCreate", handle, nullptr);
    const CUDA_ARRAY3D_DESCRIPTOR flat{descriptor->Width,  descriptor->Height,      0,
                                       descriptor->Format, descriptor->NumChannels, 0};
    return create_array("cuArrayCreate", handle, &flat);
}

CUresult CUDAAPI cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray handle) {
    return entry("cuArray3DGetDescriptor", [&] {
        require_pointer(descriptor, "pArrayDescriptor");
        *descriptor = find_array(handle)->descriptor();
    });
}

CUresult CUDAAPI cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray handle) {
    return entry("cuArrayGetDescriptor", [&] {
        require_pointer(descriptor, "pArrayDescriptor");
        const CUDA_ARRAY3D_DESCRIPTOR& full = find_array(handle)->descriptor();
        *descriptor = {full.Width, full.Height, full.Format, full.NumChannels};
    });
}

CUresult CUDAAPI cuArrayDestroy(CUarray handle) {
    return entry("cuArrayDestroy", [&] {
        const std::shared_ptr<Array> array = find_array(handle);
        if (array->is_level()) {
            throw DriverError(CUDA_ERROR_INVALID_HANDLE, "a level of a mipmapped array is destroyed with the others");
        }
        // As freeing memory does.
        array->context()->synchronize();
        disable_objects_of(*array);
        handles().arrays.remove(handle);
    });
}

CUresult CUDAAPI cuMemcpyAtoD_v2(CUdeviceptr dst, CUarray src, size_t offset, size_t bytes) {
    return array_to_device(dst, src, offset, bytes, CU_STREAM_LEGACY);
}

CUresult CUDAAPI cuMemcpyAtoD_v2_ptds(CUdeviceptr dst, CUarray src, size_t offset, size_t bytes) {
    return array_to_device(dst, src, offset, bytes, CU_STREAM_PER_THREAD);
}

CUresult CUDAAPI cuMemcpyDtoA_v2(CUarray dst, size_t offset, CUdeviceptr src, size_t bytes) {
    return device_to_array(dst, offset, src, bytes, CU_STREAM_LEGACY);
}

CUresult CUDAAPI cuMemcpyDtoA_v2_ptds(CUarray dst, size_t offset, CUdeviceptr src, size_t bytes) {
    return device_to_array(dst, offset, src, bytes, CU_STREAM_PER_THREAD);
}

CUresult CUDAAPI cuMemcpyAtoH_v2(void* dst, CUarray src, size_t offset, size_t bytes) {
    return array_to_host(dst, src, offset, bytes, CU_STREAM_LEGACY, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyAtoH_v2_ptds(void* dst, CUarray src, size_t offset, size_t bytes) {
    return array_to_host(dst, src, offset, bytes, CU_STREAM_PER_THREAD, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyAtoHAsync_v2(void* dst, CUarray src, size_t offset, size_t bytes, CUstream stream) {
    return array_to_host(dst, src, offset, bytes, stream, CopyTiming::asynchronous);
}

CUresult CUDAAPI cuMemcpyHtoA_v2(CUarray dst, size_t offset, const void* src, size_t bytes) {
    return host_to_array(dst, offset, src, bytes, CU_STREAM_LEGACY, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyHtoA_v2_ptds(CUarray dst, size_t offset, const void* src, size_t bytes) {
    return host_to_array(dst, offset, src, bytes, CU_STREAM_PER_THREAD, CopyTiming::blocking);
}

CUresult CUDAAPI cuMemcpyHtoAAsync_v2(CUarray dst, size_t offset, const void* src, size_t bytes, CUstream stream) {
    return host_to_array(dst, offset, src, bytes, stream, CopyTiming::asynchronous);
}

CUresult CUDAAPI cuMemcpyAtoA_v2(CUarray dst, size_t dst_offset, CUarray src, size_t src_offset, size_t bytes) {
    return array_to_array(dst, dst_offset, src, src_offset, bytes, CU_STREAM_LEGACY);
}

CUresult CUDAAPI cuMemcpyAtoA_v2_ptds(CUarray dst, size_t dst_offset, CUarray src, size_t src_offset, size_t bytes) {
    return array_to_array(dst, dst_offset, src, src_offset, bytes, CU_STREAM_PER_THREAD);
}

}  // extern "C"
