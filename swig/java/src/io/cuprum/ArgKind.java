package io.cuprum;

/** Which extreme element {@link ArgReduce} finds. The order of the constants is the C ABI's. */
public enum ArgKind {
    /** The first of the smallest. */
    MINIMUM,
    /** The first of the largest. */
    MAXIMUM
}
