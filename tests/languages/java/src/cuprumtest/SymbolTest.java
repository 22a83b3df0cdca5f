package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.HostArray;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Symbol;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Functions as operators: what they are traced to means on the device what it means in Java. */
final class SymbolTest {
    private static String textOf(BinaryOperator<Symbol> function) {
        try (Operator op = Operator.of(function)) {
            return op.toString();
        }
    }

    /** Of all operations and all pairs of numbers, in one program. */
    private static void check(Object left, Object right, Object results, List<BinaryOperator<Symbol>> operations) {
        Parallel.transform(left, right, (row, numbers) -> {
            Symbol result = Symbol.of(0);
            for (int i = 0; i < operations.size(); ++i) {
                result = Symbol.where(row.get("number").equalTo(i),
                        operations.get(i).apply(row.get("x"), numbers), result);
            }
            return result;
        }, results);
    }

    private static HostArray rows(ElementType type, int operations, long[] numbers) {
        ElementType row = ElementType.structure(
                "Row", ElementType.field("number", ElementType.INT32), ElementType.field("x", type));
        int pairs = numbers.length * numbers.length;
        HostArray rows = new HostArray(row, operations * pairs);
        for (int i = 0; i < rows.length(); ++i) {
            rows.set(i, i / pairs, numbers[i % pairs / numbers.length]);
        }
        return rows;
    }

    @Test
    void integersMeanWhatTheyMeanInJavaAndWhereItThrowsThereIsAResult() {
        List<BinaryOperator<Symbol>> traced = List.of((x, y) -> x.dividedBy(y), (x, y) -> x.remainder(y),
                (x, y) -> x.plus(y), (x, y) -> x.minus(y), (x, y) -> x.times(y), (x, y) -> x.shiftLeft(y),
                (x, y) -> x.shiftRight(y), (x, y) -> x.unsignedShiftRight(y), (x, y) -> x.negate(),
                (x, y) -> Symbol.abs(x), (x, y) -> Symbol.where(x.plus(1).greaterThan(x), Symbol.of(1), Symbol.of(0)),
                (x, y) -> x.xor(y).or(x).and(12).bitNot(), (x, y) -> x.dividedBy(3).plus(Integer.MIN_VALUE),
                (x, y) -> Symbol.max(x, y).minus(Symbol.min(x, y)));
        List<IntBinaryOperator> plain = List.of((x, y) -> y == 0 ? 0 : x / y, (x, y) -> y == 0 ? 0 : x % y,
                (x, y) -> x + y, (x, y) -> x - y, (x, y) -> x * y, (x, y) -> x << y, (x, y) -> x >> y,
                (x, y) -> x >>> y, (x, y) -> -x, (x, y) -> Math.abs(x), (x, y) -> x + 1 > x ? 1 : 0,
                (x, y) -> ~(((x ^ y) | x) & 12), (x, y) -> x / 3 + Integer.MIN_VALUE,
                (x, y) -> Math.max(x, y) - Math.min(x, y));
        long[] numbers = {0, 1, -1, 2, -3, 7, 31, 32, 33, Integer.MAX_VALUE, Integer.MIN_VALUE};
        HostArray left = rows(ElementType.INT32, traced.size(), numbers);
        int[] right = IntStream.range(0, left.length()).map(i -> (int) numbers[i % numbers.length]).toArray();
        int[] results = new int[right.length];
        check(left, right, results, traced);
        int pairs = numbers.length * numbers.length;
        for (int i = 0; i < results.length; ++i) {
            int x = (int) numbers[i % pairs / numbers.length];
            assertEquals(plain.get(i / pairs).applyAsInt(x, right[i]), results[i],
                    "operation " + i / pairs + " of " + x + " and " + right[i]);
        }
    }

    @Test
    void sumsOfIntsWrapBeforeTheyBecomeLongs() {
        long[] results = new long[1];
        Parallel.transform(new int[] {Integer.MAX_VALUE}, new int[] {1}, (x, y) -> x.plus(y), results);
        assertEquals(Integer.MIN_VALUE, results[0]);
    }

