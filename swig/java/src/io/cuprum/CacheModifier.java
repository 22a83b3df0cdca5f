package io.cuprum;

/** How elements are loaded from a device's memory. */
public enum CacheModifier {
    /** They are likely to be read once. */
    STREAM,
    /** Cached for all multiprocessors only. */
    GLOBAL,
    /** Fetched again each time. */
    VOLATILE
}
