// Copies in batches, and between the memories of two contexts.
#include "driver/memory/copy.hpp"
#include "driver/process/entry.hpp"

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

void require_order(CUmemcpySrcAccessOrder order, size_t index) {
    if (order != CU_MEMCPY_SRC_ACCESS_ORDER_STREAM && order != CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL &&
        order != CU_MEMCPY_SRC_ACCESS_ORDER_ANY) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("copy %zu: there is no source access order %d", index, order));
    }
}

// Runs `one` for each copy; `failed`, where not null, gets the number of the first that fails.
template <typename One>
void for_each_copy(size_t count, size_t* failed, One one) {
    if (failed != nullptr) *failed = SIZE_MAX;
    for (size_t index = 0; index < count; ++index) {
        try {
            one(index);
        } catch (const DriverError& error) {
            if (failed != nullptr) *failed = index;
            throw DriverError(error.code(), format("copy %zu of the batch: ", index) + error.what());
        }
    }
}

CUresult copy_batch(CUdeviceptr* destinations, CUdeviceptr* sources, size_t* sizes, size_t count,
                    CUmemcpyAttributes* attributes, size_t* first_of_attribute, size_t attribute_count, size_t* failed,
                    CUstream handle) {
    return entry("cuMemcpyBatchAsync", [&] {
        const std::shared_ptr<Stream> stream = batch_stream(handle);
        if (count == 0 || attribute_count == 0 || attribute_count > count) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("%zu copies with %zu attributes", count, attribute_count));
        }
        require_pointer(destinations, "dsts");
        require_pointer(sources, "srcs");
        require_pointer(sizes, "sizes");
        require_pointer(attributes, "attrs");
        require_pointer(first_of_attribute, "attrsIdxs");
        if (first_of_attribute[0] != 0) throw DriverError(CUDA_ERROR_INVALID_VALUE, "attrsIdxs does not begin with 0");
        for (size_t index = 0; index < attribute_count; ++index) {
            require_order(attributes[index].srcAccessOrder, first_of_attribute[index]);
            if (index > 0 && first_of_attribute[index] <= first_of_attribute[index - 1]) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE, "attrsIdxs does not increase");
            }
        }
        for_each_copy(count, failed, [&](size_t index) {
            const CopySide destination{CopySide::Place::any, destinations[index], 0, 0, "the destination"};
            const CopySide source{CopySide::Place::any, sources[index], 0, 0, "the source"};
            check_copy({destination, source, {sizes[index], 1, 1}});
        });
        for_each_copy(count, failed, [&](size_t index) {
            copy(stream, {CopySide::Place::any, destinations[index], 0, 0, "the destination"},
                 {CopySide::Place::any, sources[index], 0, 0, "the source"}, {sizes[index], 1, 1},
                 CopyTiming::asynchronous);
        });
    });
}

// Lengths of operands are in elements; without an array on either side an element is a byte.
CopySide side_of_operand(const CUmemcpy3DOperand& operand, const CUextent3D& extent, size_t element,
                         const char* parameter) {
    CopySide side;
    side.parameter = parameter;
    if (operand.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
        side.array = find_array(operand.op.array.array);
        side.x = operand.op.array.offset.x * element;
        side.y = operand.op.array.offset.y;
        side.z = operand.op.array.offset.z;
        return side;
    }
    if (operand.type != CU_MEMCPY_OPERAND_TYPE_POINTER) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%s: there is no operand type %d", parameter, operand.type));
    }
    side.address = operand.op.ptr.ptr;
    side.pitch = (operand.op.ptr.rowLength ? operand.op.ptr.rowLength : extent.width) * element;
    side.slice_pitch = side.pitch * (operand.op.ptr.layerHeight ? operand.op.ptr.layerHeight : extent.height);
    return side;
}

