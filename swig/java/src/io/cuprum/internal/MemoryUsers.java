package io.cuprum.internal;

/**
 * Counts the users of a buffer's memory: the buffer itself until it is closed, and views of it as host memory. The last
 * one to go destroys the buffer's handle.
 */
public final class MemoryUsers {
    /** The buffer itself is one. */
    private int count = 1;

    /** What owns memory that the buffer has registered; reachable from whatever will release it. */
    @SuppressWarnings("unused")
    private final Object owner;

    /** Of memory that the buffer owns. */
    public MemoryUsers() {
        this(null);
    }

    /** `owner` is kept reachable until the last user is gone. */
    public MemoryUsers(Object owner) {
        this.owner = owner;
    }

    /** Adds a user; false if the memory is gone. */
    public synchronized boolean add() {
        if (count == 0) {
            return false;
        }
        ++count;
        return true;
    }

    /** Whether there are users beside the buffer itself, which is not closed. */
    public synchronized boolean hasViews() {
        return count > 1;
    }

    /** Removes one user of the buffer with that handle. */
    public void release(long buffer) {
        boolean isLast;
        synchronized (this) {
            isLast = --count == 0;
        }
        if (isLast) {
            CuprumNative.cuprum_buffer_destroy(buffer);
        }
    }
}
