#include <cstring>
#include <string>

#include "call.hpp"
#include "cuprum/capi/stream.h"
#include "cuprum/core/device.hpp"
#include "struct_size.hpp"
#include "thread_state.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

cuprum_status cuprum_event_create(cuprum_event* event_out, int32_t device, const cuprum_event_options* options) {
    return run("cuprum_event_create", [&](const Call& call) {
        call.require(event_out, "event_out");
        core::EventOptions values;
        if (options != nullptr) {
            const cuprum_event_options given = read_struct(call, "options", options);
            values.timing_enabled = given.timing_enabled != 0;
            values.blocking_sync = given.blocking_sync != 0;
            values.ipc_enabled = given.ipc_enabled != 0;
        }
        *event_out = call.give<cuprum_event>(EventObject{core::Device(device).create_event(values)});
    });
}

cuprum_status cuprum_event_ipc_handle(const void** bytes_out, uint64_t* size_out, cuprum_event event) {
    return run("cuprum_event_ipc_handle", [&](const Call& call) {
        call.require(bytes_out, "bytes_out");
        call.require(size_out, "size_out");
        const core::IPCEventDescriptor descriptor = call.use(event, "event")->event.ipc_descriptor();
        const std::string& bytes = lend_bytes(
            std::string(reinterpret_cast<const char*>(descriptor.reserved.data()), descriptor.reserved.size()));
        *bytes_out = bytes.data();
        *size_out = bytes.size();
    });
}

cuprum_status cuprum_event_from_ipc_handle(cuprum_event* event_out, int32_t device, const void* handle, uint64_t size,
                                           int32_t blocking_sync) {
    return run("cuprum_event_from_ipc_handle", [&](const Call& call) {
        call.require(event_out, "event_out");
        call.require(handle, "handle");
        core::IPCEventDescriptor descriptor{.is_blocking_sync = blocking_sync != 0};
        if (size != descriptor.reserved.size()) {
            call.refuse("size", "is " + std::to_string(size) + "; expected the " +
                                    std::to_string(descriptor.reserved.size()) + " bytes of a shared event");
        }
        std::memcpy(descriptor.reserved.data(), handle, descriptor.reserved.size());
        *event_out =
            call.give<cuprum_event>(EventObject{core::Event::from_ipc_descriptor(descriptor, core::Device(device))});
    });
}

cuprum_status cuprum_event_destroy(cuprum_event event) {
    return run("cuprum_event_destroy", [&](const Call& call) { call.destroy(event, "event"); });
}

cuprum_status cuprum_event_native(uint64_t* native_out, cuprum_event event) {
    return run("cuprum_event_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        *native_out = call.number_of(event, "event");
    });
}

cuprum_status cuprum_event_device(int32_t* device_out, cuprum_event event) {
    return run("cuprum_event_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = call.use(event, "event")->event.device_id();
    });
}

cuprum_status cuprum_event_is_done(int32_t* done_out, cuprum_event event) {
    return run("cuprum_event_is_done", [&](const Call& call) {
        call.require(done_out, "done_out");
        *done_out = call.use(event, "event")->event.is_done() ? 1 : 0;
    });
}

cuprum_status cuprum_event_sync(cuprum_event event) {
    return run("cuprum_event_sync", [&](const Call& call) { call.use(event, "event")->event.sync(); });
}

cuprum_status cuprum_event_elapsed_time(float* milliseconds_out, cuprum_event start, cuprum_event end) {
    return run("cuprum_event_elapsed_time", [&](const Call& call) {
        call.require(milliseconds_out, "milliseconds_out");
        const auto first = call.use(start, "start");
        *milliseconds_out = core::elapsed_time(first->event, call.use(end, "end")->event);
    });
}
