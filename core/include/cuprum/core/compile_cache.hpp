// Compiled code on disk, so that the next process does not compile the same source again.
//
// The key of an entry is everything that the result depends on: source, options, name expressions, NVRTC itself (path,
// size and time of the library) and every header that the source may include or ask for: the caller's own by content,
// the toolkit's by size and time, and those that were searched and not found. A program of NVVM IR reads no files: its
// key has its modules, libNVVM, and the content of libdevice. Where Cuprum cannot be sure, it does not cache
// (docs/compile-cache.md). Threads and processes that want the same compile at once run it once, or wait 10
// seconds for each other. The cache never makes a compile fail: where it cannot be used, NVRTC compiles.
//
// Environment, read at every compile:
//   CUPRUM_CACHE_DIR    the folder; by default $XDG_CACHE_HOME/cuprum or ~/.cache/cuprum. Not used if
//                       anyone but its owner may write to it.
//   CUPRUM_CACHE        "off" or "0": no cache
//   CUPRUM_CACHE_SIZE   the entries' total size at most, "512MiB" (bytes, KiB, MiB or GiB); 1GiB by default. The
//                       entries that have not been used for longest go first.
// A single compile is kept out with ProgramOptions::no_cache.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuprum::core {

struct CompileCacheInfo {
    bool enabled = false;
    std::string directory;        ///< empty where there is none
    std::string disabled_reason;  ///< empty where it is enabled
    uint64_t size_limit = 0;      ///< bytes
    uint64_t entries = 0;         ///< on disk, now
    uint64_t size = 0;            ///< bytes on disk, now, with what is being written
    // Of this process, since it began.
    uint64_t hits = 0;
    uint64_t misses = 0;    ///< compiled, and stored where that was possible
    uint64_t bypassed = 0;  ///< compiles that are not kept: asked for, or not a function of what can be known
    uint64_t dropped = 0;   ///< entries found corrupted and removed
    uint64_t evicted = 0;   ///< entries removed because the folder had exceeded its limit
};

struct CompileCacheEntry {
    std::string path;       ///< of its file
    std::string program;    ///< what the compile called its source; empty where the entry is damaged
    uint64_t size = 0;      ///< bytes
    int64_t last_used = 0;  ///< seconds since 1970
};

struct CompileCacheCheck {
    uint64_t intact = 0;
    uint64_t removed = 0;  ///< damaged, or of another version of Cuprum
};

/// Reads the folder. Never fails: what cannot be read is not counted. Thread-safe.
CompileCacheInfo compile_cache_info();

/// The entries on disk, most recently used first. Reads all of them, which does not count as use. Never fails:
/// what cannot be read is left out. Thread-safe.
std::vector<CompileCacheEntry> compile_cache_entries();

/// Reads every entry, which does not count as use, and removes those that a compile would not take: whose checksum is
/// wrong, or that another version of Cuprum has written. Thread-safe, never fails.
CompileCacheCheck verify_compile_cache();

/// Removes all entries. Compiles in progress still store theirs. Thread-safe, never fails.
void clear_compile_cache();

}  // namespace cuprum::core
