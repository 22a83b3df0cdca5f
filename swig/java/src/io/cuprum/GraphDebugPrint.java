package io.cuprum;

/** What a DOT file of a graph has beside its nodes and edges. */
public enum GraphDebugPrint {
    /** Everything. */
    VERBOSE,
    /** Types of the CUDA runtime. */
    RUNTIME_TYPES,
    /** Parameters of kernel nodes. */
    KERNEL_NODE_PARAMS,
    /** Parameters of memcpy nodes. */
    MEMCPY_NODE_PARAMS,
    /** Parameters of memset nodes. */
    MEMSET_NODE_PARAMS,
    /** Parameters of host callback nodes. */
    HOST_NODE_PARAMS,
    /** Events. */
    EVENT_NODE_PARAMS,
    /** Parameters of nodes that signal external semaphores. */
    EXT_SEMAS_SIGNAL_NODE_PARAMS,
    /** Parameters of nodes that wait for external semaphores. */
    EXT_SEMAS_WAIT_NODE_PARAMS,
    /** Attributes of kernel nodes. */
    KERNEL_NODE_ATTRIBUTES,
    /** Handles. */
    HANDLES,
    /** Parameters of allocation nodes. */
    MEM_ALLOC_NODE_PARAMS,
    /** Parameters of free nodes. */
    MEM_FREE_NODE_PARAMS,
    /** Parameters of batch memory operation nodes. */
    BATCH_MEM_OP_NODE_PARAMS,
    /** Numbers of edges. */
    EXTRA_TOPO_INFO,
    /** Parameters of conditional nodes. */
    CONDITIONAL_NODE_PARAMS;

    /** The driver's bits of them all. */
    static long flags(GraphDebugPrint... options) {
        long flags = 0;
        for (GraphDebugPrint option : options) {
            flags |= 1L << option.ordinal();
        }
        return flags;
    }
}
