#pragma once

#include <cstdint>

namespace cuprum::capi {

/// "CUPRUM_ERROR_COMPILE"; "CUPRUM_ERROR_UNKNOWN" for a number that is no status. Static storage.
const char* status_name(int32_t status) noexcept;

}  // namespace cuprum::capi
