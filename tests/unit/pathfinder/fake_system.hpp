// A machine made of a few lines: files, folders, links and environment variables, for the search to look at.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/pathfinder/system.hpp"

namespace cuprum::pathfinder::test {

inline constexpr int x86_64 = 62;    // EM_X86_64
inline constexpr int aarch64 = 183;  // EM_AARCH64

/// The first bytes of a shared library.
inline std::string elf(int machine = x86_64, int bits = 64) {
    std::string header(64, '\0');
    header.replace(0, 4,
                   "\x7f"
                   "ELF");
    header[4] = bits == 64 ? 2 : 1;
    header[5] = 1;   // little-endian
    header[16] = 3;  // ET_DYN
    header[18] = static_cast<char>(machine & 0xff);
    header[19] = static_cast<char>(machine >> 8);
    return header;
}

/// The first bytes of a Windows DLL; machine 0x8664 is x86-64, 0x14c is x86.
inline std::string dll(int machine = 0x8664) {
    std::string header(128, '\0');
    header.replace(0, 2, "MZ");
    header[0x3c] = 64;  // where the PE header is
    header.replace(64, 2, "PE");
    header[68] = static_cast<char>(machine & 0xff);
    header[69] = static_cast<char>(machine >> 8);
    return header;
}

inline const std::string bitcode = "BC\xc0\xde and more";
inline const std::string archive = "!<arch>\nand more";

inline std::string cuda_h(int version) {
    return "/* a header */\n#define CUDA_VERSION " + std::to_string(version) + "\n";
}

/// On Windows paths may be written with either separator.
class FakeSystem final : public System {
public:
    FakeSystem() = default;
    explicit FakeSystem(Platform platform) : platform_(platform) {}

    struct Node {
        FileStatus status;
        std::string content;
        std::string target;  // of a link; empty for everything else
    };

    std::map<std::string, std::string> variables;
    std::map<std::string, std::vector<std::string>> loader_cache;
    std::string own = "/opt/app/bin";
    std::vector<std::string> run_path_folders;
    std::map<std::string, std::string> does_not_open;  // path -> what the loader says
    std::map<std::string, DriverProbe> drivers;        // by path
    std::map<std::string, std::string> loaded;         // SONAME -> path of what the process has open
    mutable std::vector<std::string> opened;

    FakeSystem& file(const std::string& path, std::string content = elf()) {
        return add(path, {{FileStatus::Kind::file}, std::move(content), ""});
    }
    FakeSystem& program(const std::string& path) {
        return add(path, {{FileStatus::Kind::file, false, false, true}, "#!", ""});
    }
    FakeSystem& folder(const std::string& path, bool others_may_write = false, bool is_sticky = false) {
        return add(path, {{FileStatus::Kind::directory, others_may_write, is_sticky}, "", ""});
    }
    FakeSystem& link(const std::string& path, const std::string& target) { return add(path, {{}, "", target}); }
    FakeSystem& set_kind(const std::string& path, FileStatus::Kind kind) {
        add_folders(slashes(path));
        nodes_[slashes(path)].status.kind = kind;
        return *this;
    }
    FakeSystem& headers(const std::string& folder, int version) {
        return file(folder + "/cuda.h", cuda_h(version)).file(folder + "/cuda_runtime.h", "").crt(folder);
    }
    FakeSystem& crt(const std::string& folder) { return file(folder + "/crt/host_defines.h", ""); }
    /// As the wheel of the runtime alone has them.
    FakeSystem& headers_without_crt(const std::string& folder, int version) {
        return file(folder + "/cuda.h", cuda_h(version)).file(folder + "/cuda_runtime.h", "");
    }
    FakeSystem& cccl(const std::string& folder) {
        return file(folder + "/cub/cub.cuh", "").file(folder + "/nv/target", "");
    }
    FakeSystem& variable(const std::string& name, const std::string& value) {
        variables[name] = value;
        return *this;
    }

