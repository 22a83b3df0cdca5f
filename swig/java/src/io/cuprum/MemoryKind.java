package io.cuprum;

/** What memory is. */
public enum MemoryKind {
    /** A device's. */
    DEVICE,
    /** Page-locked host memory, which devices use too. */
    PINNED,
    /** Managed memory, which moves to where it is used. */
    MANAGED,
    /** Host memory that no device uses. */
    HOST;

    /** CUPRUM_MEMORY_*. */
    int number() {
        return ordinal() + 1;
    }
}
