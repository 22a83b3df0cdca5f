// The folder of the compile cache: where it is, its files, its locks, its size.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace cuprum::core {

struct CacheSettings {
    std::string directory;        // empty: no cache
    std::string disabled_reason;  // why there is none
    uint64_t size_limit = 0;      // bytes
};

// From the environment; makes the folder where it does not exist. A folder of somebody else, or one to which others
// than its owner may write, is not used: what lies in it would be run.
CacheSettings cache_settings();

struct CacheUse {
    uint64_t entries = 0;
    uint64_t size = 0;  // bytes, with what is being written
};

CacheUse measure_cache(const std::string& directory);
void clear_cache(const std::string& directory);

struct CacheFile {
    std::string path;
    uint64_t size = 0;  // bytes
    timespec used{};
    bool is_temporary = false;  // being written, or left by a process that was killed
};

// The entries, most recently used first.
std::vector<CacheFile> cache_entries(const std::string& directory);

// Whether reading a file marks it as used.
enum class Mark : bool { unchanged, used };

// Empty where there is no such file, it is not a regular one, or it cannot be read.
std::string read_cache_file(const std::string& path, Mark mark = Mark::used);
// All of it or nothing, even for concurrent readers. Then removes what killed processes have left, and old entries
// beyond the limit: gives how many entries those were. None where it is not stored.
std::optional<uint64_t> write_cache_file(const CacheSettings& settings, const std::string& path,
                                         const std::string& bytes);
void remove_cache_file(const std::string& path);

std::string cache_file_path(const std::string& directory, uint64_t hash);

// Held by the one thread of all processes that compiles for `hash`. There are 256 locks, whose files stay: two compiles
// in that many wait for each other without need.
class CacheLock {
public:
    // Most compiles are done by then: 10 seconds, times the threads that want to run on each core, up to a minute. A
    // holder that takes longer may be stopped, and nobody can tell: two that compile the same cost less than one that
    // waits for nothing.
    static std::chrono::milliseconds longest_wait(double threads_per_core);
    // The same for the load of this machine in the last minute.
    static std::chrono::milliseconds longest_wait();

    // Waits for the holder, but not for longer. Where locking does not work, there is no lock. Either way the caller
    // compiles.
    CacheLock(const std::string& directory, uint64_t hash, std::chrono::milliseconds patience = longest_wait());
    ~CacheLock();
    CacheLock(const CacheLock&) = delete;
    CacheLock& operator=(const CacheLock&) = delete;

private:
    int file_ = -1;
};

}  // namespace cuprum::core
