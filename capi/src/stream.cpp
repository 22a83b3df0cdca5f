#include "cuprum/capi/stream.h"

#include "call.hpp"
#include "cuprum/core/device.hpp"
#include "owners.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

cuprum_status cuprum_stream_create(cuprum_stream* stream_out, int32_t device, const cuprum_stream_options* options) {
    return run("cuprum_stream_create", [&](const Call& call) {
        call.require(stream_out, "stream_out");
        core::StreamOptions values;
        if (options != nullptr) {
            const cuprum_stream_options given = read_struct(call, "options", options);
            values.nonblocking = given.blocking == 0;
            values.priority = given.priority;
        }
        *stream_out = call.give<cuprum_stream>(StreamObject(core::Device(device).create_stream(values)));
    });
}

cuprum_status cuprum_stream_default(cuprum_stream* stream_out, int32_t device) {
    return run("cuprum_stream_default", [&](const Call& call) {
        call.require(stream_out, "stream_out");
        *stream_out = call.give<cuprum_stream>(StreamObject(core::Device(device).default_stream()));
    });
}

cuprum_status cuprum_stream_from_native(cuprum_stream* stream_out, int32_t device, uint64_t native) {
    return run("cuprum_stream_from_native", [&](const Call& call) {
        call.require(stream_out, "stream_out");
        const core::Device owner(device);
        const auto handle = reinterpret_cast<CUstream>(static_cast<uintptr_t>(native));
        *stream_out = call.give<cuprum_stream>(StreamObject(core::StreamRef::from_handle(handle, owner.device_id())));
    });
}

cuprum_status cuprum_stream_destroy(cuprum_stream stream) {
    return run("cuprum_stream_destroy", [&](const Call& call) { call.destroy(stream, "stream"); });
}

cuprum_status cuprum_stream_native(uint64_t* native_out, cuprum_stream stream) {
    return run("cuprum_stream_native", [&](const Call& call) {
        call.require(native_out, "native_out");
        *native_out = call.number_of(stream, "stream");
    });
}

cuprum_status cuprum_stream_device(int32_t* device_out, cuprum_stream stream) {
    return run("cuprum_stream_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = call.use(stream, "stream")->stream.device_id();
    });
}

cuprum_status cuprum_stream_is_nonblocking(int32_t* nonblocking_out, cuprum_stream stream) {
    return run("cuprum_stream_is_nonblocking", [&](const Call& call) {
        call.require(nonblocking_out, "nonblocking_out");
        *nonblocking_out = call.use(stream, "stream")->stream.is_nonblocking() ? 1 : 0;
    });
}

cuprum_status cuprum_stream_priority(int32_t* priority_out, cuprum_stream stream) {
    return run("cuprum_stream_priority", [&](const Call& call) {
        call.require(priority_out, "priority_out");
        *priority_out = call.use(stream, "stream")->stream.priority();
    });
}

cuprum_status cuprum_stream_is_done(int32_t* done_out, cuprum_stream stream) {
    return run("cuprum_stream_is_done", [&](const Call& call) {
        call.require(done_out, "done_out");
        *done_out = call.use(stream, "stream")->stream.is_done() ? 1 : 0;
    });
}

cuprum_status cuprum_stream_is_capturing(int32_t* capturing_out, cuprum_stream stream) {
    return run("cuprum_stream_is_capturing", [&](const Call& call) {
        call.require(capturing_out, "capturing_out");
        *capturing_out = call.use(stream, "stream")->stream.is_capturing() ? 1 : 0;
    });
}

cuprum_status cuprum_stream_sync(cuprum_stream stream) {
    return run("cuprum_stream_sync", [&](const Call& call) { call.use(stream, "stream")->stream.sync(); });
}

cuprum_status cuprum_stream_record(cuprum_stream stream, cuprum_event event) {
    return run("cuprum_stream_record", [&](const Call& call) {
        const auto into = call.use(stream, "stream");
        into->stream.record(call.use(event, "event")->event);
    });
}

cuprum_status cuprum_stream_wait_event(cuprum_stream stream, cuprum_event event) {
    return run("cuprum_stream_wait_event", [&](const Call& call) {
        const auto waiting = call.use(stream, "stream");
        waiting->stream.wait(call.use(event, "event")->event);
    });
}

cuprum_status cuprum_stream_wait_stream(cuprum_stream stream, cuprum_stream other) {
    return run("cuprum_stream_wait_stream", [&](const Call& call) {
        const auto waiting = call.use(stream, "stream");
        waiting->stream.wait(call.use(other, "other")->stream);
    });
}

cuprum_status cuprum_stream_launch_host_function(cuprum_stream stream, cuprum_host_function function, void* user_data) {
    return run("cuprum_stream_launch_host_function", [&](const Call& call) {
        call.require(reinterpret_cast<const void*>(function), "function");
        call.use(stream, "stream")->stream.launch_host_function([function, user_data] { function(user_data); });
    });
}

cuprum_status cuprum_stream_wait_value32(cuprum_stream stream, cuprum_buffer buffer, uint64_t offset, uint32_t value,
                                         int32_t condition, int32_t flush) {
    return run("cuprum_stream_wait_value32", [&](const Call& call) {
        const auto waiting = call.use(stream, "stream");
        keep_captured(call, waiting->stream, buffer);
        waiting->stream.wait_value32(call.use(buffer, "buffer")->buffer, offset, value,
                                     static_cast<core::WaitCondition>(condition), flush != 0);
    });
}

cuprum_status cuprum_stream_wait_value64(cuprum_stream stream, cuprum_buffer buffer, uint64_t offset, uint64_t value,
                                         int32_t condition, int32_t flush) {
    return run("cuprum_stream_wait_value64", [&](const Call& call) {
        const auto waiting = call.use(stream, "stream");
        keep_captured(call, waiting->stream, buffer);
        waiting->stream.wait_value64(call.use(buffer, "buffer")->buffer, offset, value,
                                     static_cast<core::WaitCondition>(condition), flush != 0);
    });
}

cuprum_status cuprum_stream_write_value32(cuprum_stream stream, cuprum_buffer buffer, uint64_t offset, uint32_t value) {
    return run("cuprum_stream_write_value32", [&](const Call& call) {
        const auto writing = call.use(stream, "stream");
        keep_captured(call, writing->stream, buffer);
        writing->stream.write_value32(call.use(buffer, "buffer")->buffer, offset, value);
    });
}

cuprum_status cuprum_stream_write_value64(cuprum_stream stream, cuprum_buffer buffer, uint64_t offset, uint64_t value) {
    return run("cuprum_stream_write_value64", [&](const Call& call) {
        const auto writing = call.use(stream, "stream");
        keep_captured(call, writing->stream, buffer);
        writing->stream.write_value64(call.use(buffer, "buffer")->buffer, offset, value);
    });
}
