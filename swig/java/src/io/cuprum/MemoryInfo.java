package io.cuprum;

/**
 * A device's memory at one moment.
 *
 * @param free bytes that can still be allocated
 * @param total bytes that the device has in all
 */
public record MemoryInfo(long free, long total) {}
