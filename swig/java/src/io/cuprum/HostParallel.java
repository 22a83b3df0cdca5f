package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongConsumer;

/**
 * The algorithms of {@link Parallel} on the host's own cores (execution=host), for real data on a machine without a GPU:
 * no driver and no compiler take part.
 *
 * <p>Elements are an array: byte[], short[], int[], long[], float[] or double[]; anything else is an
 * IllegalArgumentException. Operators are well-known ones, by name ("plus", "maximum") or spelled out ("a + b"); any
 * other is an {@link UnsupportedException}. Calls are done when they return, and may be made by several threads at once.
 * Sums of floating-point numbers are evaluated in an order that depends on the number of elements and of threads; the
 * environment's OMP_NUM_THREADS limits these.
 */
public final class HostParallel {
    /** CUPRUM_DEVICE_HOST. */
    private static final int HOST = -1;

    private enum Kind {
        INT8(1),
        INT16(2),
        INT32(4),
        INT64(8),
        FLOAT32(4),
        FLOAT64(8);

        final int size;

        Kind(int size) {
            this.size = size;
        }

        String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** An array's elements off the Java heap. */
    private static final class Elements {
        final Kind kind;
        final ByteBuffer memory;

        private Elements(Kind kind, long count) {
            this.kind = kind;
            memory = ByteBuffer.allocateDirect(Math.toIntExact(count * kind.size)).order(ByteOrder.nativeOrder());
        }

        static Elements copyOf(Object array) {
            Elements copy;
            if (array instanceof byte[] values) {
                copy = new Elements(Kind.INT8, values.length);
                copy.memory.duplicate().put(values);
            } else if (array instanceof short[] values) {
                copy = new Elements(Kind.INT16, values.length);
                copy.memory.asShortBuffer().put(values);
            } else if (array instanceof int[] values) {
                copy = new Elements(Kind.INT32, values.length);
                copy.memory.asIntBuffer().put(values);
            } else if (array instanceof long[] values) {
                copy = new Elements(Kind.INT64, values.length);
                copy.memory.asLongBuffer().put(values);
            } else if (array instanceof float[] values) {
                copy = new Elements(Kind.FLOAT32, values.length);
                copy.memory.asFloatBuffer().put(values);
            } else if (array instanceof double[] values) {
                copy = new Elements(Kind.FLOAT64, values.length);
                copy.memory.asDoubleBuffer().put(values);
            } else {
                throw new IllegalArgumentException("expected byte[], short[], int[], long[], float[] or double[], not "
                        + (array == null ? "null" : array.getClass().getTypeName()));
            }
            return copy;
        }

        /** As many elements of the same type. */
        Elements another() {
            return new Elements(kind, memory.remaining() / kind.size);
        }

        /** One element of the same type. */
        Elements value(Number number) {
            Elements one = new Elements(kind, 1);
            switch (kind) {
                case INT8 -> one.memory.put(0, number.byteValue());
                case INT16 -> one.memory.putShort(0, number.shortValue());
                case INT32 -> one.memory.putInt(0, number.intValue());
                case INT64 -> one.memory.putLong(0, number.longValue());
                case FLOAT32 -> one.memory.putFloat(0, number.floatValue());
                default -> one.memory.putDouble(0, number.doubleValue());
            }
            return one;
        }

        void copyTo(Object array) {
            switch (kind) {
                case INT8 -> memory.duplicate().get((byte[]) array);
                case INT16 -> memory.asShortBuffer().get((short[]) array);
                case INT32 -> memory.asIntBuffer().get((int[]) array);
                case INT64 -> memory.asLongBuffer().get((long[]) array);
                case FLOAT32 -> memory.asFloatBuffer().get((float[]) array);
                default -> memory.asDoubleBuffer().get((double[]) array);
            }
        }

        /** A new array like `array`. */
        <A> A toArrayLike(A array) {
            int count = memory.remaining() / kind.size;
            @SuppressWarnings("unchecked")
            A result = (A) java.lang.reflect.Array.newInstance(array.getClass().getComponentType(), count);
            copyTo(result);
            return result;
        }

        String text() {
            return kind.text();
        }

        long address() {
            return HostMemory.addressOf(memory);
        }

        long size() {
            return memory.remaining();
        }
    }

    private HostParallel() {}

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static int reduce(int[] data, int init, String op) {
        return reduced(data, init, op).memory.getInt(0);
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
        return reduced(data, init, op).memory.getLong(0);
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
        return reduced(data, init, op).memory.getFloat(0);
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
        return reduced(data, init, op).memory.getDouble(0);
    }

    /**
     * The prefix sums of the elements, each with the element itself.
     *
     * @param <A> the type of the array
     * @param data the elements
     * @param op associative
     * @return as many values of the same type
     */
    public static <A> A inclusiveScan(A data, String op) {
        return scan(ScanKind.INCLUSIVE, data, null, op);
    }

