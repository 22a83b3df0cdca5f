package io.cuprum;

/** Which elements a prefix sum is of. The order of the constants is the C ABI's. */
public enum ScanKind {
    /** Those before, after an initial value. */
    EXCLUSIVE,
    /** Those up to and with this one. */
    INCLUSIVE,
    /** Those up to and with this one, after an initial value. */
    INCLUSIVE_WITH_INIT
}
