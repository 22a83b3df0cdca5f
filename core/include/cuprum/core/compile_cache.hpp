// What compiles leave on disk, so that the next process does not compile the same again.
//
// The key of an entry is everything that the result depends on: source, options, name expressions, NVRTC itself (path,
// size and time of the library) and every header that the source may include or ask for: the caller's own by content,
// the toolkit's by size and time, and those that were looked for in vain. What cannot be told is not kept
// (docs/compile-cache.md). Threads and processes that want the same compile at once run it once, or wait 10 seconds for
// each other. The cache never makes a compile fail: where it cannot be used, NVRTC compiles.
//
// Environment, read at every compile:
//   CUPRUM_CACHE_DIR    the folder; by default $XDG_CACHE_HOME/cuprum or ~/.cache/cuprum. Not used if
//                       anyone but its owner may write to it.
//   CUPRUM_CACHE        "off" or "0": no cache
//   CUPRUM_CACHE_SIZE   the most that the entries may take, "512MiB" (bytes, KiB, MiB or GiB); 1GiB by default. The
//                       entries that have not been used for longest go first.
// A single compile is kept out with ProgramOptions::no_cache.
#pragma once

#include <cstdint>
#include <string>

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
};

/// Reads the folder. Never fails: what cannot be read counts as nothing. Thread-safe.
CompileCacheInfo compile_cache_info();

/// Removes all entries. Compiles that are under way store theirs all the same. Thread-safe, never fails.
void clear_compile_cache();

}  // namespace cuprum::core
