package io.cuprum;

/**
 * Options of a graph that can be launched.
 *
 * @param autoFreeOnLaunch whether a launch frees what the one before has allocated and not freed
 * @param uploadStream in which it is taken to the device at once; or null
 * @param deviceLaunch whether kernels can launch it; not together with autoFreeOnLaunch
 * @param useNodePriority whether nodes run with priorities of their own, not with the stream's
 */
public record GraphCompleteOptions(
        boolean autoFreeOnLaunch, Stream uploadStream, boolean deviceLaunch, boolean useNodePriority) {
    /** None of them. */
    public GraphCompleteOptions() {
        this(false, null, false, false);
    }
}
