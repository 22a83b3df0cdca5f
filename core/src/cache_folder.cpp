#include "cache_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace cuprum::core {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view entry_suffix = ".compiled";
constexpr std::string_view temporary_infix = ".compiled.";  // before the letters of mkostemp
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

std::string advice_to_close(const std::string& directory) {
    return ": run chmod go-w " + directory + ", or set CUPRUM_CACHE_DIR to a folder of your own";
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
    if ((status.st_mode & S_IWOTH) != 0)
        return "everybody may write to the folder " + directory + advice_to_close(directory);
    if ((status.st_mode & S_IWGRP) != 0)
        return "a group may write to the folder " + directory + advice_to_close(directory);
    return {};
}

// Whatever has the name of one of the cache's files, folders excepted: a pipe too.
std::vector<CacheFile> cache_files(const std::string& directory) {
    std::vector<CacheFile> files;
    std::error_code error;
    for (auto item = fs::directory_iterator(directory, error); !error && item != fs::directory_iterator();
         item.increment(error)) {
        const bool is_entry = item->path().extension() == entry_suffix;
        const bool is_temporary = item->path().filename().native().find(temporary_infix) != std::string::npos;
        if (!is_entry && !is_temporary) continue;
        struct stat status {};  // another process may be removing files too
        if (lstat(item->path().c_str(), &status) != 0 || S_ISDIR(status.st_mode)) continue;
        files.push_back({item->path().native(), static_cast<uint64_t>(status.st_size), status.st_mtim, !is_entry});
    }
    return files;
}

uint64_t total_size(const std::vector<CacheFile>& files) {
    uint64_t size = 0;
    for (const CacheFile& file : files)
        size += file.size;
    return size;
}

// Whether nobody is writing the file any more. The writer holds a lock on it, which ends with its process; a file of
// the last seconds may not have its lock yet. Where there are no locks, an hour must have passed.
bool is_abandoned(const CacheFile& temporary) {
    constexpr time_t time_to_lock = 10;
    constexpr time_t longest_write = 3600;
    const time_t age = time(nullptr) - temporary.used.tv_sec;
    if (age < time_to_lock) return false;
    const int file = open(temporary.path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return age > longest_write;
    const bool is_free = flock(file, LOCK_EX | LOCK_NB) == 0;
    const bool is_held = !is_free && errno == EWOULDBLOCK;
    close(file);
    return is_free || (!is_held && age > longest_write);
}

// Removes what killed processes have left; the others stay in the list.
void remove_abandoned(std::vector<CacheFile>& files) {
    std::erase_if(files, [](const CacheFile& file) {
        if (!file.is_temporary || !is_abandoned(file)) return false;
        remove_cache_file(file.path);
        return true;
    });
}

bool was_used_before(const CacheFile& left, const CacheFile& right) {
    return std::pair(left.used.tv_sec, left.used.tv_nsec) < std::pair(right.used.tv_sec, right.used.tv_nsec);
}

// Down to three quarters of the limit, so that not every store must look for what to remove. Gives how many it removed.
uint64_t evict(const CacheSettings& settings) {
    std::vector<CacheFile> files = cache_files(settings.directory);
    remove_abandoned(files);
    uint64_t size = total_size(files);
    if (size <= settings.size_limit) return 0;
    std::sort(files.begin(), files.end(), was_used_before);
    uint64_t removed = 0;
    for (const CacheFile& file : files) {
        if (size <= settings.size_limit / 4 * 3) break;
        if (file.is_temporary) continue;
        remove_cache_file(file.path);
        size -= file.size;
        ++removed;
    }
    return removed;
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
    const std::vector<CacheFile> files = cache_files(directory);
    const auto entries =
        std::count_if(files.begin(), files.end(), [](const CacheFile& file) { return !file.is_temporary; });
    return {static_cast<uint64_t>(entries), total_size(files)};
}

void clear_cache(const std::string& directory) {
    std::vector<CacheFile> files = cache_files(directory);
    remove_abandoned(files);
    for (const CacheFile& file : files) {
        if (!file.is_temporary) remove_cache_file(file.path);
    }
}

std::vector<CacheFile> cache_entries(const std::string& directory) {
    std::vector<CacheFile> files = cache_files(directory);
    std::erase_if(files, [](const CacheFile& file) { return file.is_temporary; });
    std::sort(files.rbegin(), files.rend(), was_used_before);
    return files;
}

std::string read_cache_file(const std::string& path, Mark mark) {
    // Not to wait for the other end of a pipe that has the name of an entry.
    const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
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
        // Used now; a folder that cannot be written to is read all the same.
        if (mark == Mark::used) futimens(file, nullptr);
    }
    close(file);
    return bytes;
}

std::optional<uint64_t> write_cache_file(const CacheSettings& settings, const std::string& path,
                                         const std::string& bytes) {
    if (bytes.size() > settings.size_limit) return std::nullopt;
    std::string temporary = path + ".XXXXXX";
    const int file = mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0) return std::nullopt;
    flock(file, LOCK_EX | LOCK_NB);  // says that somebody is writing it, until the end of this process at the latest
    bool stored = write_all(file, bytes) && rename(temporary.c_str(), path.c_str()) == 0;
    stored = close(file) == 0 && stored;
    if (!stored) {
        remove_cache_file(temporary);
        return std::nullopt;
    }
    return evict(settings);
}

void remove_cache_file(const std::string& path) {
    unlink(path.c_str());
}

std::string cache_file_path(const std::string& directory, uint64_t hash) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16).ptr;
    return directory + '/' + std::string(digits.data(), end) + std::string(entry_suffix);
}

std::chrono::milliseconds CacheLock::longest_wait(double threads_per_core) {
    constexpr double of_an_idle_machine = 10'000, most = 60'000;
    return std::chrono::milliseconds(
        static_cast<int64_t>(std::clamp(of_an_idle_machine * threads_per_core, of_an_idle_machine, most)));
}

std::chrono::milliseconds CacheLock::longest_wait() {
    double threads = 0;
    if (getloadavg(&threads, 1) != 1) threads = 0;
    return longest_wait(threads / std::max(1U, std::thread::hardware_concurrency()));
}

CacheLock::CacheLock(const std::string& directory, uint64_t hash, std::chrono::milliseconds patience) {
    const std::string path = directory + "/lock." + std::to_string(hash % 256);
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file_ < 0) return;
    const auto deadline = std::chrono::steady_clock::now() + patience;
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
