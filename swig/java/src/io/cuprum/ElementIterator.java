package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.NativeHandle;
import java.lang.ref.Reference;

/**
 * Where a parallel algorithm reads its elements, or writes its results. An algorithm is built for an iterator's kind and
 * types; every call may pass another one of that kind. Iterators are made of each other; where one can only be read, or
 * only be written to, {@link InvalidArgumentException} says so.
 */
public final class ElementIterator implements AutoCloseable {
    private static final long ENDLESS = Long.MAX_VALUE;

    private final NativeHandle handle;
    private final ElementType type;
    private final long available;    // elements
    private final Object keep;    // what must stay alive with it
    private final boolean onHost;    // over host memory

    private ElementIterator(long handle, ElementType type, long available, Object keep) {
        this.type = type;
        this.available = available;
        this.keep = keep;
        this.onHost = keep instanceof HostArray || keep instanceof ElementIterator[] parts && anyOnHost(parts);
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
            return new ElementIterator(created[0], result, available, new ElementIterator[] {this});
        } finally {
            Reference.reachabilityFence(op);
            Reference.reachabilityFence(this);
        }
    }

    /**
     * An output that what is written to goes nowhere.
     *
     * @param type the type of what is written
     * @return the iterator
     */
    public static ElementIterator discard(ElementType type) {
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_discard(created, type.text());
        return new ElementIterator(created[0], type, ENDLESS, null);
    }

    /**
     * These elements from the last one backwards. Read and written as this one is.
     *
     * @param last the position, in this one, that becomes the first: of n elements n - 1
     * @return the iterator
     */
    public ElementIterator reverse(long last) {
        return made((created, operation) -> CuprumNative.cuprum_parallel_iterator_reverse(
                created, open(operation), last), type, available == ENDLESS ? ENDLESS : last + 1, this);
    }

    /**
     * Some of these elements: start, start + step and so on. Read and written as this one is.
     *
     * @param step the distance; may be negative, and 1 to skip the first elements
     * @param start the position, in this one, that becomes the first
     * @return the iterator
     */
    public ElementIterator strided(long step, long start) {
        long left = step > 0 ? available - start : start + 1;
        boolean isEndless = step == 0 || available == ENDLESS;
        long count = isEndless ? ENDLESS : Math.max(0, -Math.floorDiv(-left, Math.abs(step)));
        return made((created, operation) -> CuprumNative.cuprum_parallel_iterator_strided(
                created, open(operation), step, start), type, count, this);
    }

    /**
     * These elements in another order: position i is position indices[i] of this one. Read and written as this one is; the
     * indices of elements that are written are different.
     *
     * @param indices integers; not checked
     * @return the iterator
     */
    public ElementIterator permute(ElementIterator indices) {
        return made((created, operation) -> CuprumNative.cuprum_parallel_iterator_permutation(
                created, open(operation), indices.open(operation)), type, indices.available, this, indices);
    }

    /**
     * The elements of several iterators, a struct at each position. Read if all of them can be, written if all can be.
     *
     * @param type a struct with a field of the type of each part, in their order
     * @param parts the iterators, up to 64
     * @return the iterator
     */
    public static ElementIterator zip(ElementType type, ElementIterator... parts) {
        String operation = "making an iterator";
        long available = ENDLESS;
        long zipped = 0;
        try {
            for (int i = 0; i < parts.length; i++) {
                long[] created = new long[1];
                long former = zipped;
                try {
                    CuprumNative.cuprum_parallel_iterator_zip(created, former, parts[i].open(operation),
                            i + 1 == parts.length ? type.text() : null);
                } finally {
                    CuprumNative.cuprum_parallel_iterator_destroy(former);
                }
                zipped = created[0];
                available = Math.min(available, parts[i].available);
            }
        } finally {
            Reference.reachabilityFence(parts);
        }
        if (parts.length == 0) {
            throw Errors.invalidArgument(operation, "parts", "has no iterator; expected at least one");
        }
        return new ElementIterator(zipped, type, available, parts.clone());
    }

    /**
     * Writes an operator's result to this one of what is written. Write only.
     *
     * @param op the operator of one operand, which sees what is written as {@code a}
     * @param value the type of what is written
     * @return the iterator
     */
    public ElementIterator transformOutput(Operator op, ElementType value) {
        try {
            return made((created, operation) -> CuprumNative.cuprum_parallel_iterator_transform_output(
                    created, open(operation), op.open(operation), value.text()), value, available, this);
        } finally {
            Reference.reachabilityFence(op);
        }
    }

    /**
     * The elements of a buffer, loaded in a way of their own. Read only.
     *
     * @param type the type of the elements
     * @param buffer the buffer, kept alive with the iterator
     * @param modifier how they are loaded
     * @return the iterator
     */
    public static ElementIterator cacheModified(ElementType type, Buffer buffer, CacheModifier modifier) {
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_cache_modified(
                created, type.text(), buffer.handle(), modifier.ordinal());
        return new ElementIterator(created[0], type, buffer.size() / type.size(), buffer);
    }

    /**
     * A permutation of 0 to n - 1 at random, as INT64: the same for the same seed, wherever it is read. Positions from n on
     * begin again.
     *
     * @param n how many numbers, at least 1
     * @param seed any number
     * @return the iterator
     */
    public static ElementIterator shuffle(long n, long seed) {
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_shuffle(created, n, seed);
        return new ElementIterator(created[0], ElementType.INT64, ENDLESS, null);
    }

    /**
     * The positions of an array with these extents, the last of which is that of neighbours: element i is a struct of INT64
     * with the fields index, which is i, and i0, i1 and so on, its coordinates. A {@link ForEach} over it calls its operator
     * for each position. On devices alone.
     *
     * @param extents 1 to 8 of them
     * @return the iterator
     */
    public static ElementIterator coordinates(long... extents) {
        ElementType.Field[] fields = new ElementType.Field[extents.length + 1];
        fields[0] = ElementType.field("index", ElementType.INT64);
        StringBuilder text = new StringBuilder();
        long count = 1;
        for (int i = 0; i < extents.length; i++) {
            fields[i + 1] = ElementType.field("i" + i, ElementType.INT64);
            text.append(i == 0 ? "" : ",").append(Long.toUnsignedString(extents[i]));
            count *= extents[i];
        }
        ElementType type = ElementType.structure("cuprum_coordinates_" + extents.length, fields);
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_iterator_coordinates(created, text.toString(), type.text());
        return new ElementIterator(created[0], type, count, null);
    }

    /** A function of the C ABI that makes an iterator. */
    @FunctionalInterface
    private interface Make {
        void run(long[] created, String operation);
    }

    private static ElementIterator made(Make make, ElementType type, long available, ElementIterator... parts) {
        try {
            long[] created = new long[1];
            make.run(created, "making an iterator");
            return new ElementIterator(created[0], type, available, parts);
        } finally {
            Reference.reachabilityFence(parts);
        }
    }

    private static boolean anyOnHost(ElementIterator[] parts) {
        for (ElementIterator part : parts) {
            if (part.onHost) {
                return true;
            }
        }
        return false;
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
        if (onHost) {
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
