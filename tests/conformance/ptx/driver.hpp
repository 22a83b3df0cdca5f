// The few calls of the driver API that running cases takes, on any library that exports it: two may be open at once, so
// that their results can be compared.
#pragma once

#include <cuda.h>

#include <string>
#include <vector>

#include "kernel_text.hpp"

namespace cuprum::ptx_test {

class Driver {
public:
    // Opens the library and device 0; throws std::runtime_error with the reason.
    explicit Driver(const std::string& library);
    ~Driver();
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

    const std::string& device_name() const { return device_name_; }
    unsigned compute_capability() const { return compute_capability_; }  // 75, 90, ...

    // Results of each case in the form of Case::results. Throws std::runtime_error when the module does not load or the
    // kernel fails, with the driver's own words.
    std::vector<std::vector<std::vector<Bits>>> run(const Group& group, const std::string& form,
                                                    const std::vector<std::vector<Bits>>& operands);
    // The load alone: the driver's words if the module is refused, empty if not; `code` is the call's.
    std::string load_error(const std::string& ptx, CUresult* code = nullptr);

private:
    struct Functions {
        decltype(&::cuInit) init;
        decltype(&::cuDeviceGet) device_get;
        decltype(&::cuDeviceGetName) device_name;
        decltype(&::cuDeviceGetAttribute) device_attribute;
        decltype(&::cuDevicePrimaryCtxRetain) retain;
        decltype(&::cuCtxSetCurrent) set_current;
        decltype(&::cuCtxSynchronize) synchronise;
        decltype(&::cuModuleLoadDataEx) load;
        decltype(&::cuModuleUnload) unload;
        decltype(&::cuModuleGetFunction) function;
        decltype(&::cuMemAlloc) allocate;
        decltype(&::cuMemFree) release;
        decltype(&::cuMemcpyHtoD) upload;
        decltype(&::cuMemcpyDtoH) download;
        decltype(&::cuMemsetD8) fill;
        decltype(&::cuLaunchKernel) launch;
        decltype(&::cuGetErrorName) error_name;
    };
    void check(CUresult code, const char* what) const;
    CUresult load(const std::string& ptx, CUmodule& module, std::string& log) const;
    CUdeviceptr reserve(CUdeviceptr& buffer, size_t& held, size_t wanted);

    void* library_ = nullptr;
    Functions call_{};
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
    std::string device_name_;
    unsigned compute_capability_ = 0;
    CUdeviceptr in_ = 0, out_ = 0, scratch_ = 0;
    size_t in_bytes_ = 0, out_bytes_ = 0, scratch_bytes_ = 0;
};

}  // namespace cuprum::ptx_test
