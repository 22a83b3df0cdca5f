#include "tables.hpp"

#include <algorithm>
#include <string_view>

namespace cuprum::python {

const std::array<Library, library_count>& libraries() {
    static const std::array<Library, library_count> all = {driver_tables(),    runtime_tables(), nvrtc_tables(),
                                                           nvjitlink_tables(), nvvm_tables(),    nvml_tables(),
                                                           nccl_tables()};
    return all;
}

Function* find_function(std::uint8_t library, const char* name) {
    const std::span<Function> functions = libraries()[library].functions;
    const auto found = std::ranges::lower_bound(functions, std::string_view(name), {}, [](const Function& function) {
        return std::string_view(function.name);
    });
    return found != functions.end() && found->name == std::string_view(name) ? &*found : nullptr;
}

}  // namespace cuprum::python
