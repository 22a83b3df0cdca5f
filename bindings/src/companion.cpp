#include "companion.hpp"

#include <dlfcn.h>

#include <string>

#include "cuprum/bindings/driver.hpp"

namespace cuprum::bindings::detail {

namespace {

std::string companion_path(const pathfinder::LoadedLibrary& library, const std::string& simulator) {
    const std::string folder = simulator.substr(0, simulator.rfind('/'));
    return folder + "/companions/lib" + library.name + ".so." + std::to_string(library.version.major);
}

// Tells a companion the library that it stands before, or over. False where it is no companion.
bool name_library(void* companion, const std::string& path) {
    const auto name = reinterpret_cast<void (*)(const char*)>(dlsym(companion, "cuprum_simulator_companion"));
    if (name != nullptr) name(path.c_str());
    return name != nullptr;
}

}  // namespace

void* handle_for_driver(const pathfinder::LoadedLibrary& library) noexcept {
    try {
        if (library.name == "nvml" && library.is_simulator) {
            name_library(library.handle, pathfinder::find_cuda_library("cuda"));
            return library.handle;
        }
        const bool is_runtime = library.name == "cudart";
        if (library.name != "nvrtc" && library.name != "nvJitLink" && !is_runtime) return library.handle;
        if (!driver::simulator_is_chosen()) return library.handle;
        const std::string& simulator = pathfinder::find_cuda_library("cuda");
        void* const companion = dlopen(companion_path(library, simulator).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (companion == nullptr) return library.handle;
        // The compilers' companions stand before the real library; the runtime's is a runtime, above the driver.
        return name_library(companion, is_runtime ? simulator : library.abs_path) ? companion : library.handle;
    } catch (...) {
        // Out of memory: the real library does all but run on the simulator.
        return library.handle;
    }
}

}  // namespace cuprum::bindings::detail
