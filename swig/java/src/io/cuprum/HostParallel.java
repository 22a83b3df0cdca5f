package io.cuprum;

/**
 * The algorithms of {@link Parallel} on the host's own cores (execution=host), for real data on a machine without a GPU:
 * no driver and no compiler take part.
 *
 * <p>An array is one of Java's own (boolean[], byte[], short[], int[], long[], float[] or double[]), which is copied out
 * of the heap, or a {@link HostArray} of numbers or complex numbers, in place; anything else is an
 * IllegalArgumentException. Structs are only values that move with sorted keys. For many calls see
 * {@link Execution#HOST}.
 *
 * <p>Operators are well-known ones, by name ("plus", "maximum") or spelled out ("a + b"); any other is an
 * {@link UnsupportedException}. Calls are done when they return, and may be made by several threads at once. Sums of
 * floating-point numbers are evaluated in an order that depends on the number of elements and of threads; the
 * environment's OMP_NUM_THREADS limits these.
 */
public final class HostParallel {
    private static final int HOST = Execution.NATIVE_HOST;

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
        return reduce(data, Value.of(init), op).number().intValue();
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
        return reduce(data, Value.of(init), op).number().longValue();
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
        return reduce(data, Value.of(init), op).number().floatValue();
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
        return reduce(data, Value.of(init), op).number().doubleValue();
    }

    /**
     * The sum of the elements; it wraps around.
     *
     * @param data the elements
     * @return their sum
     */
    public static int reduce(byte[] data) {
        return reduce(data, Value.of(0), "plus").number().intValue();
    }

    /**
     * The sum of the elements; it wraps around.
     *
     * @param data the elements
     * @return their sum
     */
    public static int reduce(short[] data) {
        return reduce(data, Value.of(0), "plus").number().intValue();
    }

    /**
     * The sum of the elements; it wraps around.
     *
     * @param data the elements
     * @return their sum
     */
    public static int reduce(int[] data) {
        return reduce(data, Value.of(0), "plus").number().intValue();
    }

    /**
     * The sum of the elements; it wraps around.
     *
     * @param data the elements
     * @return their sum
     */
    public static long reduce(long[] data) {
        return reduce(data, Value.of(0L), "plus").number().longValue();
    }

    /**
     * The sum of the elements.
     *
     * @param data the elements
     * @return their sum
     */
    public static float reduce(float[] data) {
        return reduce(data, Value.of(0F), "plus").number().floatValue();
    }

    /**
     * The sum of the elements.
     *
     * @param data the elements
     * @return their sum
     */
    public static double reduce(double[] data) {
        return reduce(data, Value.of(0.0), "plus").number().doubleValue();
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation; the elements are converted to the initial value's type
     * first.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result, of the initial value's type
     */
    public static Value reduce(Object data, Value init, String op) {
        return Parallel.withOperator(op, combine -> Parallel.reduce(HOST, data, init, combine));
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
        A results = HostArrays.like(data);
        scan(ScanKind.INCLUSIVE, data, null, op, results);
        return results;
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
        A results = HostArrays.like(data);
        scan(ScanKind.EXCLUSIVE, data, Value.of(HostArrays.typeOf(data), init), op, results);
        return results;
    }

    /**
     * The prefix sums of the elements, which are converted to the results' type first.
     *
     * @param kind which elements each result is of
     * @param data an array
     * @param init of the results' type; null for {@link ScanKind#INCLUSIVE}
     * @param op associative
     * @param results an array of the same length, which is filled; may be {@code data}
     */
    public static void scan(ScanKind kind, Object data, Value init, String op, Object results) {
        Parallel.withOperator(op, combine -> {
            Parallel.scan(HOST, kind, data, init, combine, results);
            return null;
        });
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
        A results = HostArrays.like(data);
        transform(data, op, results);
        return results;
    }

    /**
     * op(x) of every element.
     *
     * @param data the elements
     * @param op of one operand
     * @param results an array of the same length, which is filled; of any type
     */
    public static void transform(Object data, String op, Object results) {
        transform(data, null, op, results);
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
        A results = HostArrays.like(first);
        transform(first, second, op, results);
        return results;
    }

    /**
     * op(x, y) of every pair of elements.
     *
     * @param first the left operands
     * @param second as many right operands; null for none
     * @param op of two operands
     * @param results an array of the same length, which is filled; of any type
     */
    public static void transform(Object first, Object second, String op, Object results) {
        Parallel.withOperator(op, function -> {
            Parallel.transform(HOST, first, second == null ? null : HostArrays.of(second), function, results);
            return null;
        });
    }

    /**
     * Sorts in place, in ascending order; stable.
     *
     * @param data the elements
     */
    public static void sort(Object data) {
        sort(data, SortOrder.ASCENDING);
    }

    /**
     * Sorts in place, by the bits of the elements; stable.
     *
     * @param data the elements
     * @param order which comes first
     */
    public static void sort(Object data, SortOrder order) {
        Parallel.sort(HOST, data, null, order, null);
    }

    /**
     * Sorts in place, by a comparison; stable.
     *
     * @param data the elements
     * @param compare "less" or "greater"
     */
    public static void sort(Object data, String compare) {
        Parallel.withOperator(compare, before -> {
            Parallel.sort(HOST, data, null, SortOrder.ASCENDING, before);
            return null;
        });
    }

    /**
     * Sorts keys in place, in ascending order, and moves values with them; stable.
     *
     * @param keys an array
     * @param values an array of as many elements
     */
    public static void sortByKey(Object keys, Object values) {
        sortByKey(keys, values, SortOrder.ASCENDING);
    }

    /**
     * Sorts keys in place, by their bits, and moves values with them; stable.
     *
     * @param keys an array
     * @param values an array of as many elements
     * @param order which key comes first
     */
    public static void sortByKey(Object keys, Object values, SortOrder order) {
        Parallel.sort(HOST, keys, values, order, null);
    }

    /**
     * Sorts keys in place, by a comparison, and moves values with them; stable.
     *
     * @param keys an array
     * @param values an array of as many elements
     * @param compare "less" or "greater"
     */
    public static void sortByKey(Object keys, Object values, String compare) {
        Parallel.withOperator(compare, before -> {
            Parallel.sort(HOST, keys, values, SortOrder.ASCENDING, before);
            return null;
        });
    }

    /**
     * Where the first smallest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmin(Object data) {
        return Parallel.arg(HOST, ArgKind.MINIMUM, data);
    }

    /**
     * Where the first largest element is.
     *
     * @param data the elements
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmax(Object data) {
        return Parallel.arg(HOST, ArgKind.MAXIMUM, data);
    }
}
