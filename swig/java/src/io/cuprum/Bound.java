package io.cuprum;

/** Of the positions where a value can be inserted among sorted elements. The order of the constants is the C ABI's. */
public enum Bound {
    /** The first. */
    LOWER,
    /** The last. */
    UPPER
}
