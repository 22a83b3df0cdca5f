#include "companion.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace cuprum::bindings::detail {

namespace {

// Whether the driver may be the simulator at all. With a GPU's driver, compiling must not open the driver.
bool may_be_simulator() {
    const char* const choice = std::getenv("CUPRUM_DRIVER");
    return choice != nullptr && std::string_view(choice) != "gpu";
}

std::string companion_path(const pathfinder::LoadedLibrary& library) {
    const pathfinder::LocatedLibrary driver = pathfinder::find_nvidia_dynamic_lib("cuda");
    if (!driver.is_simulator) return {};
    const std::string folder = driver.abs_path.substr(0, driver.abs_path.rfind('/'));
    return folder + "/companions/lib" + library.name + ".so." + std::to_string(library.version.major);
}

}  // namespace

void* handle_for_driver(const pathfinder::LoadedLibrary& library) noexcept {
    try {
        if ((library.name != "nvrtc" && library.name != "nvJitLink") || !may_be_simulator()) return library.handle;
        const std::string path = companion_path(library);
        void* const companion = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (companion == nullptr) return library.handle;
        const auto name_real_library =
            reinterpret_cast<void (*)(const char*)>(dlsym(companion, "cuprum_simulator_companion"));
        if (name_real_library == nullptr) return library.handle;
        name_real_library(library.abs_path.c_str());
        return companion;
    } catch (...) {
        // Without a driver there is nothing to compile for but what the real library offers.
        return library.handle;
    }
}

}  // namespace cuprum::bindings::detail
