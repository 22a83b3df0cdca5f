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
/// Sorted by the functions' names; read from the tags @does of the headers.
inline constexpr FunctionOperation operations[] = {
#include "operations.inc"  // generated: capi/generator
};
}  // namespace detail

/// What a function does, "waiting for a stream". Made from the function's name and looked up while compiling: a name
/// that no header declares does not compile, and nothing is looked up at a call.
class Operation {
public:
    consteval Operation(const char* function)
        : text_(std::ranges::lower_bound(detail::operations, std::string_view(function), {},
                                         &detail::FunctionOperation::function)
                    ->operation) {
        if (!std::ranges::binary_search(detail::operations, std::string_view(function), {},
                                        &detail::FunctionOperation::function)) {
            throw "no header of the C ABI declares this function";
        }
    }

    const char* text() const noexcept { return text_; }

private:
    const char* text_;
};

}  // namespace cuprum::capi
