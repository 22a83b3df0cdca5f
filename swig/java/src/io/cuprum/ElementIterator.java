package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.NativeHandle;
import java.lang.ref.Reference;

/**
 * Where a parallel algorithm reads its elements. An algorithm is built for an iterator's kind and types; every call may
 * pass another one of that kind.
 */
public final class ElementIterator implements AutoCloseable {
    private static final long ENDLESS = Long.MAX_VALUE;

    private final NativeHandle handle;
    private final ElementType type;
    private final long available;    // elements
    private final Object keep;    // what must stay alive with it

    private ElementIterator(long handle, ElementType type, long available, Object keep) {
        this.type = type;
        this.available = available;
        this.keep = keep;
        this.handle = new NativeHandle(this, handle, CuprumNative::cuprum_parallel_iterator_destroy);
    }

    /**
     * The elements of a buffer.
     *
     * @param type the type of the elements
     * @param buffer the buffer, kept alive with the iterator
     * @return the iterator
     */
    public static ElementIterator of(ElementType type, Buffer buffer) {
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_pointer(created, type.text(), buffer.handle());
        return new ElementIterator(created[0], type, buffer.size() / type.size(), buffer);
    }

    /**
     * The elements of an array, for algorithms on the host's cores ({@link Execution#HOST}).
     *
     * @param array the array, read in place and kept alive with the iterator
     * @return the iterator
     */
    public static ElementIterator of(HostArray array) {
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_pointer(created, array.type().text(), HostArrays.address(array));
        return new ElementIterator(created[0], array.type(), array.length(), array);
    }

    /**
     * The elements of a buffer that is not there yet: to build an algorithm with, not to call it.
     *
     * @param type the type of the elements
     * @return the iterator
     */
    public static ElementIterator of(ElementType type) {
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_pointer(created, type.text(), 0);
        return new ElementIterator(created[0], type, 0, null);
    }

    /**
     * The same value at every position.
     *
     * @param type the type of the value
     * @param value the value
     * @return the iterator
     */
    public static ElementIterator constant(ElementType type, Number value) {
        return constant(Value.of(type, value));
    }

    /**
     * The same value at every position.
     *
     * @param value the value
     * @return the iterator
     */
    public static ElementIterator constant(Value value) {
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_constant(
                created, value.type().text(), value.address(), value.type().size());
        Reference.reachabilityFence(value);
        return new ElementIterator(created[0], value.type(), ENDLESS, null);
    }

    /**
     * start, start + 1 and so on.
     *
     * @param type the type of the numbers
     * @param start the first number
     * @return the iterator
     */
    public static ElementIterator counting(ElementType type, Number start) {
        Value first = Value.of(type, start);
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_counting(created, type.text(), first.address(), type.size());
        Reference.reachabilityFence(first);
        return new ElementIterator(created[0], type, ENDLESS, null);
    }

    /**
     * An operator of one operand applied to these elements.
     *
     * @param op the operator, which sees the element as {@code a}
     * @param result the type of its result
     * @return the iterator
     */
    public ElementIterator transform(Operator op, ElementType result) {
        String operation = "transforming";
        try {
            long[] created = new long[1];
            CuprumNative.cuprum_parallel_iterator_transform(
                    created, open(operation), op.open(operation), result.text());
            return new ElementIterator(created[0], result, available, keep);
        } finally {
            Reference.reachabilityFence(op);
            Reference.reachabilityFence(this);
        }
    }

    /** {@return the type of its elements} */
    public ElementType type() {
        return type;
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return "ElementIterator of " + type;
    }

    /** The native handle; the caller keeps this iterator reachable for as long as it uses it. */
    long open(String operation) {
        if (handle.isClosed()) {
            throw Errors.closed(this, operation);
        }
        return handle.value();
    }

    /** The same for a device, which cannot read host memory. */
    long openOnDevice(String operation, long count) {
        if (keep instanceof HostArray) {
            throw Errors.invalidArgument(operation, "input",
                    "is host memory, and the algorithm was built for a device: copy it to a Buffer");
        }
        return open(operation, count);
    }

    /** The native handle, where at least `count` elements are to be read. */
    long open(String operation, long count) {
        long opened = open(operation);
        if (count < 0 || count > available) {
            throw Errors.invalidArgument(operation, "count",
                    "is " + count + ", and the input has " + available + " elements of " + type.name());
        }
        return opened;
    }
}
