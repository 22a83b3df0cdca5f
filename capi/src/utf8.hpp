// All text that leaves through the C ABI is UTF-8; what comes from compilers, drivers and files may not be.
#pragma once

#include <string>
#include <string_view>

namespace cuprum::capi {

bool is_utf8(std::string_view text) noexcept;

/// `text` with U+FFFD for every byte that is no part of a well-formed sequence.
std::string to_utf8(std::string_view text);

}  // namespace cuprum::capi
