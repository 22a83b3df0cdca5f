package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import io.cuprum.internal.NativeHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;

/**
 * One of CUB's algorithms, compiled for types and an operator: built once, called many times, from several threads too.
 *
 * <p>Calls are asynchronous, in the stream's order; the buffers must stay open until the stream has passed them.
 * Temporary storage comes from the device's stream-ordered pool.
 */
public final class Algorithm implements AutoCloseable {
    private final NativeHandle handle;
    private final ElementType accumulator;    // of initial values; null where there are none

    private Algorithm(long handle, ElementType accumulator) {
        this.accumulator = accumulator;
        this.handle = new NativeHandle(this, handle, CuprumNative::cuprum_parallel_algorithm_destroy);
    }

    /**
     * Builds op(...op(init, x0)..., xn-1).
     *
     * @param device where it will run
     * @param input its kind and type are compiled in
     * @param op associative
     * @param accumulator the type of the initial value and of the result
     * @return the reduction
     * @throws CompileException when the operator's text does not compile; its log has the text's own lines
     */
    public static Algorithm reduction(Device device, ElementIterator input, Operator op, ElementType accumulator) {
        return input.with("building a reduction", elements -> op.with("building a reduction", combine -> {
            long[] built = new long[1];
            CuprumNative.cuprum_parallel_reduce_build(
                    built, device.deviceId(), null, elements, combine, accumulator.text());
            return new Algorithm(built[0], accumulator);
        }));
    }

    /**
     * Builds a prefix sum.
     *
     * @param device where it will run
     * @param kind which elements each result is of
     * @param input its kind and type are compiled in
     * @param op associative
     * @param accumulator the type of the initial value and of the results
     * @return the scan
     * @throws CompileException when the operator's text does not compile
     */
    public static Algorithm scan(Device device, ScanKind kind, ElementIterator input, Operator op,
            ElementType accumulator) {
        return input.with("building a scan", elements -> op.with("building a scan", combine -> {
            long[] built = new long[1];
            CuprumNative.cuprum_parallel_scan_build(
                    built, device.deviceId(), null, kind.ordinal(), elements, combine, accumulator.text());
            return new Algorithm(built[0], kind == ScanKind.INCLUSIVE ? null : accumulator);
        }));
    }

    /**
     * Builds a stable sort by the bits of the keys.
     *
     * @param device where it will run
     * @param order of the keys
     * @param keys the keys' type
     * @param values the type of the values that move with them; null for none
     * @return the sort
     */
    public static Algorithm radixSort(Device device, SortOrder order, ElementType keys, ElementType values) {
        long[] built = new long[1];
        CuprumNative.cuprum_parallel_radix_sort_build(
                built, device.deviceId(), null, order.ordinal(), keys.text(), values == null ? null : values.text());
        return new Algorithm(built[0], null);
    }

    /**
     * Builds a stable sort by a comparison.
     *
     * @param device where it will run
     * @param compare whether {@code a} comes before {@code b}
     * @param keys the keys' type
     * @param values the type of the values that move with them; null for none
     * @return the sort
     * @throws CompileException when the comparison's text does not compile
     */
    public static Algorithm mergeSort(Device device, Operator compare, ElementType keys, ElementType values) {
        return compare.with("building a merge sort", before -> {
            long[] built = new long[1];
            CuprumNative.cuprum_parallel_merge_sort_build(
                    built, device.deviceId(), null, before, keys.text(), values == null ? null : values.text());
            return new Algorithm(built[0], null);
        });
    }

    /**
     * Builds op(x) of every element.
     *
     * @param device where it will run
     * @param input its kind and type are compiled in
     * @param op sees the element as {@code a}
     * @param output the type of the results
     * @return the transformation
     * @throws CompileException when the operator's text does not compile
     */
    public static Algorithm transformation(Device device, ElementIterator input, Operator op, ElementType output) {
        return input.with("building a transformation", elements -> op.with("building a transformation", function -> {
            long[] built = new long[1];
            CuprumNative.cuprum_parallel_transform_build(
                    built, device.deviceId(), null, elements, 0, function, output.text());
            return new Algorithm(built[0], null);
        }));
    }

    /**
     * Builds op(x, y) of every pair of elements.
     *
     * @param device where it will run
     * @param first its kind and type are compiled in
     * @param second the same
     * @param op sees the elements as {@code a} and {@code b}
     * @param output the type of the results
     * @return the transformation
     * @throws CompileException when the operator's text does not compile
     */
    public static Algorithm transformation(Device device, ElementIterator first, ElementIterator second, Operator op,
            ElementType output) {
        return first.with("building a transformation",
                left -> second.with("building a transformation",
                        right -> op.with("building a transformation", function -> {
                            long[] built = new long[1];
                            CuprumNative.cuprum_parallel_transform_build(
                                    built, device.deviceId(), null, left, right, function, output.text());
                            return new Algorithm(built[0], null);
                        })));
    }

