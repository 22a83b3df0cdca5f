package io.cuprum;

/** The attributes of a pool: sizes in bytes, and 1 or 0 for true or false. */
public enum MemoryPoolAttribute {
    /** Freed memory may be reused in another stream if an event makes that stream wait for the free. */
    REUSE_FOLLOW_EVENT_DEPENDENCIES,
    /** Freed memory may be reused in another stream if the free is already done. */
    REUSE_ALLOW_OPPORTUNISTIC,
    /** Freed memory may be reused in another stream, which is made to wait for the free. */
    REUSE_ALLOW_INTERNAL_DEPENDENCIES,
    /** Memory beyond this size goes back to the system when a stream is synchronised. */
    RELEASE_THRESHOLD,
    /** Bytes that the pool holds, used or not. */
    RESERVED_MEM_CURRENT,
    /** The most bytes that it has held; can be reset to 0. */
    RESERVED_MEM_HIGH,
    /** Bytes in buffers. */
    USED_MEM_CURRENT,
    /** The most bytes that have been in buffers; can be reset to 0. */
    USED_MEM_HIGH;

    /** CUPRUM_POOL_*. */
    int number() {
        return ordinal() + 1;
    }
}
