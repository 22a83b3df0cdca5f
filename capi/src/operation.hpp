// What the functions of the C ABI do, in words for errors.
#pragma once

#include <algorithm>
#include <string_view>

namespace cuprum::capi {

namespace detail {
struct FunctionOperation {
    std::string_view function;
    const char* operation;
};
/// Read from the tags @does of the headers.
inline constexpr FunctionOperation operations[] = {
#include "operations.inc"  // generated: capi/generator
};
}  // namespace detail

/// What a function does, "waiting for a stream". Made from the function's name and looked up while compiling: a name
/// that no header declares does not compile, and nothing is looked up at a call.
class Operation {
public:
    consteval Operation(const char* function)
        : entry_(
              std::ranges::find(detail::operations, std::string_view(function), &detail::FunctionOperation::function)) {
        if (entry_ == std::ranges::end(detail::operations)) {
            throw "no header of the C ABI declares this function";
        }
    }

    const char* text() const noexcept { return entry_->operation; }
    /// Its name in C, for mistakes that a caller in no other language can make.
    std::string_view function() const noexcept { return entry_->function; }

private:
    const detail::FunctionOperation* entry_;
};

}  // namespace cuprum::capi
