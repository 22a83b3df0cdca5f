package io.cuprum;

import java.util.Objects;

/**
 * Hints for the copies of a batch. They change no result. The locations apply to managed memory.
 *
 * @param sourceAccessOrder when the sources are read
 * @param sourceLocationHint where the sources are; null for no hint
 * @param destinationLocationHint where the destinations are; null for no hint
 * @param preferOverlapWithCompute whether the copies should rather overlap with kernels
 */
public record CopyOptions(CopySourceAccessOrder sourceAccessOrder, MemoryLocation sourceLocationHint,
        MemoryLocation destinationLocationHint, boolean preferOverlapWithCompute) {
    /**
     * Refuses a null order.
     *
     * @param sourceAccessOrder when the sources are read
     * @param sourceLocationHint where the sources are; null for no hint
     * @param destinationLocationHint where the destinations are; null for no hint
     * @param preferOverlapWithCompute whether the copies should rather overlap with kernels
     */
    public CopyOptions {
        Objects.requireNonNull(sourceAccessOrder, "sourceAccessOrder must not be null");
    }

    /** No hints. */
    public CopyOptions() {
        this(CopySourceAccessOrder.STREAM, null, null, false);
    }

    /**
     * Without locations.
     *
     * @param sourceAccessOrder when the sources are read
     */
    public CopyOptions(CopySourceAccessOrder sourceAccessOrder) {
        this(sourceAccessOrder, null, null, false);
    }
}
