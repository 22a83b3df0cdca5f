// Memory of one device in a stream of another one.
#pragma once

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/stream.hpp"
#include "driver_error.hpp"
#include "driver_log.hpp"

namespace cuprum::core {

// check(), for work in a stream that uses the buffer where it is: says so where that is the other device's, and the
// driver has refused it as an invalid value.
template <class Operation, class Object>
void check_reach(CUresult result, const char* driver_function, const Operation& operation, const Object& object,
                 const StreamRef& stream, const BufferRef& buffer) {
    if (result == CUDA_ERROR_INVALID_VALUE && stream.device_id() != buffer.device_id()) [[unlikely]] {
        const std::string owner = describe_device(buffer.device_id());
        const std::string user = describe_device(stream.device_id());
        discard_driver_log();
        throw InvalidArgument(describe(operation), describe(buffer),
                              "the stream is one of " + user + ", which cannot use that memory of " + owner,
                              "use a stream of " + owner + ", or let " + user + " use the memory's pool");
    }
    check(result, driver_function, operation, object);
}

}  // namespace cuprum::core
