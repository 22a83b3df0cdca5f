// What the driver would tell a program of its own accord. It has nothing to tell: no device's memory is over a budget.
#include "driver/process/entry.hpp"
#include "driver/process/handle_table.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

struct Notification {
    Device* device;
};

using NotificationTable = HandleTable<Notification, CUasyncCallbackHandle, HandleKind::notification>;

NotificationTable& notifications() {
    static auto* const table = new NotificationTable;
    return *table;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuDeviceRegisterAsyncNotification(CUdevice dev, CUasyncCallback callback, void*,
                                                   CUasyncCallbackHandle* handle) {
    return entry("cuDeviceRegisterAsyncNotification", [&] {
        Device& device = driver().device(dev);
        if (callback == nullptr) throw DriverError(CUDA_ERROR_INVALID_VALUE, "callbackFunc is null");
        require_pointer(handle, "callback");
        *handle = notifications().insert(std::make_shared<Notification>(Notification{&device}));
    });
}

CUresult CUDAAPI cuDeviceUnregisterAsyncNotification(CUdevice dev, CUasyncCallbackHandle handle) {
    return entry("cuDeviceUnregisterAsyncNotification", [&] {
        const Device& device = driver().device(dev);
        const std::shared_ptr<Notification> found = notifications().find(handle);
        if (!found || found->device != &device) {
            throw DriverError(CUDA_ERROR_INVALID_VALUE,
                              describe_bad_handle(HandleKind::notification, reinterpret_cast<uint64_t>(handle)));
        }
        notifications().remove(handle);
    });
}

}  // extern "C"
