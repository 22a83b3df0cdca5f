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

inline std::string cuda_h(int version) {
    return "/* a header */\n#define CUDA_VERSION " + std::to_string(version) + "\n";
}

class FakeSystem final : public System {
public:
    struct Node {
        FileStatus status;
        std::string content;
        std::string target;  // of a link; empty for everything else
    };

    std::map<std::string, std::string> variables;
    std::map<std::string, std::vector<std::string>> loader_cache;
    std::string own = "/opt/app/bin";
    std::map<std::string, std::string> does_not_open;  // path -> what the loader says
    std::map<std::string, DriverProbe> drivers;        // by path
    mutable std::vector<std::string> opened;

    FakeSystem& file(const std::string& path, std::string content = elf()) {
        add_folders(path);
        nodes_[path] = {{FileStatus::Kind::file, false}, std::move(content), ""};
        return *this;
    }
    FakeSystem& folder(const std::string& path, bool others_may_write = false) {
        add_folders(path);
        nodes_[path] = {{FileStatus::Kind::directory, others_may_write}, "", ""};
        return *this;
    }
    FakeSystem& link(const std::string& path, const std::string& target) {
        add_folders(path);
        nodes_[path] = {{}, "", target};
        return *this;
    }
    FakeSystem& set_kind(const std::string& path, FileStatus::Kind kind) {
        add_folders(path);
        nodes_[path].status.kind = kind;
        return *this;
    }
    FakeSystem& headers(const std::string& folder, int version) {
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
        std::string at = path;
        for (int links = 0; links < 16; ++links) {
            const std::string next = follow_once(at);
            if (next == at) {
                const auto found = nodes_.find(at);
                if (found != nodes_.end()) {
                    return found->second.status;
                }
                return {links == 0 ? FileStatus::Kind::missing : FileStatus::Kind::dangling_link, false};
            }
            at = next;
        }
        return {FileStatus::Kind::link_loop, false};
    }
    std::vector<std::string> list(const std::string& folder) const override {
        std::set<std::string> names;
        const std::string prefix = canonical(folder) + "/";
        for (const auto& [path, node] : nodes_) {
            if (path.starts_with(prefix)) {
                names.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
            }
        }
        return {names.begin(), names.end()};
    }
    std::string read(const std::string& path, std::size_t max_bytes) const override {
        const auto found = nodes_.find(canonical(path));
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
    int elf_machine() const override { return x86_64; }
    std::string cuda_target() const override { return "x86_64-linux"; }
    std::string multiarch() const override { return "x86_64-linux-gnu"; }
    OpenedLibrary open(const std::string& path) const override {
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
            return {false, want_device, ""};
        }
        const DriverProbe& probe = found->second;
        return want_device || probe.is_stub ? probe : DriverProbe{};
    }

private:
    void add_folders(const std::string& path) {
        for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
            nodes_.try_emplace(path.substr(0, slash), Node{{FileStatus::Kind::directory, false}, "", ""});
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

    std::map<std::string, Node> nodes_;
};

}  // namespace cuprum::pathfinder::test
