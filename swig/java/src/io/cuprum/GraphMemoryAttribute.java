package io.cuprum;

/** What a device holds for its graphs, in bytes. */
public enum GraphMemoryAttribute {
    /** In graphs that run. */
    USED_MEM_CURRENT,
    /** The most that has been in graphs; can be set to 0, which makes it the current value. */
    USED_MEM_HIGH,
    /** Held for graphs, used or not. */
    RESERVED_MEM_CURRENT,
    /** The most that has been held; can be set to 0, which makes it the current value. */
    RESERVED_MEM_HIGH;

    /** CUPRUM_GRAPH_MEMORY_*. */
    int number() {
        return ordinal();
    }
}
