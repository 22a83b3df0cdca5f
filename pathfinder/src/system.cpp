#include "cuprum/pathfinder/system.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

namespace cuprum::pathfinder {

namespace {

#if defined(__x86_64__)
constexpr Platform this_platform = Platform::linux_x86_64;
constexpr const char* debian_multiarch = "x86_64-linux-gnu";
constexpr std::uint32_t cache_flags = 0x0303;  // glibc's ldconfig.h: FLAG_X8664_LIB64 | FLAG_ELF_LIBC6
#elif defined(__aarch64__)
constexpr Platform this_platform = Platform::linux_aarch64;
constexpr const char* debian_multiarch = "aarch64-linux-gnu";
constexpr std::uint32_t cache_flags = 0x0a03;  // FLAG_AARCH64_LIB64 | FLAG_ELF_LIBC6
#else
#error "Cuprum runs on x86-64 and AArch64"
#endif

// CUresult values that the driver's interface fixes; this layer does not use cuda.h.
constexpr int cuda_success = 0;
constexpr int cuda_error_stub_library = 34;

template <class Value>
Value value_at(const std::string& bytes, std::size_t offset) {
    Value value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

// The paths that the loader's cache has for a name. Layout: glibc's sysdeps/generic/dl-cache.h, the format
// "glibc-ld.so.cache1.1", which stands alone or behind one in an older format.
std::vector<std::string> paths_in_loader_cache(const std::string& bytes, const std::string& soname) {
    constexpr std::size_t header_size = 48;
    constexpr std::size_t entry_size = 24;
    std::vector<std::string> paths;
    const std::size_t start = bytes.find("glibc-ld.so.cache1.1");
    if (start == std::string::npos || bytes.size() < start + header_size) {
        return paths;
    }
    const std::size_t count = value_at<std::uint32_t>(bytes, start + 20);
    if (count > (bytes.size() - start - header_size) / entry_size) {
        return paths;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t entry = start + header_size + i * entry_size;
        const std::size_t key = start + value_at<std::uint32_t>(bytes, entry + 4);
        const std::size_t value = start + value_at<std::uint32_t>(bytes, entry + 8);
        if (value_at<std::uint32_t>(bytes, entry) != cache_flags || key >= bytes.size() || value >= bytes.size()) {
            continue;
        }
        // std::string's own terminator ends a text that the file does not.
        if (soname == bytes.c_str() + key) {
            paths.emplace_back(bytes.c_str() + value);
        }
    }
    return paths;
}

class RealSystem final : public System {
public:
    std::optional<std::string> environment(const std::string& name) const override {
        const char* value = std::getenv(name.c_str());
        return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
    }

    FileStatus status(const std::string& path) const override {
        FileStatus result;
        struct stat data {};
        if (stat(path.c_str(), &data) == 0) {
            result.others_may_write = (data.st_mode & S_IWOTH) != 0;
            result.is_sticky = (data.st_mode & S_ISVTX) != 0;
            result.kind = S_ISREG(data.st_mode)   ? FileStatus::Kind::file
                          : S_ISDIR(data.st_mode) ? FileStatus::Kind::directory
                                                  : FileStatus::Kind::other;
            const int needed = result.kind == FileStatus::Kind::directory ? X_OK : R_OK;
            result.is_executable = result.kind == FileStatus::Kind::file && access(path.c_str(), X_OK) == 0;
            if (access(path.c_str(), needed) != 0 && !result.is_executable) {
                result.kind = FileStatus::Kind::no_permission;
            }
            return result;
        }
        if (errno == EACCES) {
            result.kind = FileStatus::Kind::no_permission;
        } else if (errno == ELOOP) {
            result.kind = FileStatus::Kind::link_loop;
        } else if (lstat(path.c_str(), &data) == 0) {
            result.kind = FileStatus::Kind::dangling_link;
        }
        return result;
    }

    std::vector<std::string> list(const std::string& folder) const override {
        std::vector<std::string> names;
        std::error_code error;
        for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
             entry.increment(error)) {
            names.push_back(entry->path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    std::string read(const std::string& path, std::size_t max_bytes) const override {
        std::string bytes;
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) {
            return bytes;
        }
        char block[16384];
        while (bytes.size() < max_bytes) {
            const ssize_t count = ::read(file, block, std::min(sizeof block, max_bytes - bytes.size()));
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count <= 0) {
                break;
            }
            bytes.append(block, static_cast<std::size_t>(count));
        }
        close(file);
        return bytes;
    }

    std::string canonical(const std::string& path) const override {
        const std::unique_ptr<char, decltype(&std::free)> resolved(realpath(path.c_str(), nullptr), &std::free);
        return resolved ? std::string(resolved.get()) : path;
    }

    std::vector<std::string> loader_paths(const std::string& soname) const override {
        constexpr std::size_t largest_cache = 64u << 20;
        std::vector<std::string> paths = paths_in_loader_cache(read("/etc/ld.so.cache", largest_cache), soname);
        for (const std::string& folder :
             {std::string("/lib/") + debian_multiarch, std::string("/usr/lib/") + debian_multiarch,
              std::string("/lib64"), std::string("/usr/lib64"), std::string("/lib"), std::string("/usr/lib")}) {
            std::string path = folder + "/" + soname;
            if (status(path).kind != FileStatus::Kind::missing) {
                paths.push_back(std::move(path));
            }
        }
        return paths;
    }

    std::string own_folder() const override {
        Dl_info info{};
        if (dladdr(reinterpret_cast<const void*>(&real_system), &info) == 0 || info.dli_fname == nullptr) {
            return {};
        }
        // For the main program dli_fname is what it was started with, which may be relative or a bare name.
        const bool is_path = std::strchr(info.dli_fname, '/') != nullptr && info.dli_fname[0] == '/';
        const std::string path = canonical(is_path ? info.dli_fname : "/proc/self/exe");
        const std::size_t slash = path.rfind('/');
        return slash == std::string::npos ? std::string() : path.substr(0, slash);
    }

    std::vector<std::string> run_path() const override {
        Dl_info info{};
        link_map* own = nullptr;
        if (dladdr1(reinterpret_cast<const void*>(&real_system), &info, reinterpret_cast<void**>(&own),
                    RTLD_DL_LINKMAP) == 0) {
            return {};
        }
        const bool is_program = own->l_name == nullptr || *own->l_name == '\0';
        const std::unique_ptr<void, int (*)(void*)> handle(
            dlopen(is_program ? nullptr : own->l_name, RTLD_LAZY | RTLD_NOLOAD), &dlclose);
        Dl_serinfo size{};
        if (handle == nullptr || dlinfo(handle.get(), RTLD_DI_SERINFOSIZE, &size) != 0) {
            return {};
        }
        // Dl_serinfo ends in an array whose length the loader has just told.
        std::vector<std::max_align_t> room(size.dls_size / sizeof(std::max_align_t) + 1);
        auto* const list = reinterpret_cast<Dl_serinfo*>(room.data());
        std::vector<std::string> folders;
        if (dlinfo(handle.get(), RTLD_DI_SERINFOSIZE, list) == 0 && dlinfo(handle.get(), RTLD_DI_SERINFO, list) == 0) {
            for (unsigned i = 0; i < list->dls_cnt; ++i) {
                folders.emplace_back(list->dls_serpath[i].dls_name);
            }
        }
        return folders;
    }

    Platform platform() const override { return this_platform; }

    std::string loaded_path(const std::string& soname) const override {
        void* handle = dlopen(soname.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr) {
            dlerror();
            return {};
        }
        std::string path;
        link_map* loaded = nullptr;
        if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&loaded)) == 0 && loaded->l_name[0] == '/') {
            path = loaded->l_name;
        }
        dlclose(handle);
        return path;
    }

