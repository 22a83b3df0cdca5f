package io.cuprum;

import java.util.Objects;

/**
 * How a kernel is launched.
 *
 * @param grid blocks
 * @param block threads in each block
 * @param shmemSize dynamic shared memory for each block, bytes
 * @param isCooperative whether the whole grid may synchronise
 */
public record LaunchConfig(Dimensions grid, Dimensions block, int shmemSize, boolean isCooperative) {
    /**
     * Refuses null and a negative size.
     *
     * @param grid blocks
     * @param block threads in each block
     * @param shmemSize dynamic shared memory for each block, bytes
     * @param isCooperative whether the whole grid may synchronise
     */
    public LaunchConfig {
        Objects.requireNonNull(grid, "grid");
        Objects.requireNonNull(block, "block");
        if (shmemSize < 0) {
            throw new IllegalArgumentException("shmemSize must not be negative: " + shmemSize);
        }
    }

    /**
     * No dynamic shared memory, not cooperative.
     *
     * @param grid blocks
     * @param block threads in each block
     */
    public LaunchConfig(Dimensions grid, Dimensions block) {
        this(grid, block, 0, false);
    }

    /**
     * One-dimensional.
     *
     * @param grid blocks
     * @param block threads in each block
     */
    public LaunchConfig(int grid, int block) {
        this(new Dimensions(grid), new Dimensions(block));
    }

    /**
     * One-dimensional, with dynamic shared memory.
     *
     * @param grid blocks
     * @param block threads in each block
     * @param shmemSize bytes for each block
     */
    public LaunchConfig(int grid, int block, int shmemSize) {
        this(new Dimensions(grid), new Dimensions(block), shmemSize, false);
    }
}
