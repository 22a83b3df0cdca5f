package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.lang.ref.Reference;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * The parallel algorithms over arrays, in one call: copies in, runs on device 0, copies back, and returns when it is
 * done. For elements that are on the device already, and for many calls, see {@link Algorithm}.
 *
 * <p>An array is one of Java's own (boolean[], byte[], short[], int[], long[], float[] or double[]) or a
 * {@link HostArray}, which holds elements of any type, structs too; anything else is an IllegalArgumentException.
 *
 * <p>Operators are the names of well-known ones ("plus", "maximum" ...), CUDA C++ over the operands {@code a} and
 * {@code b}, traced functions of {@link Symbol}s, {@code (a, b) -> a.plus(b)}, or an {@link Operator}. Without one,
 * elements are summed or sorted in ascending order. A text that does not compile is a {@link CompileException}, whose
 * log has its own lines.
 */
public final class Parallel {
    private static final int DEVICE = 0;

    private Parallel() {}

    /** What is done with the handle of an operator that is open meanwhile. */
    @FunctionalInterface
    interface Use<T> {
        T with(Operator op);
    }

    static <T> T withOperator(String text, Use<T> use) {
        return with(new Operator(text), use);
    }

    /** Closes the operator. */
    private static <T> T with(Operator made, Use<T> use) {
        try (Operator op = made) {
            return use.with(op);
        }
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation; the elements are converted to int first.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static int reduce(byte[] data, int init, String op) {
        return reduce(data, Value.of(init), op).number().intValue();
    }

    /**
     * The same with a traced function: {@code (a, b) -> a.plus(b)}.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static int reduce(byte[] data, int init, BinaryOperator<Symbol> op) {
        return reduce(data, Value.of(init), op).number().intValue();
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation; the elements are converted to long first.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static long reduce(byte[] data, long init, String op) {
        return reduce(data, Value.of(init), op).number().longValue();
    }

    /**
     * The same with a traced function: {@code (a, b) -> a.plus(b)}.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static long reduce(byte[] data, long init, BinaryOperator<Symbol> op) {
        return reduce(data, Value.of(init), op).number().longValue();
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation; the elements are converted to int first.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static int reduce(short[] data, int init, String op) {
        return reduce(data, Value.of(init), op).number().intValue();
    }

    /**
     * The same with a traced function: {@code (a, b) -> a.plus(b)}.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static int reduce(short[] data, int init, BinaryOperator<Symbol> op) {
        return reduce(data, Value.of(init), op).number().intValue();
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation; the elements are converted to long first.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static long reduce(short[] data, long init, String op) {
        return reduce(data, Value.of(init), op).number().longValue();
    }

    /**
     * The same with a traced function: {@code (a, b) -> a.plus(b)}.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static long reduce(short[] data, long init, BinaryOperator<Symbol> op) {
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
    public static int reduce(int[] data, int init, String op) {
        return reduce(data, Value.of(init), op).number().intValue();
    }

    /**
     * The same with a traced function: {@code (a, b) -> a.plus(b)}.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static int reduce(int[] data, int init, BinaryOperator<Symbol> op) {
        return reduce(data, Value.of(init), op).number().intValue();
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation; the elements are converted to long first.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static long reduce(int[] data, long init, String op) {
        return reduce(data, Value.of(init), op).number().longValue();
    }

    /**
     * The same with a traced function: {@code (a, b) -> a.plus(b)}.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static long reduce(int[] data, long init, BinaryOperator<Symbol> op) {
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
    public static long reduce(long[] data, long init, String op) {
        return reduce(data, Value.of(init), op).number().longValue();
    }

    /**
     * The same with a traced function: {@code (a, b) -> a.plus(b)}.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static long reduce(long[] data, long init, BinaryOperator<Symbol> op) {
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
     * The same with a traced function: {@code (a, b) -> a.plus(b)}.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static float reduce(float[] data, float init, BinaryOperator<Symbol> op) {
        return reduce(data, Value.of(init), op).number().floatValue();
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation; the elements are converted to double first.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static double reduce(float[] data, double init, String op) {
        return reduce(data, Value.of(init), op).number().doubleValue();
    }

    /**
     * The same with a traced function: {@code (a, b) -> a.plus(b)}.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static double reduce(float[] data, double init, BinaryOperator<Symbol> op) {
        return reduce(data, Value.of(init), op).number().doubleValue();
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
     * The same with a traced function: {@code (a, b) -> a.plus(b)}.
     *
     * @param data the elements
     * @param init comes before them
     * @param op associative
     * @return the result
     */
    public static double reduce(double[] data, double init, BinaryOperator<Symbol> op) {
        return reduce(data, Value.of(init), op).number().doubleValue();
    }

    /**
     * The sum of the elements; it wraps around.
     *
     * @param data the elements
     * @return their sum
     */
    public static int reduce(byte[] data) {
        return reduce(data, 0, "plus");
    }

    /**
     * The sum of the elements; it wraps around.
     *
     * @param data the elements
     * @return their sum
     */
    public static int reduce(short[] data) {
        return reduce(data, 0, "plus");
    }

    /**
     * The sum of the elements; it wraps around.
     *
     * @param data the elements
     * @return their sum
     */
    public static int reduce(int[] data) {
        return reduce(data, 0, "plus");
    }

    /**
     * The sum of the elements; it wraps around.
     *
     * @param data the elements
     * @return their sum
     */
    public static long reduce(long[] data) {
        return reduce(data, 0L, "plus");
    }

    /**
     * The sum of the elements.
     *
     * @param data the elements
     * @return their sum
     */
    public static float reduce(float[] data) {
        return reduce(data, 0F, "plus");
    }

    /**
     * The sum of the elements.
     *
     * @param data the elements
     * @return their sum
     */
    public static double reduce(double[] data) {
        return reduce(data, 0.0, "plus");
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation; the elements are converted to the initial value's type
     * first.
     *
     * @param data an array
     * @param init comes before them
     * @param op associative
     * @return the result, of the initial value's type
     */
    public static Value reduce(Object data, Value init, String op) {
        return withOperator(op, combine -> reduce(data, init, combine));
    }

    /**
     * The same with a traced function.
     *
     * @param data an array
     * @param init comes before them
     * @param op associative
     * @return the result, of the initial value's type
     */
    public static Value reduce(Object data, Value init, BinaryOperator<Symbol> op) {
        return with(Operator.of(op), combine -> reduce(data, init, combine));
    }

    /**
     * op(...op(init, x0)..., xn-1), in any order of evaluation; the elements are converted to the initial value's type
     * first.
     *
     * @param data an array
     * @param init comes before them
     * @param op associative
     * @return the result, of the initial value's type
     */
    public static Value reduce(Object data, Value init, Operator op) {
        return reduce(DEVICE, data, init, op);
    }

    /** `place`: a device, or Execution.NATIVE_HOST; here and below. */
    static Value reduce(int place, Object data, Value init, Operator op) {
        HostArray elements = HostArrays.of(data);
        HostArray result = new HostArray(init.type(), 1);
        String type = init.type().text();
        int size = init.type().size();
        CuprumNative.cuprum_parallel_reduce_host(HostArrays.address(result), size, place, elements.type().text(),
                HostArrays.address(elements), HostArrays.size(elements), type, init.address(), size,
                op.open("reducing"));
        Algorithm.keep(elements, result, init, op);
        return result.get(0);
    }

    /**
     * The prefix sums of the elements, each with the element itself.
     *
     * @param <A> the array's type
     * @param data an array
     * @param op associative
     * @return a new one with as many values
     */
    public static <A> A inclusiveScan(A data, String op) {
        return withOperator(op, combine -> inclusiveScan(data, combine));
    }

    /**
     * The same with a traced function.
     *
     * @param <A> the array's type
     * @param data an array
     * @param op associative
     * @return a new one with as many values
     */
    public static <A> A inclusiveScan(A data, BinaryOperator<Symbol> op) {
        return with(Operator.of(op), combine -> inclusiveScan(data, combine));
    }

    /**
     * The prefix sums of the elements, each with the element itself.
     *
     * @param <A> the array's type
     * @param data an array of numbers
     * @return a new one with as many values
     */
    public static <A> A inclusiveScan(A data) {
        return inclusiveScan(data, "plus");
    }

    /**
     * The prefix sums of the elements, each with the element itself.
     *
     * @param <A> the array's type
     * @param data an array
     * @param op associative
     * @return a new one with as many values
     */
    public static <A> A inclusiveScan(A data, Operator op) {
        A results = HostArrays.like(data);
        scan(ScanKind.INCLUSIVE, data, null, op, results);
        return results;
    }

    /**
     * The prefix sums of the elements, each without the element itself.
     *
     * @param <A> the array's type
     * @param data an array
     * @param init the first result
     * @param op associative
     * @return a new one with as many values
     */
    public static <A> A exclusiveScan(A data, Number init, String op) {
        return withOperator(op, combine -> exclusiveScan(data, init, combine));
    }

    /**
     * The same with a traced function.
     *
     * @param <A> the array's type
     * @param data an array
     * @param init the first result
     * @param op associative
     * @return a new one with as many values
     */
    public static <A> A exclusiveScan(A data, Number init, BinaryOperator<Symbol> op) {
        return with(Operator.of(op), combine -> exclusiveScan(data, init, combine));
    }

    /**
     * The prefix sums of the elements, each without the element itself, from 0 on.
     *
     * @param <A> the array's type
     * @param data an array of numbers
     * @return a new one with as many values
     */
    public static <A> A exclusiveScan(A data) {
        return exclusiveScan(data, 0, "plus");
    }

    /**
     * The prefix sums of the elements, each without the element itself.
     *
     * @param <A> the array's type
     * @param data an array
     * @param init the first result
     * @param op associative
     * @return a new one with as many values
     */
    public static <A> A exclusiveScan(A data, Number init, Operator op) {
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
    public static void scan(ScanKind kind, Object data, Value init, Operator op, Object results) {
        scan(DEVICE, kind, data, init, op, results);
    }

    static void scan(int place, ScanKind kind, Object data, Value init, Operator op, Object results) {
        HostArray elements = HostArrays.of(data);
        HostArray sums = HostArrays.room(results);
        CuprumNative.cuprum_parallel_scan_host(HostArrays.address(sums), HostArrays.size(sums), place, kind.ordinal(),
                elements.type().text(), HostArrays.address(elements), HostArrays.size(elements), sums.type().text(),
                init == null ? 0 : Algorithm.addressOf("scanning", init, sums.type()),
                init == null ? 0 : init.type().size(), op.open("scanning"));
        Algorithm.keep(elements, sums, init, op);
        HostArrays.copyBack(sums, results);
    }

    /**
     * op(x) of every element.
     *
     * @param <A> the array's type
     * @param data an array
     * @param op sees the element as {@code a}
     * @return a new one with as many values
     */
    public static <A> A transform(A data, String op) {
        A results = HostArrays.like(data);
        transform(data, op, results);
        return results;
    }

    /**
     * The same with a traced function.
     *
     * @param <A> the array's type
     * @param data an array
     * @param op of one element
     * @return a new one with as many values
     */
    public static <A> A transform(A data, UnaryOperator<Symbol> op) {
        A results = HostArrays.like(data);
        transform(data, op, results);
        return results;
    }

    /**
     * op(x) of every element.
     *
     * @param data an array
     * @param op sees the element as {@code a}
     * @param results an array of the same length, which is filled; of any type
     */
    public static void transform(Object data, String op, Object results) {
        withOperator(op, function -> {
            transform(data, function, results);
            return null;
        });
    }

    /**
     * The same with a traced function.
     *
     * @param data an array
     * @param op of one element
     * @param results an array of the same length, which is filled; of any type
     */
    public static void transform(Object data, UnaryOperator<Symbol> op, Object results) {
        with(Operator.of(op), function -> {
            transform(data, function, results);
            return null;
        });
    }

    /**
     * op(x) of every element.
     *
     * @param data an array
     * @param op sees the element as {@code a}
     * @param results an array of the same length, which is filled; of any type
     */
    public static void transform(Object data, Operator op, Object results) {
        transform(DEVICE, data, null, op, results);
    }

    /**
     * op(x, y) of every pair of elements.
     *
     * @param first an array
     * @param second an array of the same length
     * @param op sees the elements as {@code a} and {@code b}
     * @param results an array of the same length, which is filled; of any type
     */
    public static void transform(Object first, Object second, String op, Object results) {
        withOperator(op, function -> {
            transform(first, second, function, results);
            return null;
        });
    }

    /**
     * The same with a traced function.
     *
     * @param first an array
     * @param second an array of the same length
     * @param op of one element of each
     * @param results an array of the same length, which is filled; of any type
     */
    public static void transform(Object first, Object second, BinaryOperator<Symbol> op, Object results) {
        with(Operator.of(op), function -> {
            transform(first, second, function, results);
            return null;
        });
    }

    /**
     * op(x, y) of every pair of elements.
     *
     * @param first an array
     * @param second an array of the same length
     * @param op sees the elements as {@code a} and {@code b}
     * @param results an array of the same length, which is filled; of any type
     */
    public static void transform(Object first, Object second, Operator op, Object results) {
        transform(DEVICE, first, HostArrays.of(second), op, results);
    }

    /** `second`: null for one input. */
    static void transform(int place, Object data, HostArray second, Operator op, Object results) {
        HostArray first = HostArrays.of(data);
        HostArray output = HostArrays.room(results);
        CuprumNative.cuprum_parallel_transform_host(HostArrays.address(output), HostArrays.size(output), place,
                output.type().text(), first.type().text(), HostArrays.address(first), HostArrays.size(first),
                second == null ? null : second.type().text(), second == null ? 0 : HostArrays.address(second),
                second == null ? 0 : HostArrays.size(second), op.open("transforming"));
        Algorithm.keep(first, second, output, op);
        HostArrays.copyBack(output, results);
    }

    /**
     * Sorts numbers in place, in ascending order, by their bits. NaNs come last; those with a sign, first. Stable.
     *
     * @param data an array
     */
    public static void sort(Object data) {
        sort(data, SortOrder.ASCENDING);
    }

    /**
     * Sorts numbers in place, by their bits; stable.
     *
     * @param data an array
     * @param order which comes first
     */
    public static void sort(Object data, SortOrder order) {
        sort(DEVICE, data, null, order, null);
    }

    /**
     * Sorts in place, by a comparison; stable.
     *
     * @param data an array
     * @param compare whether {@code a} comes before {@code b}
     */
    public static void sort(Object data, String compare) {
        withOperator(compare, before -> {
            sort(data, before);
            return null;
        });
    }

    /**
     * The same with a traced function.
     *
     * @param data an array
     * @param compare whether the first comes before the second: {@code (a, b) -> a.lessThan(b)}
     */
    public static void sort(Object data, BinaryOperator<Symbol> compare) {
        with(Operator.of(compare), before -> {
            sort(data, before);
            return null;
        });
    }

    /**
     * Sorts in place, by a comparison; stable.
     *
     * @param data an array
     * @param compare whether {@code a} comes before {@code b}
     */
    public static void sort(Object data, Operator compare) {
        sort(DEVICE, data, null, SortOrder.ASCENDING, compare);
    }

    /**
     * Sorts keys in place, in ascending order, and moves values with them; stable.
     *
     * @param keys an array of numbers
     * @param values an array of the same length
     */
    public static void sortByKey(Object keys, Object values) {
        sortByKey(keys, values, SortOrder.ASCENDING);
    }

    /**
     * Sorts keys in place by their bits, and moves values with them; stable.
     *
     * @param keys an array of numbers
     * @param values an array of the same length
     * @param order which comes first
     */
    public static void sortByKey(Object keys, Object values, SortOrder order) {
        sort(DEVICE, keys, values, order, null);
    }

    /**
     * Sorts keys in place by a comparison, and moves values with them; stable.
     *
     * @param keys an array
     * @param values an array of the same length
     * @param compare whether the key {@code a} comes before {@code b}
     */
    public static void sortByKey(Object keys, Object values, String compare) {
        withOperator(compare, before -> {
            sortByKey(keys, values, before);
            return null;
        });
    }

    /**
     * The same with a traced function.
     *
     * @param keys an array
     * @param values an array of the same length
     * @param compare whether the first key comes before the second
     */
    public static void sortByKey(Object keys, Object values, BinaryOperator<Symbol> compare) {
        with(Operator.of(compare), before -> {
            sortByKey(keys, values, before);
            return null;
        });
    }

    /**
     * Sorts keys in place by a comparison, and moves values with them; stable.
     *
     * @param keys an array
     * @param values an array of the same length
     * @param compare whether the key {@code a} comes before {@code b}
     */
    public static void sortByKey(Object keys, Object values, Operator compare) {
        sort(DEVICE, keys, values, SortOrder.ASCENDING, compare);
    }

    /** `values` null: keys alone; `compare` null: by the keys' bits, in `order`. */
    static void sort(int place, Object keys, Object values, SortOrder order, Operator compare) {
        HostArray sorted = HostArrays.of(keys);
        HostArray moved = values == null ? null : HostArrays.of(values);
        CuprumNative.cuprum_parallel_sort_host(place, sorted.type().text(), HostArrays.address(sorted),
                HostArrays.size(sorted), moved == null ? null : moved.type().text(),
                moved == null ? 0 : HostArrays.address(moved), moved == null ? 0 : HostArrays.size(moved),
                order.ordinal(), compare == null ? 0 : compare.open("sorting"));
        Algorithm.keep(sorted, moved, compare, null);
        HostArrays.copyBack(sorted, keys);
        if (moved != null) {
            HostArrays.copyBack(moved, values);
        }
    }

    /**
     * Where the first smallest element is.
     *
     * @param data an array of numbers
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmin(Object data) {
        return arg(DEVICE, ArgKind.MINIMUM, data);
    }

    /**
     * Where the first largest element is.
     *
     * @param data an array of numbers
     * @return its position; -1 of no elements; the first NaN's if there is one
     */
    public static long argmax(Object data) {
        return arg(DEVICE, ArgKind.MAXIMUM, data);
    }

    static long arg(int place, ArgKind kind, Object data) {
        HostArray elements = HostArrays.of(data);
        long[] index = new long[1];
        CuprumNative.cuprum_parallel_arg_reduce_host(index, place, kind.ordinal(), elements.type().text(),
                HostArrays.address(elements), HostArrays.size(elements));
        Reference.reachabilityFence(elements);
        return index[0];
    }

    /**
     * The elements of which a condition is true, in their order.
     *
     * @param <A> the array's type
     * @param data an array
     * @param condition of one element, {@code a}
     * @return a new array with those
     */
    public static <A> A select(A data, String condition) {
        return withOperator(condition, chosen -> select(data, chosen));
    }

    /**
     * The same with a traced function.
     *
     * @param <A> the array's type
     * @param data an array
     * @param condition of one element: {@code a -> a.greaterThan(0)}
     * @return a new array with those
     */
    public static <A> A select(A data, UnaryOperator<Symbol> condition) {
        return with(Operator.of(condition), chosen -> select(data, chosen));
    }

    /**
     * The elements of which a condition is true, in their order.
     *
     * @param <A> the array's type
     * @param data an array
     * @param condition of one element, {@code a}
     * @return a new array with those
     */
    public static <A> A select(A data, Operator condition) {
        HostArray elements = HostArrays.of(data);
        HostArray selected = new HostArray(elements.type(), elements.length());
        long[] count = new long[1];
        CuprumNative.cuprum_parallel_select_host(count, HostArrays.address(selected), HostArrays.size(selected), DEVICE,
                elements.type().text(), HostArrays.address(elements), HostArrays.size(elements),
                condition.open("selecting"));
        Algorithm.keep(elements, selected, condition, null);
        return HostArrays.firstOf(selected, (int) count[0], data);
    }
}
