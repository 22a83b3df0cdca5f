#include "driver/memory/copy_batch.hpp"

#include "driver/process/entry.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// When a copy reads its source. Any time allowed is taken for the order of the stream.
CopyTiming timing_of(CUmemcpySrcAccessOrder order, size_t index = 0) {
    if (order == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL) return CopyTiming::source_during_call;
    if (order != CU_MEMCPY_SRC_ACCESS_ORDER_STREAM && order != CU_MEMCPY_SRC_ACCESS_ORDER_ANY) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("copy %zu: unknown source access order %d", index, order));
    }
    return CopyTiming::asynchronous;
}

void copy_timed(const std::shared_ptr<Stream>& stream, const Copy& described, CopyTiming timing) {
    copy(stream, described.destination, described.source, described.extent, timing);
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
        throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%s: unknown operand type %d", parameter, operand.type));
    }
    side.address = operand.op.ptr.ptr;
    side.pitch = (operand.op.ptr.rowLength ? operand.op.ptr.rowLength : extent.width) * element;
    side.slice_pitch = side.pitch * (operand.op.ptr.layerHeight ? operand.op.ptr.layerHeight : extent.height);
    return side;
}

Copy copy_of(CUdeviceptr destination, CUdeviceptr source, size_t size) {
    return {{CopySide::Place::any, destination, 0, 0, "the destination"},
            {CopySide::Place::any, source, 0, 0, "the source"},
            {size, 1, 1}};
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

void require_extent(const CUDA_MEMCPY3D_BATCH_OP& operation) {
    if (operation.extent.width == 0 || operation.extent.height == 0 || operation.extent.depth == 0) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "the extent is empty");
    }
}

}  // namespace

void copy_in_batch(const std::shared_ptr<Stream>& stream, const CopyBatch& batch, size_t* failed) {
    if (batch.count == 0 || batch.attribute_count == 0 || batch.attribute_count > batch.count) {
        throw DriverError(CUDA_ERROR_INVALID_VALUE,
                          format("%zu copies with %zu attributes", batch.count, batch.attribute_count));
    }
    require_pointer(batch.destinations, "dsts");
    require_pointer(batch.sources, "srcs");
    require_pointer(batch.sizes, "sizes");
    require_pointer(batch.attributes, "attrs");
    require_pointer(batch.first_of_attribute, "attrsIdxs");
    if (batch.first_of_attribute[0] != 0)
        throw DriverError(CUDA_ERROR_INVALID_VALUE, "attrsIdxs does not begin with 0");
    for (size_t index = 0; index < batch.attribute_count; ++index) {
        timing_of(batch.attributes[index].srcAccessOrder, batch.first_of_attribute[index]);
        if (index > 0 && batch.first_of_attribute[index] <= batch.first_of_attribute[index - 1]) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, "attrsIdxs does not increase");
        }
    }
    const auto nth = [&](size_t index) {
        return copy_of(batch.destinations[index], batch.sources[index], batch.sizes[index]);
    };
    for_each_copy(batch.count, failed, [&](size_t index) { check_copy(nth(index)); });
    size_t attribute = 0;
    for_each_copy(batch.count, failed, [&](size_t index) {
        if (attribute + 1 < batch.attribute_count && batch.first_of_attribute[attribute + 1] == index) ++attribute;
        copy_timed(stream, nth(index), timing_of(batch.attributes[attribute].srcAccessOrder, index));
    });
}

void copy_in_batch(const std::shared_ptr<Stream>& stream, std::span<const CUDA_MEMCPY3D_BATCH_OP> operations,
                   size_t* failed) {
    for_each_copy(operations.size(), failed, [&](size_t index) {
        const CUDA_MEMCPY3D_BATCH_OP& operation = operations[index];
        timing_of(operation.srcAccessOrder, index);
        require_extent(operation);
        check_copy(copy_of(operation));
    });
    for_each_copy(operations.size(), failed, [&](size_t index) {
        copy_timed(stream, copy_of(operations[index]), timing_of(operations[index].srcAccessOrder, index));
    });
}

void copy_with_attributes(const std::shared_ptr<Stream>& stream, CUdeviceptr destination, CUdeviceptr source,
                          size_t size, const CUmemcpyAttributes& attributes) {
    copy_timed(stream, copy_of(destination, source, size), timing_of(attributes.srcAccessOrder));
}

void copy_with_attributes(const std::shared_ptr<Stream>& stream, const CUDA_MEMCPY3D_BATCH_OP& operation) {
    require_extent(operation);
    copy_timed(stream, copy_of(operation), timing_of(operation.srcAccessOrder));
}

CUDA_MEMCPY3D widen(const CUDA_MEMCPY2D& p) {
    CUDA_MEMCPY3D flat{};
    flat.srcXInBytes = p.srcXInBytes;
    flat.srcY = p.srcY;
    flat.srcMemoryType = p.srcMemoryType;
    flat.srcHost = p.srcHost;
    flat.srcDevice = p.srcDevice;
    flat.srcArray = p.srcArray;
    flat.srcPitch = p.srcPitch;
    flat.dstXInBytes = p.dstXInBytes;
    flat.dstY = p.dstY;
    flat.dstMemoryType = p.dstMemoryType;
    flat.dstHost = p.dstHost;
    flat.dstDevice = p.dstDevice;
    flat.dstArray = p.dstArray;
    flat.dstPitch = p.dstPitch;
    flat.WidthInBytes = p.WidthInBytes;
    flat.Height = p.Height;
    flat.Depth = 1;
    return flat;
}

CUDA_MEMCPY3D without_contexts(const CUDA_MEMCPY3D_PEER& p) {
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
    return plain;
}

}  // namespace cuprum::simulator::libcuda