    @Test
    void longsMeanWhatTheyMeanInJava() {
        List<BinaryOperator<Symbol>> traced = List.of((x, y) -> x.dividedBy(y), (x, y) -> x.remainder(y),
                (x, y) -> x.times(3L).plus(y), (x, y) -> x.shiftLeft(65), (x, y) -> x.unsignedShiftRight(65));
        List<LongBinaryOperator> plain = List.of((x, y) -> y == 0 ? 0 : x / y, (x, y) -> y == 0 ? 0 : x % y,
                (x, y) -> x * 3 + y, (x, y) -> x << 65, (x, y) -> x >>> 65);
        long[] numbers = {0, 1, -1, 63, 64, Long.MAX_VALUE, Long.MIN_VALUE};
        HostArray left = rows(ElementType.INT64, traced.size(), numbers);
        long[] right = IntStream.range(0, left.length()).mapToLong(i -> numbers[i % numbers.length]).toArray();
        long[] results = new long[right.length];
        check(left, right, results, traced);
        int pairs = numbers.length * numbers.length;
        for (int i = 0; i < results.length; ++i) {
            long x = numbers[i % pairs / numbers.length];
            assertEquals(plain.get(i / pairs).applyAsLong(x, right[i]), results[i]);
        }
    }

    @Test
    void everyCallTakesAFunction() {
        float[] data = {3, 12, 21};
        assertEquals(36F, Parallel.reduce(data, 0F, (a, b) -> a.plus(b)));
        assertEquals(21F, Parallel.reduce(data, Float.NEGATIVE_INFINITY, (a, b) -> Symbol.max(a, b)));
        assertArrayEquals(new float[] {3, 15, 36}, Parallel.inclusiveScan(data, (a, b) -> a.plus(b)));
        assertArrayEquals(new float[] {1, 3, 36}, Parallel.exclusiveScan(data, 1, (a, b) -> a.times(b)));
        assertArrayEquals(new float[] {1.5F, 6, 10.5F}, Parallel.transform(data, a -> a.times(0.5F)));
        double[] halves = new double[3];
        Parallel.transform(data, a -> a.dividedBy(2.0), halves);
        assertArrayEquals(new double[] {1.5, 6, 10.5}, halves);
        Parallel.sort(data, (a, b) -> a.remainder(10F).lessThan(b.remainder(10F)));
        assertArrayEquals(new float[] {21, 12, 3}, data);
        int[] positions = {0, 1, 2};
        Parallel.sortByKey(data, positions, (a, b) -> a.lessThan(b));
        assertArrayEquals(new int[] {2, 1, 0}, positions);
        assertArrayEquals(new int[] {2, 1}, Parallel.select(positions, a -> a.greaterThan(0)));

        ElementType point = ElementType.structure(
                "Point", ElementType.field("x", ElementType.FLOAT32), ElementType.field("weight", ElementType.INT64));
        HostArray points = new HostArray(point, 2);
        points.set(0, 1.5, 4);
        points.set(1, 2.5, 3);
        Value total = Parallel.reduce(points, Value.of(point, 0, 0), (a, b) -> Symbol.cpp(
                "Point{%s, %s}", a.get("x").plus(b.get("x")), a.get("weight").plus(b.get("weight"))));
        assertEquals(Value.of(point, 4, 7), total);
    }

    @Test
    void withoutAnOperatorElementsAreSummedAndSortedInAscendingOrder() {
        assertEquals(-6, Parallel.reduce(new byte[] {120, 7, 3, -128, -8}));
        assertEquals(40000, Parallel.reduce(new short[] {20000, 20000}));
        assertEquals(Integer.MIN_VALUE, Parallel.reduce(new int[] {Integer.MAX_VALUE, 1}));
        assertEquals(1L << 31, Parallel.reduce(new int[] {Integer.MAX_VALUE, 1}, 0L, "plus"));
        assertEquals(3L, Parallel.reduce(new long[] {1, 2}));
        assertEquals(1.75F, Parallel.reduce(new float[] {1.5F, 0.25F}));
        assertEquals(1.75, Parallel.reduce(new double[] {1.5, 0.25}));
        assertEquals(1.75, Parallel.reduce(new double[] {1.5, 0.25}, Execution.HOST));
        assertArrayEquals(new int[] {1, 3, 6}, Parallel.inclusiveScan(new int[] {1, 2, 3}));
        assertArrayEquals(new int[] {0, 1, 3}, Parallel.exclusiveScan(new int[] {1, 2, 3}));
        for (Object data : List.of(new byte[] {3, -1, 2}, new short[] {3, -1, 2}, new int[] {3, -1, 2},
                     new long[] {3, -1, 2}, new float[] {3, -1, 2}, new double[] {3, -1, 2})) {
            Parallel.sort(data);
            assertEquals(-1.0, java.lang.reflect.Array.getDouble(data, 0));
            assertEquals(3.0, java.lang.reflect.Array.getDouble(data, 2));
        }
        int[] keys = {2, 1};
        long[] values = {20, 10};
        Parallel.sortByKey(keys, values);
        assertArrayEquals(new long[] {10, 20}, values);
        Parallel.sort(values, Execution.HOST);
        Parallel.sortByKey(values, keys, Execution.HOST);
        assertArrayEquals(new long[] {10, 20}, values);
    }