    /**
     * Runs a reduction.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets one value
     * @param count of the elements
     * @param init of the accumulator's type
     */
    public void reduce(Stream stream, ElementIterator input, Buffer output, long count, Number init) {
        ByteBuffer bytes = encode(init);
        with("reducing", algorithm -> stream.with("reducing", turn -> input.with("reducing", elements -> {
            CuprumNative.cuprum_parallel_reduce(algorithm, turn, elements, output.handle(), count,
                    HostMemory.addressOf(bytes), bytes.remaining(), 0, 0, 0);
            return null;
        })));
        Reference.reachabilityFence(bytes);
    }

    /**
     * Runs a scan.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets as many values as there are elements
     * @param count of the elements
     * @param init of the accumulator's type; null for {@link ScanKind#INCLUSIVE}
     */
    public void scan(Stream stream, ElementIterator input, Buffer output, long count, Number init) {
        ByteBuffer bytes = init == null ? null : encode(init);
        with("scanning", algorithm -> stream.with("scanning", turn -> input.with("scanning", elements -> {
            CuprumNative.cuprum_parallel_scan(algorithm, turn, elements, output.handle(), count,
                    bytes == null ? 0 : HostMemory.addressOf(bytes), bytes == null ? 0 : bytes.remaining(), 0, 0, 0);
            return null;
        })));
        Reference.reachabilityFence(bytes);
    }

    /**
     * Runs a sort of keys alone.
     *
     * @param stream where it takes its turn
     * @param keys are read
     * @param sorted gets the keys in order
     * @param count of the keys
     */
    public void sort(Stream stream, Buffer keys, Buffer sorted, long count) {
        with("sorting", algorithm -> stream.with("sorting", turn -> {
            CuprumNative.cuprum_parallel_sort(
                    algorithm, turn, keys.handle(), sorted.handle(), 0, 0, count, 0, 0, 0, 0, 0);
            return null;
        }));
    }

    /**
     * Runs a sort of keys with values.
     *
     * @param stream where it takes its turn
     * @param keys are read
     * @param sorted gets the keys in order
     * @param values are read
     * @param moved gets the values in their keys' order
     * @param count of the keys
     */
    public void sort(Stream stream, Buffer keys, Buffer sorted, Buffer values, Buffer moved, long count) {
        with("sorting", algorithm -> stream.with("sorting", turn -> {
            CuprumNative.cuprum_parallel_sort(algorithm, turn, keys.handle(), sorted.handle(), values.handle(),
                    moved.handle(), count, 0, 0, 0, 0, 0);
            return null;
        }));
    }

    /**
     * Runs a transformation of one input.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets the results
     * @param count of the elements
     */
    public void transform(Stream stream, ElementIterator input, Buffer output, long count) {
        with("transforming", algorithm -> stream.with("transforming", turn -> input.with("transforming", elements -> {
            CuprumNative.cuprum_parallel_transform(algorithm, turn, elements, 0, output.handle(), count, 0);
            return null;
        })));
    }

    /**
     * Runs a transformation of two inputs.
     *
     * @param stream where it takes its turn
     * @param first of the kind that it was built for
     * @param second the same
     * @param output gets the results
     * @param count of the pairs
     */
    public void transform(Stream stream, ElementIterator first, ElementIterator second, Buffer output, long count) {
        with("transforming", algorithm -> stream.with("transforming", turn -> first.with("transforming",
                left -> second.with("transforming", right -> {
                    CuprumNative.cuprum_parallel_transform(
                            algorithm, turn, left, right, output.handle(), count, 0);
                    return null;
                }))));
    }

    /** {@return its builds, for {@link #loadBuilds}} */
    public byte[] save() {
        return with("saving builds", algorithm -> {
            byte[][] data = new byte[1][];
            CuprumNative.cuprum_parallel_save(data, algorithm);
            return data[0];
        });
    }

    /**
     * Takes what {@link #save()} gave, in any language: the same algorithms then need no compiler.
     *
     * @param device where they will run
     * @param saved the bytes
     * @throws UnsupportedException when nothing in them runs on the device, or they are of another version of Cuprum
     * @throws InvalidArgumentException when they are damaged
     */
    public static void loadBuilds(Device device, byte[] saved) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(saved.length).put(saved).flip();
        CuprumNative.cuprum_parallel_load_builds(device.deviceId(), HostMemory.addressOf(bytes), saved.length);
        Reference.reachabilityFence(bytes);
    }

    @Override
    public void close() {
        handle.close();
    }

    private ByteBuffer encode(Number init) {
        if (accumulator == null) {
            throw new IllegalArgumentException("this algorithm takes no initial value");
        }
        return accumulator.encode(init);
    }

    private <T> T with(String operation, LongFunction<T> action) {
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
