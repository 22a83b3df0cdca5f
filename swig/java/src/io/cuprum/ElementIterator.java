package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import io.cuprum.internal.NativeHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;

/**
 * Where a parallel algorithm reads its elements. An algorithm is built for an iterator's kind and types; every call may
 * pass another one of that kind.
 */
public final class ElementIterator implements AutoCloseable {
    private final NativeHandle handle;
    private final Object keep;    // what must stay alive with it

    private ElementIterator(long handle, Object keep) {
        this.keep = keep;
        this.handle = new NativeHandle(this, handle, CuprumNative::cuprum_parallel_iterator_destroy);
    }

    /**
     * The elements of a buffer.
     *
     * @param type of the elements
     * @param buffer is kept alive with the iterator
     * @return the iterator
     */
    public static ElementIterator of(ElementType type, Buffer buffer) {
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_pointer(created, type.text(), buffer.handle());
        return new ElementIterator(created[0], buffer);
    }

    /**
     * The same value everywhere.
     *
     * @param type of the value
     * @param value which
     * @return the iterator
     */
    public static ElementIterator constant(ElementType type, Number value) {
        ByteBuffer bytes = type.encode(value);
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_constant(
                created, type.text(), HostMemory.addressOf(bytes), type.size());
        Reference.reachabilityFence(bytes);
        return new ElementIterator(created[0], null);
    }

    /**
     * start, start + 1 and so on.
     *
     * @param type of the numbers
     * @param start the first one
     * @return the iterator
     */
    public static ElementIterator counting(ElementType type, Number start) {
        ByteBuffer bytes = type.encode(start);
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_counting(
                created, type.text(), HostMemory.addressOf(bytes), type.size());
        Reference.reachabilityFence(bytes);
        return new ElementIterator(created[0], null);
    }

    /**
     * An operator of one operand applied to these elements.
     *
     * @param op sees the element as {@code a}
     * @param result the type of what it gives
     * @return the iterator
     */
    public ElementIterator transform(Operator op, ElementType result) {
        return with("transforming", base -> op.with("transforming", function -> {
            long[] created = new long[1];
            CuprumNative.cuprum_parallel_iterator_transform(created, base, function, result.text());
            return new ElementIterator(created[0], keep);
        }));
    }

    @Override
    public void close() {
        handle.close();
    }

    /** Runs `action` with the native handle; this iterator stays reachable meanwhile. */
    <T> T with(String operation, LongFunction<T> action) {
        try {
            if (handle.isClosed()) {
                throw Errors.closed(this, operation);
            }
            return action.apply(handle.value());
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
