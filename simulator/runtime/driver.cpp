#include "runtime/driver.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>

namespace cuprum::simulator::runtime::driver {
namespace {

std::atomic<bool> ending = false;

struct Library {
    std::mutex mutex;
    std::string path;
    bool tried = false;
    void* handle = nullptr;
};

// Never destroyed: programs call the runtime while the process ends.
Library& library() {
    static auto* const the_library = new Library;
    return *the_library;
}

// The simulator that this library lies beside: companions/ is in its folder.
std::string simulator_beside() {
    Dl_info information{};
    if (dladdr(reinterpret_cast<void*>(&simulator_beside), &information) == 0) return {};
    const std::string own = information.dli_fname;
    const size_t slash = own.rfind('/');
    return slash == std::string::npos ? std::string() : own.substr(0, slash) + "/../libcuda.so.1";
}

void* open_first() {
    const char* const chosen = std::getenv("CUPRUM_SIMULATOR_PATH");
    for (const std::string& path : {library().path, std::string(chosen == nullptr ? "" : chosen), simulator_beside(),
                                    std::string("libcuda.so.1")}) {
        if (path.empty()) continue;
        if (void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr) return handle;
    }
    return nullptr;
}

void* open() {
    Library& the_library = library();
    const std::lock_guard lock(the_library.mutex);
    if (!the_library.tried) {
        the_library.tried = true;
        the_library.handle = open_first();
    }
    return the_library.handle;
}

}  // namespace

void use(const char* path) {
    const std::lock_guard lock(library().mutex);
    library().path = path;
}

void* symbol(const char* name) {
    void* const handle = open();
    return handle == nullptr ? nullptr : dlsym(handle, name);
}

cudaError_t missing() {
    return open() == nullptr ? cudaErrorInsufficientDriver : cudaErrorCallRequiresNewerDriver;
}

CUresult initialize() {
    static const CUresult result = [] {
        const auto initialized = static_cast<CUresult>(call<cuInit>(0U));
        // After the driver has registered its own handlers, and so called before them.
        std::atexit([] { ending = true; });
        return initialized;
    }();
    return result;
}

bool process_ends() {
    return ending;
}

}  // namespace cuprum::simulator::runtime::driver
