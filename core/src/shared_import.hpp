// Memory of other processes' pools that this process has opened. The driver maps an allocation once: opened a second
// time, a device's memory gets the same address, and is gone with the first cuMemFreeAsync; page-locked memory is
// refused (CUDA_ERROR_ALREADY_MAPPED). Buffers share it here.
#pragma once

#include <memory>

#include "cuprum/core/buffer.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// The address of the memory, for one more buffer; waits for the device where the memory was closed before. The context
// of the pool's device, or of one that can use the pool, is current. Throws what the driver says.
DevicePointer open_import(std::shared_ptr<const MemoryResourceState> pool, const CUmemPoolPtrExportData& data);

// A buffer is closed: the last one frees the memory, after the work in all their streams.
void close_import(const BufferRef& memory, const StreamRef& stream) noexcept;

}  // namespace cuprum::core
