package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The parallel algorithms over Java arrays, in one call: copies in, runs on device 0, copies back, and returns when it
 * is done. For elements that are on the device already, and for many calls, see {@link Algorithm}.
 *
 * <p>Operators are the names of well-known ones ("plus", "maximum" ...) or CUDA C++ over the operands {@code a} and
 * {@code b} ({@link Operator}). A text that does not compile is a {@link CompileException}, whose log has its own lines.
 */
public final class Parallel {
    private Parallel() {}

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static int reduce(int[] data, int init, String op) {
        return reduce(ElementType.INT32, memory(data), init, op).getInt(0);
    }

    /**
     * The prefix sums of the elements, each with the element itself.
     *
     * @param data the elements
     * @param op associative
     * @return as many values
     */
    public static int[] inclusiveScan(int[] data, String op) {
        return arrayInt(scan(ScanKind.INCLUSIVE, ElementType.INT32, memory(data), null, op));
    }

    /**
     * The prefix sums of the elements, each without the element itself.
     *
     * @param data the elements
     * @param init the first result
     * @param op associative
     * @return as many values
     */
    public static int[] exclusiveScan(int[] data, int init, String op) {
        return arrayInt(scan(ScanKind.EXCLUSIVE, ElementType.INT32, memory(data), init, op));
    }

    /**
     * op(x) of every element.
     *
     * @param data the elements
     * @param op sees the element as {@code a}
     * @return as many values
     */
    public static int[] transform(int[] data, String op) {
        return arrayInt(transform(ElementType.INT32, memory(data), op));
    }

    /**
     * Sorts in place, by the bits of the elements.
     *
     * @param data the elements
     * @param order which comes first
     */
    public static void sort(int[] data, SortOrder order) {
        ByteBuffer memory = memory(data);
        sort(ElementType.INT32, memory, order, null);
        memory.asIntBuffer().get(data);
    }

    /**
     * Sorts in place, by a comparison; stable.
     *
     * @param data the elements
     * @param compare whether {@code a} comes before {@code b}
     */
    public static void sort(int[] data, String compare) {
        ByteBuffer memory = memory(data);
        sort(ElementType.INT32, memory, SortOrder.ASCENDING, compare);
        memory.asIntBuffer().get(data);
    }

    /**
     * Where the first smallest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmin(int[] data) {
        return arg(0, ElementType.INT32, memory(data));
    }

    /**
     * Where the first largest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmax(int[] data) {
        return arg(1, ElementType.INT32, memory(data));
    }

    private static ByteBuffer memory(int[] data) {
        ByteBuffer memory = allocate((long) data.length * Integer.BYTES);
        memory.asIntBuffer().put(data);
        return memory;
    }

    private static int[] arrayInt(ByteBuffer memory) {
        int[] data = new int[memory.remaining() / Integer.BYTES];
        memory.asIntBuffer().get(data);
        return data;
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static long reduce(long[] data, long init, String op) {
        return reduce(ElementType.INT64, memory(data), init, op).getLong(0);
    }

    /**
     * The prefix sums of the elements, each with the element itself.
     *
     * @param data the elements
     * @param op associative
     * @return as many values
     */
    public static long[] inclusiveScan(long[] data, String op) {
        return arrayLong(scan(ScanKind.INCLUSIVE, ElementType.INT64, memory(data), null, op));
    }

    /**
     * The prefix sums of the elements, each without the element itself.
     *
     * @param data the elements
     * @param init the first result
     * @param op associative
     * @return as many values
     */
    public static long[] exclusiveScan(long[] data, long init, String op) {
        return arrayLong(scan(ScanKind.EXCLUSIVE, ElementType.INT64, memory(data), init, op));
    }

    /**
     * op(x) of every element.
     *
     * @param data the elements
     * @param op sees the element as {@code a}
     * @return as many values
     */
    public static long[] transform(long[] data, String op) {
        return arrayLong(transform(ElementType.INT64, memory(data), op));
    }

    /**
     * Sorts in place, by the bits of the elements.
     *
     * @param data the elements
     * @param order which comes first
     */
    public static void sort(long[] data, SortOrder order) {
        ByteBuffer memory = memory(data);
        sort(ElementType.INT64, memory, order, null);
        memory.asLongBuffer().get(data);
    }

