package io.cuprum;

/**
 * Blocks in a grid or threads in a block.
 *
 * @param x the size along the fastest varying axis
 * @param y the size along the second axis
 * @param z the size along the third axis
 */
public record Dimensions(int x, int y, int z) {
    /**
     * Refuses numbers below 1; the launch checks the device's limits.
     *
     * @param x the size along the fastest varying axis
     * @param y the size along the second axis
     * @param z the size along the third axis
     */
    public Dimensions {
        if (x < 1 || y < 1 || z < 1) {
            throw new IllegalArgumentException("dimensions must be at least 1: (" + x + ", " + y + ", " + z + ")");
        }
    }

    /**
     * Dimensions along one axis.
     *
     * @param x the size along the fastest varying axis
     */
    public Dimensions(int x) {
        this(x, 1, 1);
    }

    /**
     * Dimensions along two axes.
     *
     * @param x the size along the fastest varying axis
     * @param y the size along the second axis
     */
    public Dimensions(int x, int y) {
        this(x, y, 1);
    }
}
