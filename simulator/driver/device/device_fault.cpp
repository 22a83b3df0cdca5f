#include "driver/device/device_fault.hpp"

#include <array>
#include <atomic>

#include "driver/error/driver_error.hpp"

namespace cuprum::simulator::libcuda {

namespace {

std::array<std::atomic<CUresult>, 16> faults{};  // by device: as many as CUPRUM_SIM's devices= allows

}  // namespace

void note_device_fault(uint32_t device, CUresult code) {
    CUresult none = CUDA_SUCCESS;
    faults.at(device).compare_exchange_strong(none, code);
}

CUresult device_fault(uint32_t device) {
    return faults.at(device).load();
}

void require_working_device(uint32_t device) {
    const CUresult code = faults.at(device).load();
    if (code != CUDA_SUCCESS) {
        throw DriverError(
            code, format("device %u is out of service for the rest of the process since an earlier fault", device));
    }
}

}  // namespace cuprum::simulator::libcuda
