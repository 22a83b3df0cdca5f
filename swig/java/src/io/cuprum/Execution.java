package io.cuprum;

/** Where an algorithm runs that is built for no device. */
public enum Execution implements BuildTarget {
    /**
     * On the host's own cores, over arrays and direct buffers: no driver and no compiler take part. There are numbers,
     * BOOL and complex numbers, well-known operators ({@link OpKind}), and iterators of them; anything else is an
     * {@link UnsupportedException} when it is built. Calls take no stream, are done when they return, and may be made by
     * several threads at once. The environment's OMP_NUM_THREADS limits the threads.
     */
    HOST;

    /** CUPRUM_DEVICE_HOST. */
    static final int NATIVE_HOST = -1;
}
