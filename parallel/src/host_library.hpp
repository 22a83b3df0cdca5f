// libcuprum_host, found and opened at the first use.
#pragma once

#include "../host/interface.hpp"

namespace cuprum::parallel {

// Throws NotFound, which says where it was looked for and what kept each candidate from being opened. Thread-safe; a
// failure is not remembered.
const host::Functions& host_functions();

}  // namespace cuprum::parallel
