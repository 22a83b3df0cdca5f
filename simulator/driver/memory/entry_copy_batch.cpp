// Copies in batches, and between the memories of two contexts.
#include "driver/memory/copy_batch.hpp"
#include "driver/process/entry.hpp"
#include "driver/process/newer_api.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

// A batch's copies may run in any order and overlap one another; here they run in the order in which they are given.
// Batches are asynchronous, and there is none in the legacy default stream under its own handle.
std::shared_ptr<Stream> batch_stream(CUstream handle) {
    if (handle == nullptr || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "batched copies need a stream other than a default stream");
    }
    return find_stream(handle);
}

CUresult copy_batch(const CopyBatch& batch, size_t* failed, CUstream stream) {
    return entry("cuMemcpyBatchAsync", [&] {
        if (ContextStack::current() == nullptr) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "batched copies need a current context");
        }
        copy_in_batch(batch_stream(stream), batch, failed);
    });
}

CUresult copy_3d_batch(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, size_t* failed, unsigned long long flags,
                       CUstream handle) {
    return entry("cuMemcpy3DBatchAsync", [&] {
        const std::shared_ptr<Stream> stream = batch_stream(handle);
        if (count == 0 || flags != 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%zu copies with flags 0x%llx", count, flags));
        }
        require_pointer(operations, "opList");
        copy_in_batch(stream, {operations, count}, failed);
    });
}

CUresult copy_3d_peer(const char* call, const CUDA_MEMCPY3D_PEER* parameters, CUstream stream) {
    return entry(call, [&] {
        require_pointer(parameters, "pCopy");
        for (const CUcontext context : {parameters->srcContext, parameters->dstContext}) {
            if (context != nullptr) require_usable(*find_context(context));
        }
        const std::shared_ptr<Stream> target = find_stream(stream);
        if (parameters->WidthInBytes == 0 || parameters->Height == 0 || parameters->Depth == 0) return;
        const Copy described = describe_copy(without_contexts(*parameters));
        copy(target, described.destination, described.source, described.extent, CopyTiming::asynchronous,
             CopyAccess::any_peer);
    });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemcpyBatchAsync_v2(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
                                       CUmemcpyAttributes* attributes, size_t* first_of_attribute,
                                       size_t attribute_count, CUstream stream) {
    return copy_batch({dsts, srcs, sizes, count, attributes, first_of_attribute, attribute_count}, nullptr, stream);
}

CUresult CUDAAPI cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
                                    CUmemcpyAttributes* attributes, size_t* first_of_attribute, size_t attribute_count,
                                    size_t* failed, CUstream stream) {
    return copy_batch({dsts, srcs, sizes, count, attributes, first_of_attribute, attribute_count}, failed, stream);
}

CUresult CUDAAPI cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, unsigned long long flags,
                                         CUstream stream) {
    return copy_3d_batch(count, operations, nullptr, flags, stream);
}

CUresult CUDAAPI cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, size_t* failed,
                                      unsigned long long flags, CUstream stream) {
    return copy_3d_batch(count, operations, failed, flags, stream);
}

CUresult CUDAAPI cuMemcpyWithAttributesAsync(CUdeviceptr destination, CUdeviceptr source, size_t size,
                                             CUmemcpyAttributes* attributes, CUstream stream) {
    return entry("cuMemcpyWithAttributesAsync", [&] {
        require_pointer(attributes, "attr");
        copy_with_attributes(find_stream(stream), destination, source, size, *attributes);
    });
}

CUresult CUDAAPI cuMemcpyWithAttributesAsync_ptsz(CUdeviceptr destination, CUdeviceptr source, size_t size,
                                                  CUmemcpyAttributes* attributes, CUstream stream) {
    return cuMemcpyWithAttributesAsync(destination, source, size, attributes, per_thread_stream(stream));
}

CUresult CUDAAPI cuMemcpy3DWithAttributesAsync(CUDA_MEMCPY3D_BATCH_OP* operation, unsigned long long flags,
                                               CUstream stream) {
    return entry("cuMemcpy3DWithAttributesAsync", [&] {
        require_pointer(operation, "op");
        if (flags != 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, format("flags is 0x%llx; it must be 0", flags));
        copy_with_attributes(find_stream(stream), *operation);
    });
}

CUresult CUDAAPI cuMemcpy3DWithAttributesAsync_ptsz(CUDA_MEMCPY3D_BATCH_OP* operation, unsigned long long flags,
                                                    CUstream stream) {
    return cuMemcpy3DWithAttributesAsync(operation, flags, per_thread_stream(stream));
}

CUresult CUDAAPI cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* parameters) {
    return copy_3d_peer("cuMemcpy3DPeer", parameters, CU_STREAM_LEGACY);
}

CUresult CUDAAPI cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D_PEER* parameters) {
    return copy_3d_peer("cuMemcpy3DPeer", parameters, CU_STREAM_PER_THREAD);
}

CUresult CUDAAPI cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* parameters, CUstream stream) {
    return copy_3d_peer("cuMemcpy3DPeerAsync", parameters, stream);
}

}  // extern "C"
