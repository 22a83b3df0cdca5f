package io.cuprum;

/**
 * Two buffers, or arrays, of one type and length, between which a sort goes ({@link RadixSort}), so that it needs no other
 * memory for the elements. They are in {@link #current}, before a sort and after it; what {@link #alternate} has then is
 * not defined. Keeps both; not thread-safe.
 *
 * @param <T> {@link Buffer}; or an array, for a sort on the host's cores
 */
public final class DoubleBuffer<T> {
    private T current;
    private T alternate;
    private int selector;

    /**
     * Of two buffers or arrays.
     *
     * @param current has the elements
     * @param alternate another one, which does not overlap it
     */
    public DoubleBuffer(T current, T alternate) {
        this.current = current;
        this.alternate = alternate;
    }

    /** {@return what has the elements} */
    public T current() {
        return current;
    }

    /** {@return the other one} */
    public T alternate() {
        return alternate;
    }

    /** {@return which one is current: 0, the first that was given, or 1} */
    public int selector() {
        return selector;
    }

    /** After a sort; `values` may be null. */
    static void swap(DoubleBuffer<?> keys, DoubleBuffer<?> values) {
        keys.swap();
        if (values != null) {
            values.swap();
        }
    }

    private void swap() {
        T other = alternate;
        alternate = current;
        current = other;
        selector = 1 - selector;
    }
}
