#include "seen_headers.hpp"

#include <exception>
#include <fstream>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "on_all_cores.hpp"

namespace cuprum::core {

namespace {

using Clock = std::chrono::steady_clock;

struct SeenHeader {
    Clock::time_point when = Clock::time_point::min();
    Found found = Found::nothing;
    struct stat status {};
};

struct ScannedHeader {
    off_t size = 0;
    uint64_t modified = 0;
    std::string content;  // what `scanned` refers to
    ScannedText scanned;
    bool is_of(const struct stat& status) const {
        return size == status.st_size && modified == nanoseconds(status.st_mtim);
    }
};

struct Kept {
    std::mutex mutex;
    std::unordered_map<std::string, SeenHeader> seen;                               // by path
    std::unordered_map<std::string, std::shared_ptr<const ScannedHeader>> scanned;  // by --std and path
};

// Lives for ever: programs may be compiled while the process exits.
Kept& kept() {
    static auto* const instance = new Kept;
    return *instance;
}

// A relative path is another file in another working directory.
bool may_be_kept(const std::string& path) {
    return path.starts_with('/');
}

}  // namespace

std::optional<std::string> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) return std::nullopt;
    std::string text(static_cast<size_t>(file.tellg()), '\0');
    file.seekg(0);
    if (!file.read(text.data(), static_cast<std::streamsize>(text.size()))) return std::nullopt;
    return text;
}

Found look_at(const std::string& path, struct stat& status) {
    status = {};
    if (stat(path.c_str(), &status) != 0 || S_ISDIR(status.st_mode)) return Found::nothing;
    return S_ISREG(status.st_mode) ? Found::file : Found::other;
}

uint64_t nanoseconds(const timespec& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

Found look_at_toolkit_header(const std::string& path, struct stat& status, Clock::time_point oldest) {
    if (!may_be_kept(path)) return look_at(path, status);
    const std::lock_guard lock(kept().mutex);
    SeenHeader& seen = kept().seen[path];
    if (seen.when < oldest) {
        seen.when = Clock::now();
        seen.found = look_at(path, seen.status);
    }
    status = seen.status;
    return seen.found;
}

std::shared_ptr<const ScannedText> scanned_toolkit_header(const FoundHeader& found_header, std::string_view std,
                                                          const ScanRules& rules) {
    const auto& [path, status] = found_header;
    const auto scanned_of = [](const std::shared_ptr<const ScannedHeader>& header) {
        return std::shared_ptr<const ScannedText>(header, &header->scanned);
    };
    const std::string key = std::string(std) + ' ' + path;
    {
        const std::lock_guard lock(kept().mutex);
        const auto found = kept().scanned.find(key);
        if (found != kept().scanned.end() && found->second->is_of(status)) return scanned_of(found->second);
    }
    std::optional<std::string> content = read_file(path);
    if (!content) return nullptr;
    const auto header = std::make_shared<ScannedHeader>();
    header->size = status.st_size;
    header->modified = nanoseconds(status.st_mtim);
    header->content = std::move(*content);
    header->scanned = scan_text(header->content, rules);
    if (may_be_kept(path)) {
        const std::lock_guard lock(kept().mutex);
        kept().scanned[key] = header;
    }
    return scanned_of(header);
}

void scan_toolkit_headers(std::span<const FoundHeader> headers, std::string_view std, const ScanRules& rules) {
    on_all_cores(headers.size(), [&](size_t index) {
        try {
            if (may_be_kept(headers[index].path)) scanned_toolkit_header(headers[index], std, rules);
        } catch (const std::exception&) {
            // scanned_toolkit_header tries again when the header is needed, and reports what is wrong.
        }
    });
}

}  // namespace cuprum::core
