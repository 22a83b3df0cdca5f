package io.cuprum;

/** The order of a sort by the bits of the keys. The order of the constants is the C ABI's. */
public enum SortOrder {
    /** The smallest key first. */
    ASCENDING,
    /** The largest key first. */
    DESCENDING
}
