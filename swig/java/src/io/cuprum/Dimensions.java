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
     * Refuses negative numbers; whether the device takes the others is for the launch to say.
     *
     * @param x along the fastest varying axis
     * @param y along the second
     * @param z along the third
     */
    public Dimensions {
        if (x < 0 || y < 0 || z < 0) {
            throw new IllegalArgumentException("dimensions must not be negative: (" + x + ", " + y + ", " + z + ")");
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
