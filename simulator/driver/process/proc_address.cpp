#include "driver/process/proc_address.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "driver/process/cuda_version.hpp"
#include "driver/process/newer_functions.hpp"

namespace cuprum::simulator::libcuda {

FoundProcAddress find_proc_address(const char* name, int version, DefaultStreamVariant variant) {
    const ProcAddress* end = proc_address_table + proc_address_count;
    const ProcAddress* first =
        std::lower_bound(proc_address_table, end, name,
                         [](const ProcAddress& row, const char* wanted) { return std::strcmp(row.name, wanted) < 0; });
    FoundProcAddress found;
    bool has_variant = false;
    for (const ProcAddress* row = first; row != end && std::strcmp(row->name, name) == 0; ++row) {
        has_variant = has_variant || row->variant == variant;
    }
    const bool wants_per_thread = variant == DefaultStreamVariant::per_thread;
    if (!has_variant) variant = DefaultStreamVariant::any;
    for (const ProcAddress* row = first; row != end && std::strcmp(row->name, name) == 0; ++row) {
        if (row->variant != variant) continue;
        if (row->version <= version) {
            found.function = row->function;
            found.status = CU_GET_PROC_ADDRESS_SUCCESS;
        } else if (found.function == nullptr) {
            found.status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
        }
    }
    // Functions and forms that are newer than the simulator's headers are there for the driver that is that new itself.
    for (const NewerFunction& newer : std::span(newer_functions, newer_function_count)) {
        if (newer.version > cuda_version() || std::strcmp(newer.name, name) != 0) continue;
        if (newer.per_thread && !wants_per_thread) continue;
        if (newer.version <= version) {
            found.function = reinterpret_cast<void*>(newer.function);
            found.status = CU_GET_PROC_ADDRESS_SUCCESS;
        } else if (found.function == nullptr) {
            found.status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
        }
    }
    return found;
}

}  // namespace cuprum::simulator::libcuda
