package io.cuprum;

/** What a texture gives between elements. */
public enum FilterMode {
    /** The nearest one. */
    POINT,
    /** A weighted mean of those around. */
    LINEAR
}
