package io.cuprum;

/** Where the memory of an allocation node is. */
public enum GraphMemoryType {
    /** On a device. */
    DEVICE,
    /** Page-locked host memory. */
    HOST,
    /** Wherever it is used. */
    MANAGED
}
