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

}  // namespace

void* handle_for_driver(const pathfinder::LoadedLibrary& library) noexcept {
    try {
        const bool is_runtime = library.name == "cudart";
        if (library.name != "nvrtc" && library.name != "nvJitLink" && !is_runtime) return library.handle;
        if (!driver::simulator_is_chosen()) return library.handle;
        const std::string& simulator = pathfinder::find_cuda_library("cuda");
        void* const companion = dlopen(companion_path(library, simulator).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (companion == nullptr) return library.handle;
        const auto name_library_below =
            reinterpret_cast<void (*)(const char*)>(dlsym(companion, "cuprum_simulator_companion"));
        if (name_library_below == nullptr) return library.handle;
        // The compilers' companions stand before the real library; the runtime's is a runtime, above the driver.
        name_library_below(is_runtime ? simulator.c_str() : library.abs_path.c_str());
        return companion;
    } catch (...) {
        // Out of memory: the real library does all but run on the simulator.
        return library.handle;
    }
}

}  // namespace cuprum::bindings::detail
