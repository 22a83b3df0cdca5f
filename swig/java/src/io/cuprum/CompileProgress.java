package io.cuprum;

/**
 * One compile of many that is done ({@link Program#compileAll}).
 *
 * @param index which of the requests, from 0
 * @param done how many are done, with this one
 * @param total how many were requested
 * @param succeeded whether it has succeeded
 * @param fromCache whether it was found in the compile cache, and not compiled
 * @param log what the compiler said: warnings, or why it failed
 */
public record CompileProgress(long index, long done, long total, boolean succeeded, boolean fromCache, String log) {}
