package io.cuprum;

/**
 * The cache of compiled code on disk, and how this process has used it ({@link Cuprum#compileCacheInfo}).
 *
 * @param directory the cache folder; empty if the cache is disabled
 * @param disabledReason why the cache is disabled; empty if it is enabled
 * @param sizeLimit the most bytes that the entries may take
 * @param entries the number of entries on disk now
 * @param size the size of all entries on disk now, in bytes
 * @param hits compiles of this process that were found in the cache
 * @param misses compiles that were not found; their results were stored where possible
 * @param bypassed compiles that bypassed the cache: on request, or because the result depends on more than the cache
 *     can see
 * @param dropped entries found damaged and removed
 * @param evicted entries removed because the folder had exceeded its limit
 */
public record CompileCacheInfo(
        String directory,
        String disabledReason,
        long sizeLimit,
        long entries,
        long size,
        long hits,
        long misses,
        long bypassed,
        long dropped,
        long evicted) {}