    @Test
    void deepExpressionsAreTracedInLinearTimeAndSharedOnesOnce() {
        int[] data = {5, -7};
        int[] results = Parallel.transform(data, a -> sum(a, 2000));
        for (int i = 0; i < data.length; ++i) {
            int expected = data[i];
            for (int k = 0; k < 2000; ++k) {
                expected = k % 2 == 0 ? expected * 3 + data[i] : expected ^ k;
            }
            assertEquals(expected, results[i]);
        }
        int small = textOf((a, b) -> sum(a, 5000)).length();
        assertTrue(textOf((a, b) -> sum(a, 50000)).length() < 12 * small);
        assertArrayEquals(new long[] {3L << 60}, Parallel.transform(new long[] {3}, a -> {
            Symbol result = a;
            for (int i = 0; i < 60; ++i) {
                result = i % 2 == 0 ? result.plus(result) : Symbol.cpp("(%1$s + %1$s)", result);
            }
            return result;
        }));
    }

    private static Symbol sum(Symbol value, int count) {
        Symbol result = value;
        for (int i = 0; i < count; ++i) {
            result = i % 2 == 0 ? result.times(3).plus(value) : result.xor(i);
        }
        return result;
    }

    @Test
    void plainOperatorsAreTheWellKnownOnes() {
        assertEquals("Operator \"(a + b)\"", textOf((a, b) -> a.plus(b)));
        assertEquals("Operator \"(b * a)\"", textOf((a, b) -> b.times(a)));
        assertEquals("Operator \"(a < b)\"", textOf((a, b) -> a.lessThan(b)));
    }

    @Test
    void whatCannotBeTracedIsSaid() {
        assertTrue(assertThrows(UnsupportedOperationException.class, () -> textOf((a, b) -> a.equals(b) ? a : b))
                .getMessage().contains("Symbol.where"));
        assertTrue(assertThrows(NullPointerException.class, () -> textOf((a, b) -> null))
                .getMessage().contains("a.plus(b)"));
        assertThrows(NullPointerException.class, () -> textOf((a, b) -> a.plus((Symbol) null)));
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> textOf((a, b) -> a.plus(new java.math.BigInteger("2")))).getMessage().contains("BigInteger"));
    }

    @Test
    void functionsAreThoseOfMath() {
        double[] data = {-2.5, -0.75, 0.25, 0.5, 1.5, 7.125, Double.NaN, Double.POSITIVE_INFINITY};
        double[] results = Parallel.transform(data, a -> Symbol.sqrt(Symbol.abs(a)).plus(Symbol.floor(a))
                .plus(Symbol.rint(a)).plus(Symbol.sin(a)).plus(Symbol.pow(a, Symbol.of(2)))
                .plus(Symbol.max(a, Symbol.of(0.5))));
        double[] expected = Arrays.stream(data).map(a -> Math.sqrt(Math.abs(a)) + Math.floor(a) + Math.rint(a)
                + Math.sin(a) + Math.pow(a, 2) + Math.max(a, 0.5)).toArray();
        assertArrayEquals(expected, results, 1e-12);
        boolean[] isNaN = new boolean[data.length];
        Parallel.transform(data, a -> Symbol.isNaN(a).and(Symbol.of(true)), isNaN);
        assertTrue(isNaN[6] && !isNaN[7] && !isNaN[0]);
    }
}
