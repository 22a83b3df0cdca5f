package io.cuprum;

/** Which elements a prefix sum adds up. The order of the constants is the C ABI's. */
public enum ScanKind {
    /** Those before this one, starting from an initial value. */
    EXCLUSIVE,
    /** Those up to and including this one. */
    INCLUSIVE,
    /** Those up to and including this one, starting from an initial value. */
    INCLUSIVE_WITH_INIT
}