    /**
     * The prefix sums of the elements, each without the element itself.
     *
     * @param <A> the type of the array
     * @param data the elements
     * @param init the first result
     * @param op associative
     * @return as many values of the same type
     */
    public static <A> A exclusiveScan(A data, Number init, String op) {
        return scan(ScanKind.EXCLUSIVE, data, init, op);
    }

    /**
     * op(x) of every element.
     *
     * @param <A> the type of the array
     * @param data the elements
     * @param op of one operand: "negate", "bit_not", "logical_not" or "identity"
     * @return as many values of the same type
     */
    public static <A> A transform(A data, String op) {
        Elements elements = Elements.copyOf(data);
        Elements result = elements.another();
        withOperator(op, function -> CuprumNative.cuprum_parallel_transform_host(result.address(), result.size(), HOST,
                result.text(), elements.text(), elements.address(), elements.size(), null, 0, 0, function));
        Reference.reachabilityFence(elements);
        return result.toArrayLike(data);
    }

    /**
     * op(x, y) of every pair of elements.
     *
     * @param <A> the type of the arrays
     * @param first the left operands
     * @param second as many right operands
     * @param op of two operands
     * @return as many values of the same type
     */
    public static <A> A transform(A first, A second, String op) {
        Elements left = Elements.copyOf(first);
        Elements right = Elements.copyOf(second);
        Elements result = left.another();
        withOperator(op, function -> CuprumNative.cuprum_parallel_transform_host(result.address(), result.size(), HOST,
                result.text(), left.text(), left.address(), left.size(), right.text(), right.address(), right.size(),
                function));
        Reference.reachabilityFence(left);
        Reference.reachabilityFence(right);
        return result.toArrayLike(first);
    }

    /**
     * Sorts in place, by the bits of the elements; stable.
     *
     * @param data the elements
     * @param order which comes first
     */
    public static void sort(Object data, SortOrder order) {
        Elements keys = Elements.copyOf(data);
        CuprumNative.cuprum_parallel_sort_host(
                HOST, keys.text(), keys.address(), keys.size(), null, 0, 0, order.ordinal(), 0);
        keys.copyTo(data);
    }

    /**
     * Sorts in place, by a comparison; stable.
     *
     * @param data the elements
     * @param compare "less" or "greater"
     */
    public static void sort(Object data, String compare) {
        Elements keys = Elements.copyOf(data);
        withOperator(compare, before -> CuprumNative.cuprum_parallel_sort_host(
                HOST, keys.text(), keys.address(), keys.size(), null, 0, 0, 0, before));
        keys.copyTo(data);
    }

    /**
     * Sorts keys in place, by their bits, and moves values with them; stable.
     *
     * @param keys an array
     * @param values an array of as many elements
     * @param order which key comes first
     */
    public static void sortByKey(Object keys, Object values, SortOrder order) {
        Elements sorted = Elements.copyOf(keys);
        Elements moved = Elements.copyOf(values);
        CuprumNative.cuprum_parallel_sort_host(HOST, sorted.text(), sorted.address(), sorted.size(), moved.text(),
                moved.address(), moved.size(), order.ordinal(), 0);
        sorted.copyTo(keys);
        moved.copyTo(values);
    }

    /**
     * Where the first smallest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmin(Object data) {
        return extreme(0, data);
    }

    /**
     * Where the first largest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmax(Object data) {
        return extreme(1, data);
    }

    private static Elements reduced(Object data, Number init, String op) {
        Elements elements = Elements.copyOf(data);
        Elements first = elements.value(init);
        Elements result = elements.value(0);
        withOperator(op, combine -> CuprumNative.cuprum_parallel_reduce_host(result.address(), result.size(), HOST,
                elements.text(), elements.address(), elements.size(), result.text(), first.address(), first.size(),
                combine));
        Reference.reachabilityFence(elements);
        Reference.reachabilityFence(first);
        return result;
    }

    private static <A> A scan(ScanKind kind, A data, Number init, String op) {
        Elements elements = Elements.copyOf(data);
        Elements result = elements.another();
        Elements first = init == null ? null : elements.value(init);
        withOperator(op, combine -> CuprumNative.cuprum_parallel_scan_host(result.address(), result.size(), HOST,
                kind.ordinal(), elements.text(), elements.address(), elements.size(), result.text(),
                first == null ? 0 : first.address(), first == null ? 0 : first.size(), combine));
        Reference.reachabilityFence(elements);
        Reference.reachabilityFence(first);
        return result.toArrayLike(data);
    }

    private static long extreme(int kind, Object data) {
        Elements elements = Elements.copyOf(data);
        long[] index = new long[1];
        CuprumNative.cuprum_parallel_arg_reduce_host(
                index, HOST, kind, elements.text(), elements.address(), elements.size());
        Reference.reachabilityFence(elements);
        return index[0];
    }

    private static void withOperator(String text, LongConsumer action) {
        long[] op = new long[1];
        CuprumNative.cuprum_parallel_operator_create(op, text, null, 0, 0);
        try {
            action.accept(op[0]);
        } finally {
            CuprumNative.cuprum_parallel_operator_destroy(op[0]);
        }
    }
}
