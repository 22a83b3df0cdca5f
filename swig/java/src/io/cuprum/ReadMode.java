package io.cuprum;

/** What kernels get of integers of 8 and 16 bits. */
public enum ReadMode {
    /** Themselves. */
    ELEMENT_TYPE,
    /** Floats from 0, or -1, to 1. */
    NORMALIZED_FLOAT
}