    /**
     * Sorts in place, by a comparison; stable.
     *
     * @param data the elements
     * @param compare whether {@code a} comes before {@code b}
     */
    public static void sort(long[] data, String compare) {
        ByteBuffer memory = memory(data);
        sort(ElementType.INT64, memory, SortOrder.ASCENDING, compare);
        memory.asLongBuffer().get(data);
    }

    /**
     * Where the first smallest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmin(long[] data) {
        return arg(0, ElementType.INT64, memory(data));
    }

    /**
     * Where the first largest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmax(long[] data) {
        return arg(1, ElementType.INT64, memory(data));
    }

    private static ByteBuffer memory(long[] data) {
        ByteBuffer memory = allocate((long) data.length * Long.BYTES);
        memory.asLongBuffer().put(data);
        return memory;
    }

    private static long[] arrayLong(ByteBuffer memory) {
        long[] data = new long[memory.remaining() / Long.BYTES];
        memory.asLongBuffer().get(data);
        return data;
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static float reduce(float[] data, float init, String op) {
        return reduce(ElementType.FLOAT32, memory(data), init, op).getFloat(0);
    }

    /**
     * The prefix sums of the elements, each with the element itself.
     *
     * @param data the elements
     * @param op associative
     * @return as many values
     */
    public static float[] inclusiveScan(float[] data, String op) {
        return arrayFloat(scan(ScanKind.INCLUSIVE, ElementType.FLOAT32, memory(data), null, op));
    }

    /**
     * The prefix sums of the elements, each without the element itself.
     *
     * @param data the elements
     * @param init the first result
     * @param op associative
     * @return as many values
     */
    public static float[] exclusiveScan(float[] data, float init, String op) {
        return arrayFloat(scan(ScanKind.EXCLUSIVE, ElementType.FLOAT32, memory(data), init, op));
    }

    /**
     * op(x) of every element.
     *
     * @param data the elements
     * @param op sees the element as {@code a}
     * @return as many values
     */
    public static float[] transform(float[] data, String op) {
        return arrayFloat(transform(ElementType.FLOAT32, memory(data), op));
    }

    /**
     * Sorts in place, by the bits of the elements.
     *
     * @param data the elements
     * @param order which comes first
     */
    public static void sort(float[] data, SortOrder order) {
        ByteBuffer memory = memory(data);
        sort(ElementType.FLOAT32, memory, order, null);
        memory.asFloatBuffer().get(data);
    }

    /**
     * Sorts in place, by a comparison; stable.
     *
     * @param data the elements
     * @param compare whether {@code a} comes before {@code b}
     */
    public static void sort(float[] data, String compare) {
        ByteBuffer memory = memory(data);
        sort(ElementType.FLOAT32, memory, SortOrder.ASCENDING, compare);
        memory.asFloatBuffer().get(data);
    }

    /**
     * Where the first smallest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmin(float[] data) {
        return arg(0, ElementType.FLOAT32, memory(data));
    }

    /**
     * Where the first largest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmax(float[] data) {
        return arg(1, ElementType.FLOAT32, memory(data));
    }

    private static ByteBuffer memory(float[] data) {
        ByteBuffer memory = allocate((long) data.length * Float.BYTES);
        memory.asFloatBuffer().put(data);
        return memory;
    }

    private static float[] arrayFloat(ByteBuffer memory) {
        float[] data = new float[memory.remaining() / Float.BYTES];
        memory.asFloatBuffer().get(data);
        return data;
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static double reduce(double[] data, double init, String op) {
        return reduce(ElementType.FLOAT64, memory(data), init, op).getDouble(0);
    }

    /**
     * The prefix sums of the elements, each with the element itself.
     *
     * @param data the elements
     * @param op associative
     * @return as many values
     */
    public static double[] inclusiveScan(double[] data, String op) {
        return arrayDouble(scan(ScanKind.INCLUSIVE, ElementType.FLOAT64, memory(data), null, op));
    }

    /**
     * The prefix sums of the elements, each without the element itself.
     *
     * @param data the elements
     * @param init the first result
     * @param op associative
     * @return as many values
     */
    public static double[] exclusiveScan(double[] data, double init, String op) {
        return arrayDouble(scan(ScanKind.EXCLUSIVE, ElementType.FLOAT64, memory(data), init, op));
    }

    /**
     * op(x) of every element.
     *
     * @param data the elements
     * @param op sees the element as {@code a}
     * @return as many values
     */
    public static double[] transform(double[] data, String op) {
        return arrayDouble(transform(ElementType.FLOAT64, memory(data), op));
    }

