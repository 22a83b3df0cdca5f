// The driver under the runtime: opened at the first call that needs it, by its public functions alone.
#pragma once

#include <cuda.h>
#include <cudaProfiler.h>
#include <driver_types.h>

#include <bit>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace cuprum::simulator::runtime::driver {

// Names the driver's file; without effect once it is open.
void use(const char* path);

// The driver's function of that exported name; null if there is no driver, or it lacks the function.
void* symbol(const char* name);

// Why symbol() found nothing.
cudaError_t missing();

// cuInit, once. What it answered is answered for good.
CUresult initialize();

// Whether the process is ending, and the driver with it.
bool process_ends();

// The name of a function of cuda.h, as it is exported: cuda.h's macros have given it its version (cuMemAlloc_v2). GCC
// and Clang write a template's argument at the end of the name of its function.
template <auto* Function>
struct Name {
    static constexpr std::string_view in_text() {
        const std::string_view signature = __PRETTY_FUNCTION__;
        const size_t begin = signature.find("Function = ") + std::string_view("Function = ").size();
        const size_t first = signature.find_first_not_of("&(", begin);
        return signature.substr(first, signature.find_first_of(";])", first) - first);
    }
    static constexpr auto text = [] {
        struct {
            char characters[in_text().size() + 1] = {};
        } result;
        in_text().copy(result.characters, in_text().size());
        return result;
    }();
};

// The runtime's types and the driver's have the same values and layouts; enumerations, handles and addresses are
// converted, and no number is cut.
template <typename To, typename From>
To as(From from) {
    if constexpr (std::is_same_v<To, From>) {
        return from;
    } else if constexpr (std::is_class_v<To>) {
        return std::bit_cast<To>(from);
    } else {
        static_assert(!std::is_integral_v<To> || !std::is_integral_v<From> || sizeof(To) >= sizeof(From));
        static_assert(std::is_pointer_v<To> == std::is_pointer_v<From> || sizeof(To) == sizeof(From));
        return (To)from;  // an enumeration, an address or a handle
    }
}

template <auto* Function>
struct Call;

template <typename... Parameters, CUresult (*Function)(Parameters...)>
struct Call<Function> {
    template <typename... Arguments>
    static cudaError_t with(Arguments... arguments) {
        static_assert(sizeof...(Arguments) == sizeof...(Parameters));
        static void* const address = symbol(Name<Function>::text.characters);
        if (address == nullptr) return missing();
        return static_cast<cudaError_t>(
            reinterpret_cast<CUresult (*)(Parameters...)>(address)(as<Parameters>(arguments)...));
    }
};

// Calls that function of the driver. No context is made for it, and the thread's last error stays.
template <auto* Function, typename... Arguments>
cudaError_t call(Arguments... arguments) {
    return Call<Function>::with(arguments...);
}

// The same for a function that older headers do not declare: the arguments are passed as they are.
template <typename... Arguments>
cudaError_t call_by_name(const char* name, Arguments... arguments) {
    void* const address = symbol(name);
    if (address == nullptr) return missing();
    return static_cast<cudaError_t>(reinterpret_cast<CUresult (*)(Arguments...)>(address)(arguments...));
}

}  // namespace cuprum::simulator::runtime::driver
