package io.cuprum.internal;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The direct buffers that copies in a stream may still read or write. Keeping them reachable keeps the garbage
 * collector from freeing their memory under a running copy.
 */
public final class PendingHostMemory {
    private static final int CHECK_AT_LEAST = 64;

    /** Each buffer once, with the number of its latest use. */
    private final Map<Object, Long> uses = new IdentityHashMap<>();
    private long useCount;
    private int checkAt = CHECK_AT_LEAST;

    /** Call before the copy starts. Returns true when there are many: check then whether the stream is done. */
    public synchronized boolean add(Object hostMemory) {
        uses.put(hostMemory, ++useCount);
        return uses.size() >= checkAt;
    }

    /** The mark to pass to passed() once all work up to now is known to be done. */
    public synchronized long mark() {
        return useCount;
    }

    /** All uses up to `mark` are over. */
    public synchronized void passed(long mark) {
        uses.values().removeIf(use -> use <= mark);
        checkAt = Math.max(CHECK_AT_LEAST, 2 * uses.size());
    }

    /** Whether there is nothing to wait for. */
    public synchronized boolean isEmpty() {
        return uses.isEmpty();
    }
}
