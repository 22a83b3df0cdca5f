package io.cuprum;

/**
 * Blocks in a grid or threads in a block.
 *
 * @param x along the fastest varying axis
 * @param y along the second
 * @param z along the third
 */
public record Dimensions(int x, int y, int z) {
    /**
     * Refuses what is not at least 1; whether the device takes the others is for the launch to say.
     *
     * @param x along the fastest varying axis
     * @param y along the second
     * @param z along the third
     */
    public Dimensions {
        if (x < 1 || y < 1 || z < 1) {
            throw new IllegalArgumentException("dimensions must be at least 1: (" + x + ", " + y + ", " + z + ")");
        }
    }

    /**
     * One axis.
     *
     * @param x along the fastest varying axis
     */
    public Dimensions(int x) {
        this(x, 1, 1);
    }

    /**
     * Two axes.
     *
     * @param x along the fastest varying axis
     * @param y along the second
     */
    public Dimensions(int x, int y) {
        this(x, y, 1);
    }
}
