package io.cuprum;

/**
 * The launch that fills a device best ({@link Kernel#maxPotentialBlockSize}).
 *
 * @param minGridSize the number of blocks that fill the device
 * @param maxBlockSize threads in a block
 */
public record MaxPotentialBlockSizeOccupancyResult(int minGridSize, int maxBlockSize) {}
