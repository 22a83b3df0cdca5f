// JSON for people to read.
#pragma once

#include <string>
#include <string_view>

namespace cuprum::cli {

/// Well-formed JSON with a final newline: each member and element on a line of its own, indented by two spaces a level;
/// arrays of numbers and texts on one line.
std::string indented_json(std::string_view json);

}  // namespace cuprum::cli
