#include "cuprum/core/compile_cache.hpp"

#include "call.hpp"
#include "cuprum/capi/program.h"

using namespace cuprum::capi;
namespace core = cuprum::core;

cuprum_status cuprum_compile_cache_directory(const char** directory_out, const char** disabled_reason_out) {
    return run("cuprum_compile_cache_directory", [&](const Call& call) {
        call.require(directory_out, "directory_out");
        call.require(disabled_reason_out, "disabled_reason_out");
        const core::CompileCacheInfo info = core::compile_cache_info();
        *directory_out = lend(info.directory);
        *disabled_reason_out = lend(info.disabled_reason, 1);
    });
}

cuprum_status cuprum_compile_cache_size(uint64_t* entries_out, uint64_t* size_out, uint64_t* size_limit_out) {
    return run("cuprum_compile_cache_size", [&](const Call& call) {
        call.require(entries_out, "entries_out");
        call.require(size_out, "size_out");
        call.require(size_limit_out, "size_limit_out");
        const core::CompileCacheInfo info = core::compile_cache_info();
        *entries_out = info.entries;
        *size_out = info.size;
        *size_limit_out = info.size_limit;
    });
}

cuprum_status cuprum_compile_cache_statistics(uint64_t* hits_out, uint64_t* misses_out, uint64_t* bypassed_out,
                                              uint64_t* dropped_out, uint64_t* evicted_out) {
    return run("cuprum_compile_cache_statistics", [&](const Call& call) {
        call.require(hits_out, "hits_out");
        call.require(misses_out, "misses_out");
        call.require(bypassed_out, "bypassed_out");
        call.require(dropped_out, "dropped_out");
        call.require(evicted_out, "evicted_out");
        const core::CompileCacheInfo info = core::compile_cache_info();
        *hits_out = info.hits;
        *misses_out = info.misses;
        *bypassed_out = info.bypassed;
        *dropped_out = info.dropped;
        *evicted_out = info.evicted;
    });
}

cuprum_status cuprum_compile_cache_verify(uint64_t* intact_out, uint64_t* removed_out) {
    return run("cuprum_compile_cache_verify", [&](const Call& call) {
        call.require(intact_out, "intact_out");
        call.require(removed_out, "removed_out");
        const core::CompileCacheCheck check = core::verify_compile_cache();
        *intact_out = check.intact;
        *removed_out = check.removed;
    });
}

cuprum_status cuprum_compile_cache_clear(void) {
    return run("cuprum_compile_cache_clear", [](const Call&) { core::clear_compile_cache(); });
}
