package io.cuprum;

/**
 * A device's generation.
 *
 * @param major 9 of 9.0
 * @param minor 0 of 9.0
 */
public record ComputeCapability(int major, int minor) {}
