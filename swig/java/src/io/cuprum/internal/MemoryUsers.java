package io.cuprum.internal;

/**
 * Who uses the memory of a buffer: the buffer, until it is closed, and views of it as host memory. When the last of them
 * is gone, the buffer's handle is destroyed.
 */
public final class MemoryUsers {
    /** Of which the buffer itself is one. */
    private int count = 1;

    /** One more; false where the memory is gone. */
    public synchronized boolean add() {
        if (count == 0) {
            return false;
        }
        ++count;
        return true;
    }

    /** One less of the buffer with that handle. */
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
