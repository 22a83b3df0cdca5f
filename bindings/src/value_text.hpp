// Arguments and results as text, by their shapes (types.hpp). Not installed.
#pragma once

#include <string>
#include <string_view>

#include "cuprum/bindings/table.hpp"

namespace cuprum::bindings::detail {

enum class TextFormat { plain, json };

/// Appends to `out` the result and the arguments of a call that has returned: in JSON the members of an object, else
/// "(name=value, ...) = result", a status by its name or as a number. What pointers lead to is read where the
/// function's success says that it is there.
void append_call(std::string& out, TextFormat format, const Library& library, const Function& function,
                 const void* const* arguments, const void* result, bool result_as_number);

/// Appends a JSON string.
void append_json_text(std::string& out, std::string_view text);

}  // namespace cuprum::bindings::detail
