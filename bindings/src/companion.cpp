#include "companion.hpp"

#include <dlfcn.h>

#include <string>

#include "cuprum/bindings/driver.hpp"

namespace cuprum::bindings::detail {

namespace {

std::string companion_path(const pathfinder::LoadedLibrary& library) {
    const std::string& simulator = pathfinder::find_cuda_library("cuda");
    const std::string folder = simulator.substr(0, simulator.rfind('/'));
    return folder + "/companions/lib" + library.name + ".so." + std::to_string(library.version.major);
}

}  // namespace

void* handle_for_driver(const pathfinder::LoadedLibrary& library) noexcept {
    try {
        if (library.name != "nvrtc" && library.name != "nvJitLink") return library.handle;
        if (!driver::simulator_is_chosen()) return library.handle;
        void* const companion = dlopen(companion_path(library).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (companion == nullptr) return library.handle;
        const auto name_real_library =
            reinterpret_cast<void (*)(const char*)>(dlsym(companion, "cuprum_simulator_companion"));
        if (name_real_library == nullptr) return library.handle;
        name_real_library(library.abs_path.c_str());
        return companion;
    } catch (...) {
        // Out of memory: the real library does all but run on the simulator.
        return library.handle;
    }
}

}  // namespace cuprum::bindings::detail
