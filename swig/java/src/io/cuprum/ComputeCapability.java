package io.cuprum;

/**
 * A device's compute capability.
 *
 * @param major the major number, 9 in 9.0
 * @param minor the minor number, 0 in 9.0
 */
public record ComputeCapability(int major, int minor) {}
