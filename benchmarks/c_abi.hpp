// What the benchmarks over the C ABI have in common.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "cuprum/cuprum.h"

namespace cuprum::benchmarks {

// Ends the program with the last error's message unless the call succeeded.
inline void must(cuprum_status status) {
    if (status == CUPRUM_SUCCESS) return;
    cuprum_error_info info{};
    info.struct_size = sizeof info;
    cuprum_error_last(&info);
    std::fprintf(stderr, "%s\n", info.message);
    std::exit(1);
}

}  // namespace cuprum::benchmarks
