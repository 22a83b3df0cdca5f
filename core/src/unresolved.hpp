// Calls that fail because their library, or this function of it, is missing: the bindings know more about it than the
// code that the call returned.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cuprum/bindings/table.hpp"

namespace cuprum::core {

// What the bindings recorded when this thread's newest call of `function` found its library or symbol missing. Forgets
// it.
inline std::optional<bindings::ResolutionFailure> take_unresolved(std::string_view function) {
    std::optional<bindings::ResolutionFailure> failure = bindings::take_resolution_failure();
    if (failure && failure->function != function) failure.reset();
    return failure;
}

// Throws NotFound if there was such a failure.
inline void throw_if_unresolved(std::string_view function, std::string_view operation, std::string_view object = {}) {
    std::optional<bindings::ResolutionFailure> failure = take_unresolved(function);
    if (!failure) return;
    failure->info.operation = operation;
    if (!object.empty()) failure->info.object = object;
    throw failure->to_error();
}

}  // namespace cuprum::core
