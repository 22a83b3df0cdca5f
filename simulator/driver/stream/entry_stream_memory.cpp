// Stream memory operations.
#include "driver/graph/capture.hpp"
#include "driver/process/entry.hpp"
#include "driver/stream/stream_memory.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

CUresult submit(const char* call, CUstream handle, unsigned int count, const CUstreamBatchMemOpParams* operations,
                unsigned int flags) {
    return entry(call, [&] {
        require_flags(flags, 0, "flags");
        const std::shared_ptr<Stream> stream = find_stream(handle);
        const std::shared_ptr<Context>& context = stream->context();
        std::vector<CUstreamBatchMemOpParams> list = checked_memory_operations(*context, count, operations);
        if (captures(stream)) {
            add_captured(stream, MemoryOperation{context, std::move(list), flags});
            return;
        }
        context->submit(stream, [context, list = std::move(list)] { run_memory_operations(*context, list); });
    });
}

CUresult wait(const char* call, CUstream stream, CUstreamBatchMemOpType operation, CUdeviceptr address, uint64_t value,
              unsigned int flags) {
    CUstreamBatchMemOpParams parameters{};
    parameters.waitValue.operation = operation;
    parameters.waitValue.address = address;
    parameters.waitValue.value64 = value;
    parameters.waitValue.flags = flags;
    return submit(call, stream, 1, &parameters, 0);
}

CUresult write(const char* call, CUstream stream, CUstreamBatchMemOpType operation, CUdeviceptr address, uint64_t value,
               unsigned int flags) {
    CUstreamBatchMemOpParams parameters{};
    parameters.writeValue.operation = operation;
    parameters.writeValue.address = address;
    parameters.writeValue.value64 = value;
    parameters.writeValue.flags = flags;
    return submit(call, stream, 1, &parameters, 0);
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
    return wait("cuStreamWaitValue32", stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags);
}

CUresult CUDAAPI cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags) {
    return wait("cuStreamWaitValue64", stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags);
}

CUresult CUDAAPI cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
    return write("cuStreamWriteValue32", stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags);
}

CUresult CUDAAPI cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags) {
    return write("cuStreamWriteValue64", stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags);
}

CUresult CUDAAPI cuStreamBatchMemOp_v2(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* operations,
                                       unsigned int flags) {
    return submit("cuStreamBatchMemOp", stream, count, operations, flags);
}

// The first versions differ from the second in what devices they support.

CUresult CUDAAPI cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
    return cuStreamWaitValue32_v2(stream, address, value, flags);
}

CUresult CUDAAPI cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags) {
    return cuStreamWaitValue64_v2(stream, address, value, flags);
}

CUresult CUDAAPI cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
    return cuStreamWriteValue32_v2(stream, address, value, flags);
}

CUresult CUDAAPI cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags) {
    return cuStreamWriteValue64_v2(stream, address, value, flags);
}

CUresult CUDAAPI cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* operations,
                                    unsigned int flags) {
    return cuStreamBatchMemOp_v2(stream, count, operations, flags);
}

}  // extern "C"