Copy copy_of(const CUDA_MEMCPY3D_BATCH_OP& operation) {
    size_t element = 1;
    for (const CUmemcpy3DOperand& operand : {operation.src, operation.dst}) {
        if (operand.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) element = find_array(operand.op.array.array)->element_bytes();
    }
    return {side_of_operand(operation.dst, operation.extent, element, "the destination"),
            side_of_operand(operation.src, operation.extent, element, "the source"),
            {operation.extent.width * element, operation.extent.height, operation.extent.depth}};
}

CUresult copy_3d_batch(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, size_t* failed, unsigned long long flags,
                       CUstream handle) {
    return entry("cuMemcpy3DBatchAsync", [&] {
        const std::shared_ptr<Stream> stream = batch_stream(handle);
        if (count == 0 || flags != 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%zu copies with flags 0x%llx", count, flags));
        }
        require_pointer(operations, "opList");
        for_each_copy(count, failed, [&](size_t index) {
            const CUDA_MEMCPY3D_BATCH_OP& operation = operations[index];
            require_order(operation.srcAccessOrder, index);
            if (operation.extent.width == 0 || operation.extent.height == 0 || operation.extent.depth == 0) {
                throw DriverError(CUDA_ERROR_INVALID_VALUE, "the extent is empty");
            }
            check_copy(copy_of(operation));
        });
        for_each_copy(count, failed, [&](size_t index) {
            const Copy described = copy_of(operations[index]);
            copy(stream, described.destination, described.source, described.extent, CopyTiming::asynchronous);
        });
    });
}

CUresult copy_3d_peer(const char* call, const CUDA_MEMCPY3D_PEER* parameters, CUstream stream) {
    return entry(call, [&] {
        require_pointer(parameters, "pCopy");
        const CUDA_MEMCPY3D_PEER& p = *parameters;
        for (const CUcontext context : {p.srcContext, p.dstContext}) {
            if (context != nullptr) require_usable(*find_context(context));
        }
        const std::shared_ptr<Stream> target = find_stream(stream);
        if (p.WidthInBytes == 0 || p.Height == 0 || p.Depth == 0) return;
        CUDA_MEMCPY3D plain{};
        plain.srcXInBytes = p.srcXInBytes;
        plain.srcY = p.srcY;
        plain.srcZ = p.srcZ;
        plain.srcMemoryType = p.srcMemoryType;
        plain.srcHost = p.srcHost;
        plain.srcDevice = p.srcDevice;
        plain.srcArray = p.srcArray;
        plain.srcPitch = p.srcPitch;
        plain.srcHeight = p.srcHeight;
        plain.dstXInBytes = p.dstXInBytes;
        plain.dstY = p.dstY;
        plain.dstZ = p.dstZ;
        plain.dstMemoryType = p.dstMemoryType;
        plain.dstHost = p.dstHost;
        plain.dstDevice = p.dstDevice;
        plain.dstArray = p.dstArray;
        plain.dstPitch = p.dstPitch;
        plain.dstHeight = p.dstHeight;
        plain.WidthInBytes = p.WidthInBytes;
        plain.Height = p.Height;
        plain.Depth = p.Depth;
        const Copy described = describe_copy(plain);
        copy(target, described.destination, described.source, described.extent, CopyTiming::asynchronous,
             CopyAccess::any_peer);
    });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemcpyBatchAsync_v2(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
                                       CUmemcpyAttributes* attributes, size_t* first_of_attribute,
                                       size_t attribute_count, CUstream stream) {
    return copy_batch(dsts, srcs, sizes, count, attributes, first_of_attribute, attribute_count, nullptr, stream);
}

CUresult CUDAAPI cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
                                    CUmemcpyAttributes* attributes, size_t* first_of_attribute, size_t attribute_count,
                                    size_t* failed, CUstream stream) {
    return copy_batch(dsts, srcs, sizes, count, attributes, first_of_attribute, attribute_count, failed, stream);
}

CUresult CUDAAPI cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, unsigned long long flags,
                                         CUstream stream) {
    return copy_3d_batch(count, operations, nullptr, flags, stream);
}

CUresult CUDAAPI cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, size_t* failed,
                                      unsigned long long flags, CUstream stream) {
    return copy_3d_batch(count, operations, failed, flags, stream);
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
