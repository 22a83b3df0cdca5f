package io.cuprum;

/** Which calls are refused while a graph is built, because what they do could not be captured. */
public enum GraphBuildMode {
    /** In all threads. */
    GLOBAL,
    /** In this thread. */
    THREAD_LOCAL,
    /** None: the program sees to it. */
    RELAXED
}
