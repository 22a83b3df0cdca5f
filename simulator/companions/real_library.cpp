#include "companions/real_library.hpp"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>

namespace cuprum::simulator::companions {
namespace {

// Exported by every companion (entry points' own file), so that one can be told from the real library.
constexpr const char* companion_mark = "cuprum_simulator_companion";

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

void add(std::vector<std::string>& folders, std::string folder) {
    if (folder.empty() || folder.front() != '/') return;  // never the working directory
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(std::move(folder));
}

std::vector<std::string> matches(const std::string& pattern) {
    std::vector<std::string> found;
    glob_t result{};
    if (glob(pattern.c_str(), 0, nullptr, &result) == 0)
        found.assign(result.gl_pathv, result.gl_pathv + result.gl_pathc);
    globfree(&result);
    return found;
}

// The folders that hold the Python packages whose extension modules are loaded, then the virtual environment's.
std::vector<std::string> package_folders() {
    std::vector<std::string> folders;
    const auto visit = [](dl_phdr_info* object, size_t, void* data) {
        const std::string_view path = object->dlpi_name == nullptr ? "" : object->dlpi_name;
        for (const std::string_view name : {"/site-packages/", "/dist-packages/"}) {
            const size_t found = path.find(name);
            if (found != std::string_view::npos) {
                add(*static_cast<std::vector<std::string>*>(data),
                    std::string(path.substr(0, found + name.size() - 1)));
            }
        }
        return 0;
    };
    dl_iterate_phdr(visit, &folders);
    if (const std::string root = environment("VIRTUAL_ENV"); !root.empty()) {
        for (std::string& folder : matches(root + "/lib/python3*/site-packages"))
            add(folders, std::move(folder));
    }
    return folders;
}

// LD_LIBRARY_PATH and the folders that the loader looks into by itself.
void add_loader_folders(std::vector<std::string>& folders) {
    void* const self = dlopen(nullptr, RTLD_LAZY);
    Dl_serinfo size{};
    if (self == nullptr || dlinfo(self, RTLD_DI_SERINFOSIZE, &size) != 0) return;
    std::vector<std::byte> storage(size.dls_size);
    auto* const information = reinterpret_cast<Dl_serinfo*>(storage.data());
    if (dlinfo(self, RTLD_DI_SERINFOSIZE, information) != 0 || dlinfo(self, RTLD_DI_SERINFO, information) != 0) return;
    for (unsigned int index = 0; index < information->dls_cnt; ++index)
        add(folders, information->dls_serpath[index].dls_name);
}

bool is_same_file(const std::string& left, const char* right) {
    struct stat first, second;
    return stat(left.c_str(), &first) == 0 && stat(right, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

std::string own_path() {
    Dl_info information{};
    return dladdr(reinterpret_cast<void*>(&own_path), &information) != 0 ? information.dli_fname : "";
}

bool exists(const std::string& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0;
}

}  // namespace

LibraryKind nvrtc_kind(int major) {
    LibraryKind kind{"libnvrtc",
                     "CUPRUM_SIM_NVRTC",
                     {"libnvrtc.so.13", "libnvrtc.so.12"},
                     {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"},
                     "libnvrtc-builtins.so.*"};
    if (major == 12) std::swap(kind.file_names[0], kind.file_names[1]);
    return kind;
}

LibraryKind nvjitlink_kind(int major) {
    LibraryKind kind{"libnvJitLink",
                     "CUPRUM_SIM_NVJITLINK",
                     {"libnvJitLink.so.13", "libnvJitLink.so.12"},
                     {"nvidia/cu13/lib", "nvidia/nvjitlink/lib"},
                     {}};
    if (major == 12) std::swap(kind.file_names[0], kind.file_names[1]);
    return kind;
}

struct RealLibrary::State {
    std::mutex mutex;
    std::string given_path, preferred_folder;
    bool tried = false;
    void* handle = nullptr;
    std::string path;
    std::string problem;
};

RealLibrary::RealLibrary(LibraryKind kind) : kind_(std::move(kind)), state_(std::make_unique<State>()) {}
RealLibrary::~RealLibrary() = default;

std::vector<std::string> RealLibrary::candidates() const {
    std::vector<std::string> folders;
    add(folders, state_->preferred_folder);
    for (const std::string& packages : package_folders()) {
        for (const char* const folder : kind_.wheel_folders)
            add(folders, packages + "/" + folder);
    }
    if (const std::string root = environment("CONDA_PREFIX"); !root.empty()) add(folders, root + "/lib");
    add_loader_folders(folders);
    for (const char* const variable : {"CUDA_PATH", "CUDA_HOME"}) {
        if (const std::string root = environment(variable); !root.empty()) {
            add(folders, root + "/lib64");
            add(folders, root + "/lib");
        }
    }
    add(folders, "/usr/local/cuda/lib64");
    std::vector<std::string> toolkits = matches("/usr/local/cuda-*/lib64");
    for (auto folder = toolkits.rbegin(); folder != toolkits.rend(); ++folder)
        add(folders, *folder);
    std::vector<std::string> files;
    for (const std::string& folder : folders) {
        for (const char* const name : kind_.file_names)
            files.push_back(folder + "/" + name);
    }
    return files;
}

void RealLibrary::open() {
    State& state = *state_;
    state.tried = true;
    const std::string given = state.given_path.empty() ? environment(kind_.variable) : state.given_path;
    const std::vector<std::string> files = given.empty() ? candidates() : std::vector<std::string>{given};
    const std::string own = own_path();
    std::string refused;
    for (const std::string& file : files) {
        if (!exists(file)) continue;
        if (is_same_file(file, own.c_str())) continue;
        if (!kind_.built_ins.empty()) {
            // The library itself looks for them where the loader does, which is not where wheels put them.
            for (const std::string& built_ins : matches(file.substr(0, file.rfind('/')) + "/" + kind_.built_ins))
                dlopen(built_ins.c_str(), RTLD_NOW | RTLD_GLOBAL);
        }
        void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            refused += std::string("; ") + dlerror();
        } else if (dlsym(handle, companion_mark) != nullptr) {
            dlclose(handle);
            refused += "; " + file + " is another companion";
        } else {
            state.handle = handle;
            state.path = file;
            return;
        }
    }
    state.problem = std::string("the simulator's companion of ") + kind_.title + " finds no real one";
    if (!given.empty()) state.problem += ": " + given + " was given";
    state.problem += refused + "; install it (pip install nvidia-cuda-nvrtc nvidia-nvjitlink), or name its file in " +
                     std::string(kind_.variable);
    std::fprintf(stderr, "cuprum: %s\n", state.problem.c_str());
}

void RealLibrary::use(std::string path) {
    const std::lock_guard lock(state_->mutex);
    state_->given_path = std::move(path);
}

void RealLibrary::prefer_folder(std::string folder) {
    const std::lock_guard lock(state_->mutex);
    state_->preferred_folder = std::move(folder);
}

void* RealLibrary::symbol(const char* name) {
    const std::lock_guard lock(state_->mutex);
    if (!state_->tried) open();
    if (state_->handle == nullptr) return nullptr;
    void* const address = dlsym(state_->handle, name);
    if (address == nullptr) state_->problem = std::string("the real ") + kind_.title + " has no function " + name;
    return address;
}

std::string RealLibrary::problem() {
    const std::lock_guard lock(state_->mutex);
    return state_->problem;
}

std::string RealLibrary::folder() {
    const std::lock_guard lock(state_->mutex);
    return state_->path.substr(0, state_->path.rfind('/'));
}

}  // namespace cuprum::simulator::companions
