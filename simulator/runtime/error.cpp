#include <cstdint>

#include "runtime/error_table.hpp"
#include "runtime/functions.hpp"
#include "runtime/thread_state.hpp"

namespace cuprum::simulator::runtime {
namespace {

const ErrorEntry* find(cudaError_t error) {
    for (const ErrorEntry& entry : error_table) {
        if (entry.code == static_cast<int>(error)) return &entry;
    }
    return nullptr;
}

}  // namespace

const char* error_name(cudaError_t error) {
    const ErrorEntry* const entry = find(error);
    return entry == nullptr ? "unrecognized error code" : entry->name;
}

const char* error_text(cudaError_t error) {
    const ErrorEntry* const entry = find(error);
    if (entry == nullptr) return "unrecognized error code";
    if (entry->text != nullptr) return entry->text;
    // What the driver knows too has its number there.
    const char* text = nullptr;
    return driver::call<cuGetErrorString>(error, &text) == cudaSuccess && text != nullptr ? text : entry->name;
}

}  // namespace cuprum::simulator::runtime
