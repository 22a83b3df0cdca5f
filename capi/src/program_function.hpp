// Functions of the program's that the C ABI calls.
#pragma once

#include <string>
#include <utility>

#include "cuprum/pathfinder/error.hpp"
#include "status_name.hpp"
#include "thread_state.hpp"

namespace cuprum::capi {

/// Before such a call: what it leaves as the thread's last error is its own then.
inline void forget_last_error() {
    if (LastError* const error = last_error()) error->clear();
}

/// After it. Throws the thread's last error where that has the status that was returned, else an error of that status.
/// `object`: "memory resource of the program's".
inline void check_program_function(cuprum_status status, const char* operation, const char* object) {
    if (status == CUPRUM_SUCCESS) return;
    const LastError* const error = last_error();
    if (error != nullptr && error->texts().status == status) error->rethrow();
    const bool is_status =
        (status >= CUPRUM_ERROR_INVALID_ARGUMENT && status <= CUPRUM_ERROR_NVVM) || status == CUPRUM_ERROR_INTERNAL;
    ErrorInfo info;
    info.status = is_status ? static_cast<Status>(status) : Status::invalid_state;
    info.operation = operation;
    info.object = object;
    info.detail = "its function has returned ";
    info.detail += is_status ? status_name(status) : std::to_string(status) + ", which is not a status";
    throw_error(std::move(info));
}

}  // namespace cuprum::capi
