#include "cuprum/bindings/nvrtc.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <type_traits>
#include <typeinfo>

#include "stub.hpp"

// The list has the deprecated functions too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define FUNCTION_LIST "cuprum/bindings/nvrtc_functions.def"

namespace cuprum::bindings::detail {

template <>
nvrtcResult missing_result<nvrtcResult>(ResolutionFailure::Kind) {
    return NVRTC_ERROR_INTERNAL_ERROR;
}

// nvrtcGetErrorString never gives a null pointer.
template <>
const char* missing_result<const char*>(ResolutionFailure::Kind kind) {
    return kind == ResolutionFailure::Kind::library_missing ? "NVRTC is not installed"
                                                            : "this NVRTC lacks the function";
}

}  // namespace cuprum::bindings::detail

namespace cuprum::bindings::nvrtc {

namespace {

enum class Index : std::size_t;

struct List {
    static Library& library() noexcept { return nvrtc::library(); }
    static const Function& function(Index index) noexcept;
};

#include "function_table.inc"

const Function& List::function(Index index) noexcept {
    return function_list[static_cast<std::size_t>(index)];
}

int find_version(void* handle, const pathfinder::LoadedLibrary&) {
    auto get_version = reinterpret_cast<nvrtcResult (*)(int*, int*)>(dlsym(handle, "nvrtcVersion"));
    int major = 0;
    int minor = 0;
    return get_version != nullptr && get_version(&major, &minor) == NVRTC_SUCCESS ? 1000 * major + 10 * minor : 0;
}

AnyFunction find_symbol(void* handle, const Function& function, int, std::string& reason) {
    void* address = dlsym(handle, function.symbol);
    if (address == nullptr) {
        reason = "it exports no symbol " + std::string(function.symbol);
    }
    return reinterpret_cast<AnyFunction>(address);
}

constinit Library the_library("NVRTC", "nvrtc", ErrorDomain::nvrtc, &find_symbol, &find_version, function_list);

}  // namespace

#define CUPRUM_FUNCTION(identifier, name, query, symbol, version, per_thread, result, parameters, arguments, signature) \
    result identifier parameters {                                                               \
        return function_table.identifier.load(std::memory_order_relaxed) arguments;              \
    }
#include FUNCTION_LIST
#undef CUPRUM_FUNCTION

Library& library() noexcept {
    return the_library;
}

}  // namespace cuprum::bindings::nvrtc