    std::optional<std::string> environment(const std::string& name) const override {
        const auto found = variables.find(name);
        return found == variables.end() || found->second.empty() ? std::nullopt : std::optional(found->second);
    }
    FileStatus status(const std::string& path) const override {
        std::string at = slashes(path);
        for (int links = 0; links < 16; ++links) {
            const std::string next = follow_once(at);
            if (next == at) {
                const auto found = nodes_.find(at);
                if (found != nodes_.end()) {
                    return found->second.status;
                }
                return {links == 0 ? FileStatus::Kind::missing : FileStatus::Kind::dangling_link};
            }
            at = next;
        }
        return {FileStatus::Kind::link_loop};
    }
    std::vector<std::string> list(const std::string& folder) const override {
        std::set<std::string> names;
        const std::string prefix = slashes(canonical(folder)) + "/";
        for (const auto& [path, node] : nodes_) {
            if (path.starts_with(prefix)) {
                names.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
            }
        }
        return {names.begin(), names.end()};
    }
    std::string read(const std::string& path, std::size_t max_bytes) const override {
        const auto found = nodes_.find(slashes(canonical(path)));
        return found == nodes_.end() ? std::string() : found->second.content.substr(0, max_bytes);
    }
    std::string canonical(const std::string& path) const override {
        std::string at = path;
        for (int links = 0; links < 16; ++links) {
            const std::string next = follow_once(at);
            if (next == at) {
                return at;
            }
            at = next;
        }
        return path;
    }
    std::vector<std::string> loader_paths(const std::string& soname) const override {
        const auto found = loader_cache.find(soname);
        return found == loader_cache.end() ? std::vector<std::string>() : found->second;
    }
    std::string own_folder() const override { return own; }
    std::vector<std::string> run_path() const override { return run_path_folders; }
    Platform platform() const override { return platform_; }
    std::string loaded_path(const std::string& soname) const override {
        const auto found = loaded.find(soname);
        return found == loaded.end() ? std::string() : found->second;
    }
    OpenedLibrary open(const std::string& path, bool) const override {
        opened.push_back(path);
        const auto found = does_not_open.find(path);
        if (found != does_not_open.end()) {
            return {nullptr, false, found->second};
        }
        return {&opened, false, ""};
    }
    DriverProbe probe_driver(const std::string& path, bool want_device) const override {
        const auto found = drivers.find(path);
        if (found == drivers.end()) {
            return {false, want_device, "", 13000};
        }
        DriverProbe probe = found->second;
        if (!want_device && !probe.is_stub) {
            probe.has_device = false;
            probe.reason.clear();
        }
        return probe;
    }

private:
    std::string slashes(std::string path) const {
        if (platform_ == Platform::windows_x86_64) {
            std::replace(path.begin(), path.end(), '\\', '/');
        }
        return path;
    }
    FakeSystem& add(const std::string& path, Node node) {
        add_folders(slashes(path));
        nodes_[slashes(path)] = std::move(node);
        return *this;
    }
    void add_folders(const std::string& path) {
        for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
            nodes_.try_emplace(path.substr(0, slash), Node{{FileStatus::Kind::directory}, "", ""});
        }
    }
    // Replaces the first part of the path that is a link by what the link names.
    std::string follow_once(const std::string& path) const {
        for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
            const std::string prefix = path.substr(0, end);
            const auto found = nodes_.find(prefix);
            if (found != nodes_.end() && !found->second.target.empty()) {
                const std::string& target = found->second.target;
                const std::string folder = prefix.substr(0, prefix.rfind('/'));
                return (target.front() == '/' ? target : folder + "/" + target) +
                       (end == std::string::npos ? "" : path.substr(end));
            }
            if (end == std::string::npos) {
                return path;
            }
        }
    }

    Platform platform_ = Platform::linux_x86_64;
    std::map<std::string, Node> nodes_;
};

}  // namespace cuprum::pathfinder::test
