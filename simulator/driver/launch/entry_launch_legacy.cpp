// Launches as before CUDA 4: block shape and parameters are set on the function, one after another, and launched.
#include <cstring>

#include "driver/launch/launch.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

template <typename Change>
CUresult change(const char* call, CUfunction handle, Change apply) {
    return entry(call, [&] { find_function(handle, ContextStack::current())->change_pending(apply); });
}

CUresult set_parameter(const char* call, CUfunction handle, int offset, const void* value, size_t size) {
    return change(call, handle, [&](PendingLaunch& pending) {
        require_pointer(value, "ptr");
        if (offset < 0 || static_cast<size_t>(offset) + size > PendingLaunch::most_parameter_bytes) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              format("%zu bytes at offset %d of the parameters do not fit", size, offset));
        }
        const size_t end = static_cast<size_t>(offset) + size;
        if (pending.parameters.size() < end) pending.parameters.resize(end);
        std::memcpy(pending.parameters.data() + offset, value, size);
    });
}

CUresult launch_grid(const char* call, CUfunction handle, int width, int height, CUstream stream_handle) {
    return entry(call, [&] {
        if (width <= 0 || height <= 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("the grid is %d x %d", width, height));
        }
        const std::shared_ptr<Stream> stream = find_stream(stream_handle);
        PendingLaunch pending;
        find_function(handle, stream->context())->change_pending([&](PendingLaunch& own) { pending = own; });
        size_t size = pending.parameters.size();
        void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, pending.parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                         CU_LAUNCH_PARAM_END};
        launch(stream, handle,
               {{static_cast<uint32_t>(width), static_cast<uint32_t>(height), 1},
                pending.block,
                pending.shared_bytes,
                false},
               nullptr, extra);
    });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuFuncSetBlockShape(CUfunction handle, int x, int y, int z) {
    return change("cuFuncSetBlockShape", handle, [&](PendingLaunch& pending) {
        if (x <= 0 || y <= 0 || z <= 0) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("the block is %d x %d x %d", x, y, z));
        }
        pending.block = {static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z)};
    });
}

CUresult CUDAAPI cuFuncSetSharedSize(CUfunction handle, unsigned int bytes) {
    return change("cuFuncSetSharedSize", handle, [&](PendingLaunch& pending) { pending.shared_bytes = bytes; });
}

CUresult CUDAAPI cuParamSetSize(CUfunction handle, unsigned int bytes) {
    return change("cuParamSetSize", handle, [&](PendingLaunch& pending) {
        if (bytes > PendingLaunch::most_parameter_bytes) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE, format("%u bytes of parameters", bytes));
        }
        pending.parameters.resize(bytes);
    });
}

CUresult CUDAAPI cuParamSeti(CUfunction handle, int offset, unsigned int value) {
    return set_parameter("cuParamSeti", handle, offset, &value, sizeof value);
}

CUresult CUDAAPI cuParamSetf(CUfunction handle, int offset, float value) {
    return set_parameter("cuParamSetf", handle, offset, &value, sizeof value);
}

CUresult CUDAAPI cuParamSetv(CUfunction handle, int offset, void* value, unsigned int bytes) {
    return set_parameter("cuParamSetv", handle, offset, value, bytes);
}

CUresult CUDAAPI cuLaunch(CUfunction handle) {
    return launch_grid("cuLaunch", handle, 1, 1, CU_STREAM_LEGACY);
}

CUresult CUDAAPI cuLaunchGrid(CUfunction handle, int width, int height) {
    return launch_grid("cuLaunchGrid", handle, width, height, CU_STREAM_LEGACY);
}

CUresult CUDAAPI cuLaunchGridAsync(CUfunction handle, int width, int height, CUstream stream) {
    return launch_grid("cuLaunchGridAsync", handle, width, height, stream);
}

}  // extern "C"