    OpenedLibrary open(const std::string& path, bool prefers_own_symbols) const override {
        OpenedLibrary result;
        const int flags = RTLD_NOW | RTLD_LOCAL | (prefers_own_symbols ? RTLD_DEEPBIND : 0);
        if (void* handle = dlopen(path.c_str(), flags | RTLD_NOLOAD)) {
            result.handle = handle;
            result.was_already_loaded = true;
            return result;
        }
        dlerror();
        result.handle = dlopen(path.c_str(), flags);
        if (result.handle == nullptr) {
            const char* error = dlerror();
            result.error = error != nullptr ? error : "the dynamic loader does not say why";
        }
        return result;
    }

    // The last line of a driver's error log (cuda.h, cuLogsDumpToMemory: CUDA 12.9), behind `separator`; empty if there
    // is none.
    static std::string last_log_line(void* driver, const char* separator) {
        const auto dump =
            reinterpret_cast<int (*)(unsigned*, char*, size_t*, unsigned)>(dlsym(driver, "cuLogsDumpToMemory"));
        std::string text(25600, '\0');  // all that a driver keeps
        size_t size = text.size();
        if (dump == nullptr || dump(nullptr, text.data(), &size, 0) != cuda_success || size > text.size()) return {};
        text.resize(size);
        while (!text.empty() && (text.back() == '\n' || text.back() == '\0'))
            text.pop_back();
        const size_t before = text.rfind('\n');
        if (before != std::string::npos) text.erase(0, before + 1);
        return text.empty() ? text : separator + text;
    }

    DriverProbe probe_driver(const std::string& path, bool want_device) const override {
        DriverProbe probe;
        const OpenedLibrary library = open(path, false);
        if (library.handle == nullptr) {
            probe.reason = "does not open: " + library.error;
            return probe;
        }
        auto get_version = reinterpret_cast<int (*)(int*)>(dlsym(library.handle, "cuDriverGetVersion"));
        auto initialise = reinterpret_cast<int (*)(unsigned)>(dlsym(library.handle, "cuInit"));
        auto count_devices = reinterpret_cast<int (*)(int*)>(dlsym(library.handle, "cuDeviceGetCount"));
        if (get_version == nullptr || initialise == nullptr || count_devices == nullptr) {
            probe.reason = "is not a CUDA driver: it lacks cuDriverGetVersion, cuInit or cuDeviceGetCount";
            return probe;
        }
        if (get_version(&probe.version) == cuda_error_stub_library) {
            probe.is_stub = true;
            probe.reason = "is a stub library, which is only for linking and runs nothing";
            return probe;
        }
        if (!want_device) {
            return probe;
        }
        probe.init_result = initialise(0);
        int count = 0;
        if (probe.init_result != cuda_success) {
            probe.reason =
                "cuInit fails with CUresult " + std::to_string(probe.init_result) + last_log_line(library.handle, ": ");
        } else if (const int counted = count_devices(&count); counted != cuda_success || count < 1) {
            probe.reason = counted != cuda_success ? "cuDeviceGetCount fails with CUresult " + std::to_string(counted)
                                                   : "it has no device";
        } else {
            probe.has_device = true;
        }
        return probe;
    }
};

}  // namespace

const System& real_system() {
    static const RealSystem system;
    return system;
}

}  // namespace cuprum::pathfinder
