package io.cuprum;

/**
 * What {@link Cuprum#verifyCompileCache} found.
 *
 * @param intact entries that can be used
 * @param removed entries that were damaged, or that another version of Cuprum wrote
 */
public record CompileCacheCheck(long intact, long removed) {}
