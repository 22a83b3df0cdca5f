#pragma once

#include <string>

namespace cuprum::capi {

/// The text that cuprum_info_json() gives.
std::string info_json();

}  // namespace cuprum::capi
