#include "host_library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* file_name = "libcuprum_host.so";

// Of the library or program that this code is in.
std::string own_folder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || info.dli_fname == nullptr) return {};
    // A program's own name may be relative.
    const char* const name = info.dli_fname[0] == '/' ? info.dli_fname : "/proc/self/exe";
    const std::unique_ptr<char, decltype(&std::free)> path(realpath(name, nullptr), &std::free);
    if (path == nullptr) return {};
    const std::string text = path.get();
    return text.substr(0, text.rfind('/'));
}

std::vector<std::string> candidates() {
    std::vector<std::string> paths;
    if (const std::string own = own_folder(); !own.empty()) {
        paths.push_back(own + '/' + file_name);
        paths.push_back(own.substr(0, own.rfind('/')) + "/lib/" + file_name);
    }
    // On the loader's path: of a program that holds this library, its run path too.
    paths.emplace_back(file_name);
    for (const std::string folder : {CUPRUM_INSTALL_LIBDIR, CUPRUM_BUILD_LIBDIR}) {
        if (!folder.empty()) paths.push_back(folder + '/' + file_name);
    }
    return paths;
}

// Null, and why.
const host::Functions* open(const std::string& path, std::string& reason) {
    if (path.find('/') != std::string::npos && access(path.c_str(), F_OK) != 0) {
        reason = std::strerror(errno);
        return nullptr;
    }
    // Stays open: its threads run its code.
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) {
        const char* const text = dlerror();
        reason = text == nullptr ? "it cannot be opened" : text;
        return nullptr;
    }
    auto* const get = reinterpret_cast<host::GetFunctions*>(dlsym(library, "cuprum_host_functions"));
    const host::Functions* const functions = get == nullptr ? nullptr : get(CUPRUM_PARALLEL_VERSION);
    if (functions == nullptr) {
        reason = "it is of another version of Cuprum than " CUPRUM_PARALLEL_VERSION;
        dlclose(library);
    }
    return functions;
}

const host::Functions& find() {
    std::vector<RejectedCandidate> rejected;
    for (const std::string& path : candidates()) {
        std::string reason;
        if (const host::Functions* const functions = open(path, reason)) return *functions;
        rejected.push_back({path, std::move(reason)});
    }
    ErrorInfo info;
    info.status = Status::library_not_found;
    info.operation = "opening the algorithms for the host's cores";
    info.object = file_name;
    info.detail = "the library was not found, or could not be opened";
    info.advice =
        "install " CUPRUM_HOST_THREADS_PACKAGE
        " (Debian, Ubuntu), which runs its threads; the library is beside libcuprum.so unless Cuprum was built with "
        "CUPRUM_BUILD_HOST_EXECUTION=OFF";
    throw NotFound(std::move(info), std::move(rejected));
}

}  // namespace

const host::Functions& host_functions() {
    static const host::Functions& functions = find();
    return functions;
}

}  // namespace cuprum::parallel
