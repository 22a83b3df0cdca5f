package io.cuprum;

/**
 * Options for a new pool of page-locked host memory.
 *
 * @param maxSize the most bytes, rounded up by the driver; 0: as much as there is
 * @param numaId the NUMA node of the memory; -1: the system chooses
 */
public record PinnedMemoryResourceOptions(long maxSize, int numaId) {
    /** As much memory as there is, on a node that the system chooses. */
    public PinnedMemoryResourceOptions() {
        this(0, -1);
    }

    /**
     * Refuses a negative size.
     *
     * @param maxSize the most bytes; 0: as much as there is
     * @param numaId the NUMA node; -1: the system chooses
     */
    public PinnedMemoryResourceOptions {
        if (maxSize < 0) {
            throw new IllegalArgumentException("the size of a pool must not be negative: " + maxSize);
        }
    }
}
