package io.cuprum;

/** What a node of a graph is. The driver's numbers. */
public enum GraphNodeType {
    /** A kernel's launch. */
    KERNEL,
    /** A copy. */
    MEMCPY,
    /** A fill. */
    MEMSET,
    /** A function of the program's. */
    HOST,
    /** Another graph. */
    CHILD_GRAPH,
    /** Nothing. */
    EMPTY,
    /** Waits for an event. */
    EVENT_WAIT,
    /** Records an event. */
    EVENT_RECORD,
    /** Signals semaphores of another API. */
    EXTERNAL_SEMAPHORES_SIGNAL,
    /** Waits for semaphores of another API. */
    EXTERNAL_SEMAPHORES_WAIT,
    /** Allocates memory. */
    ALLOCATION,
    /** Frees memory. */
    FREE,
    /** Waits for words of memory and writes them. */
    BATCH_MEMORY_OPERATION,
    /** Runs what a condition says. */
    CONDITIONAL
}
