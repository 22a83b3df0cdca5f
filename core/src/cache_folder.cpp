#include "cache_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace cuprum::core {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view entry_suffix = ".compiled";
constexpr uint64_t default_size_limit = uint64_t{1} << 30;

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

std::string default_directory() {
    // The XDG Base Directory Specification: a relative path is invalid and to be ignored.
    const std::string cache = environment("XDG_CACHE_HOME");
    if (cache.starts_with('/')) return cache + "/cuprum";
    const std::string home = environment("HOME");
    return home.starts_with('/') ? home + "/.cache/cuprum" : std::string();
}

std::optional<uint64_t> parse_size(std::string_view text) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
    struct Unit {
        std::string_view name;
        int shift;
    };
    for (const Unit& known : {Unit{"", 0}, Unit{"KiB", 10}, Unit{"MiB", 20}, Unit{"GiB", 30}}) {
        if (unit == known.name && number <= (UINT64_MAX >> known.shift)) return number << known.shift;
    }
    return std::nullopt;
}

// Why the folder cannot be used; empty if it can. Makes it.
std::string refuse(const std::string& directory) {
    std::error_code error;
    fs::create_directories(fs::path(directory).parent_path(), error);
    if (mkdir(directory.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
        return "the folder " + directory + " cannot be made: " + std::strerror(errno);
    }
    struct stat status {};
    if (stat(directory.c_str(), &status) != 0) return directory + ": " + std::strerror(errno);
    if (!S_ISDIR(status.st_mode)) return directory + " is not a folder";
    if (status.st_uid != geteuid()) return "the folder " + directory + " belongs to another user";
    if ((status.st_mode & S_IWOTH) != 0) return "everybody may write to the folder " + directory;
    return {};
}

struct EntryFile {
    fs::path path;
    uint64_t size = 0;
    fs::file_time_type used;
};

std::vector<EntryFile> entry_files(const std::string& directory) {
    std::vector<EntryFile> files;
    std::error_code error;
    for (auto item = fs::directory_iterator(directory, error); !error && item != fs::directory_iterator();
         item.increment(error)) {
        if (item->path().extension() != entry_suffix) continue;
        std::error_code gone;  // another process may be removing files too
        EntryFile file{item->path(), item->file_size(gone), item->last_write_time(gone)};
        if (!gone) files.push_back(std::move(file));
    }
    return files;
}

uint64_t total_size(const std::vector<EntryFile>& files) {
    uint64_t size = 0;
    for (const EntryFile& file : files)
        size += file.size;
    return size;
}

// Down to three quarters of the limit, so that not every store must look for what to remove.
void evict(const CacheSettings& settings) {
    std::vector<EntryFile> files = entry_files(settings.directory);
    uint64_t size = total_size(files);
    if (size <= settings.size_limit) return;
    std::sort(files.begin(), files.end(),
              [](const EntryFile& left, const EntryFile& right) { return left.used < right.used; });
    for (const EntryFile& file : files) {
        if (size <= settings.size_limit / 4 * 3) return;
        remove_cache_file(file.path);
        size -= file.size;
    }
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

}  // namespace

CacheSettings cache_settings() {
    CacheSettings settings;
    const std::string wanted = environment("CUPRUM_CACHE");
    if (wanted == "off" || wanted == "0") {
        settings.disabled_reason = "CUPRUM_CACHE is " + wanted;
        return settings;
    }
    settings.size_limit = default_size_limit;
    if (const std::string limit = environment("CUPRUM_CACHE_SIZE"); !limit.empty()) {
        const std::optional<uint64_t> parsed = parse_size(limit);
        if (!parsed) {
            settings.disabled_reason = "CUPRUM_CACHE_SIZE is '" + limit + "', which is not a size such as 512MiB";
            return settings;
        }
        settings.size_limit = *parsed;
    }
    std::string directory = environment("CUPRUM_CACHE_DIR");
    if (directory.empty()) directory = default_directory();
    if (directory.empty()) {
        settings.disabled_reason = "neither CUPRUM_CACHE_DIR nor HOME is set";
        return settings;
    }
    settings.disabled_reason = refuse(directory);
    if (settings.disabled_reason.empty()) settings.directory = std::move(directory);
    return settings;
}

CacheUse measure_cache(const std::string& directory) {
    const std::vector<EntryFile> files = entry_files(directory);
    return {files.size(), total_size(files)};
}

void clear_cache(const std::string& directory) {
    for (const EntryFile& file : entry_files(directory))
        remove_cache_file(file.path);
}

std::string read_cache_file(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    std::string bytes;
    struct stat status {};
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        bytes.resize(static_cast<size_t>(status.st_size));
        size_t filled = 0;
        while (filled < bytes.size()) {
            const ssize_t count = read(file, bytes.data() + filled, bytes.size() - filled);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) break;
            filled += static_cast<size_t>(count);
        }
        bytes.resize(filled);
        futimens(file, nullptr);  // used now; a folder that cannot be written to is read all the same
    }
    close(file);
    return bytes;
}

bool write_cache_file(const CacheSettings& settings, const std::string& path, const std::string& bytes) {
    if (bytes.size() > settings.size_limit) return false;
    std::string temporary = path + ".XXXXXX";
    const int file = mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0) return false;
    bool stored = write_all(file, bytes);
    stored = close(file) == 0 && stored;
    stored = stored && rename(temporary.c_str(), path.c_str()) == 0;
    if (!stored) {
        remove_cache_file(temporary);
        return false;
    }
    evict(settings);
    return true;
}

void remove_cache_file(const std::string& path) {
    unlink(path.c_str());
}

std::string cache_file_path(const std::string& directory, uint64_t hash) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16).ptr;
    return directory + '/' + std::string(digits.data(), end) + std::string(entry_suffix);
}

CacheLock::CacheLock(const std::string& directory, uint64_t hash) {
    constexpr std::chrono::minutes longest_wait{5};
    const std::string path = directory + "/lock." + std::to_string(hash % 256);
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file_ < 0) return;
    const auto deadline = std::chrono::steady_clock::now() + longest_wait;
    std::chrono::milliseconds pause{1};
    // flock belongs to the open file: it holds between the threads of a process too.
    while (flock(file_, LOCK_EX | LOCK_NB) != 0) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || std::chrono::steady_clock::now() > deadline) {
            close(file_);
            file_ = -1;
            return;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(16));
    }
}

CacheLock::~CacheLock() {
    if (file_ >= 0) close(file_);
}

}  // namespace cuprum::core
