#include "allocation.hpp"

#include <string>
#include <utility>

#include "driver_error.hpp"

namespace cuprum::core {

namespace {

// After an allocation that failed: how much there would have been, as far as the driver still says.
std::string free_memory_text(const Device& device) {
    try {
        const auto [free, total] = device.memory_info();
        return std::to_string(free) + " of the device's " + std::to_string(total) + " bytes are free";
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

void throw_allocation_error(CUresult result, const char* driver_function, const Device& device, uint64_t size) {
    std::string operation = "allocating " + std::to_string(size) + " bytes";
    if (result != CUDA_ERROR_OUT_OF_MEMORY) {
        throw_driver_error(result, driver_function, std::move(operation), describe_device(device.device_id()));
    }
    throw OutOfMemory(driver_error_info(result, driver_function, std::move(operation),
                                        describe_device(device.device_id()), free_memory_text(device)),
                      size);
}

}  // namespace cuprum::core
