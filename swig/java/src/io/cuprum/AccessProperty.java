package io.cuprum;

/** How long data that a kernel accesses stays in the L2 cache. The order of the constants is the C ABI's. */
public enum AccessProperty {
    /** The default. */
    NORMAL,
    /** Shorter: the data is evicted first. */
    STREAMING,
    /** Longer: the data is evicted last. */
    PERSISTING
}