    /**
     * Sorts in place, by the bits of the elements.
     *
     * @param data the elements
     * @param order which comes first
     */
    public static void sort(double[] data, SortOrder order) {
        ByteBuffer memory = memory(data);
        sort(ElementType.FLOAT64, memory, order, null);
        memory.asDoubleBuffer().get(data);
    }

    /**
     * Sorts in place, by a comparison; stable.
     *
     * @param data the elements
     * @param compare whether {@code a} comes before {@code b}
     */
    public static void sort(double[] data, String compare) {
        ByteBuffer memory = memory(data);
        sort(ElementType.FLOAT64, memory, SortOrder.ASCENDING, compare);
        memory.asDoubleBuffer().get(data);
    }

    /**
     * Where the first smallest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmin(double[] data) {
        return arg(0, ElementType.FLOAT64, memory(data));
    }

    /**
     * Where the first largest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmax(double[] data) {
        return arg(1, ElementType.FLOAT64, memory(data));
    }

    private static ByteBuffer memory(double[] data) {
        ByteBuffer memory = allocate((long) data.length * Double.BYTES);
        memory.asDoubleBuffer().put(data);
        return memory;
    }

    private static double[] arrayDouble(ByteBuffer memory) {
        double[] data = new double[memory.remaining() / Double.BYTES];
        memory.asDoubleBuffer().get(data);
        return data;
    }

    private static ByteBuffer allocate(long size) {
        return ByteBuffer.allocateDirect(Math.toIntExact(size)).order(ByteOrder.nativeOrder());
    }

    private static ByteBuffer reduce(ElementType type, ByteBuffer data, Number init, String text) {
        ByteBuffer result = allocate(type.size());
        ByteBuffer first = type.encode(init);
        try (Operator op = new Operator(text)) {
            op.with("reducing", combine -> {
                CuprumNative.cuprum_parallel_reduce_host(HostMemory.addressOf(result), type.size(), 0, type.text(),
                        HostMemory.addressOf(data), data.remaining(), type.text(), HostMemory.addressOf(first),
                        type.size(), combine);
                return null;
            });
        } finally {
            Reference.reachabilityFence(data);
            Reference.reachabilityFence(first);
        }
        return result;
    }

    private static ByteBuffer scan(ScanKind kind, ElementType type, ByteBuffer data, Number init, String text) {
        ByteBuffer result = allocate(data.remaining());
        ByteBuffer first = init == null ? allocate(0) : type.encode(init);
        try (Operator op = new Operator(text)) {
            op.with("scanning", combine -> {
                CuprumNative.cuprum_parallel_scan_host(HostMemory.addressOf(result), result.remaining(), 0,
                        kind.ordinal(), type.text(), HostMemory.addressOf(data), data.remaining(), type.text(),
                        HostMemory.addressOf(first), first.remaining(), combine);
                return null;
            });
        } finally {
            Reference.reachabilityFence(data);
            Reference.reachabilityFence(first);
        }
        return result;
    }

    private static ByteBuffer transform(ElementType type, ByteBuffer data, String text) {
        ByteBuffer result = allocate(data.remaining());
        try (Operator op = new Operator(text)) {
            op.with("transforming", function -> {
                CuprumNative.cuprum_parallel_transform_host(HostMemory.addressOf(result), result.remaining(), 0,
                        type.text(), type.text(), HostMemory.addressOf(data), data.remaining(), null, 0, 0, function);
                return null;
            });
        } finally {
            Reference.reachabilityFence(data);
        }
        return result;
    }

    private static void sort(ElementType type, ByteBuffer data, SortOrder order, String compare) {
        if (compare == null) {
            sortNative(type, data, order, 0);
            return;
        }
        try (Operator op = new Operator(compare)) {
            op.with("sorting", before -> {
                sortNative(type, data, order, before);
                return null;
            });
        }
    }

    private static void sortNative(ElementType type, ByteBuffer data, SortOrder order, long compare) {
        CuprumNative.cuprum_parallel_sort_host(0, type.text(), HostMemory.addressOf(data), data.remaining(), null, 0,
                0, order.ordinal(), compare);
        Reference.reachabilityFence(data);
    }

    private static long arg(int kind, ElementType type, ByteBuffer data) {
        long[] index = new long[1];
        CuprumNative.cuprum_parallel_arg_reduce_host(
                index, 0, kind, type.text(), HostMemory.addressOf(data), data.remaining());
        Reference.reachabilityFence(data);
        return index[0];
    }
}
