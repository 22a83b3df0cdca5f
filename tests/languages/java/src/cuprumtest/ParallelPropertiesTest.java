package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cuprum.ArgKind;
import io.cuprum.ArgReduce;
import io.cuprum.BitRange;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.HostArray;
import io.cuprum.MergeSort;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.RadixSort;
import io.cuprum.Reduce;
import io.cuprum.Scan;
import io.cuprum.ScanKind;
import io.cuprum.SegmentedReduce;
import io.cuprum.SortOrder;
import io.cuprum.Transform;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random elements against plain loops: every algorithm x type x operator that the host has, and on the device a choice,
 * because each is compiled.
 */
final class ParallelPropertiesTest {
    private static final List<Numbers> TYPES = Stream.of(ElementType.INT8, ElementType.INT16, ElementType.INT32,
            ElementType.INT64, ElementType.UINT8, ElementType.UINT16, ElementType.UINT32, ElementType.UINT64,
            ElementType.FLOAT16, ElementType.BFLOAT16, ElementType.FLOAT32, ElementType.FLOAT64)
            .map(Numbers::new).toList();

    private static int[] counts(Numbers numbers) {
        return numbers.isNarrow() ? new int[] {0, 1, 2, 30} : new int[] {0, 1, 2, 30, 1009};
    }

    private static long reduced(long[] elements, int from, int to, long init, LongBinaryOperator op) {
        long result = init;
        for (int i = from; i < to; ++i) {
            result = op.applyAsLong(result, elements[i]);
        }
        return result;
    }

    private static long[] scanned(ScanKind kind, long[] elements, long init, LongBinaryOperator op) {
        long[] results = new long[elements.length];
        long before = init;
        for (int i = 0; i < elements.length; ++i) {
            long upTo = kind == ScanKind.INCLUSIVE && i == 0 ? elements[0] : op.applyAsLong(before, elements[i]);
            results[i] = kind == ScanKind.EXCLUSIVE ? before : upTo;
            before = upTo;
        }
        return results;
    }

    private static int[] positions(long[] keys, Comparator<Long> order) {
        return IntStream.range(0, keys.length).boxed()
                .sorted((left, right) -> order.compare(keys[left], keys[right])).mapToInt(i -> i).toArray();
    }

    private static long[] at(int[] positions, long[] elements) {
        return Arrays.stream(positions).mapToLong(i -> elements[i]).toArray();
    }

    @Test
    void theHostReducesAndScansEveryTypeByEveryOperator() {
        Random random = new Random(17);
        for (Numbers numbers : TYPES) {
            ElementType type = numbers.type();
            for (String name : numbers.associativeOperators()) {
                LongBinaryOperator op = numbers.operator(name);
                try (ElementIterator input = ElementIterator.of(type);
                        Operator combine = new Operator(name);
                        Reduce reduce = new Reduce(Execution.HOST, input, combine, type);
                        SegmentedReduce segments =
                                new SegmentedReduce(Execution.HOST, input, combine, type, ElementType.INT64)) {
                    for (int count : counts(numbers)) {
                        String where = numbers + " " + name + " " + count;
                        long[] elements = numbers.random(random, count, name);
                        long init = numbers.random(random, 1, name)[0];
                        HostArray data = numbers.array(elements);
                        assertEquals(reduced(elements, 0, count, init, op),
                                numbers.read(reduce.call(data, count, numbers.value(init))), where);
                        HostArray parts = new HostArray(type, 2);
                        segments.call(data, parts, 2, new long[] {0, count / 3}, new long[] {count / 3, count},
                                numbers.value(init));
                        assertArrayEquals(new long[] {reduced(elements, 0, count / 3, init, op),
                                reduced(elements, count / 3, count, init, op)}, numbers.read(parts), where);
                        for (ScanKind kind : ScanKind.values()) {
                            HostArray output = new HostArray(type, count);
                            try (Scan scan = new Scan(Execution.HOST, kind, input, combine, type)) {
                                scan.call(data, output, count,
                                        kind == ScanKind.INCLUSIVE ? null : numbers.value(init));
                            }
                            assertArrayEquals(
                                    scanned(kind, elements, init, op), numbers.read(output), where + " " + kind);
                        }
                    }
                }
            }
        }
    }

    @Test
    void theHostSortsTransformsAndSearchesEveryType() {
        Random random = new Random(18);
        for (Numbers numbers : TYPES) {
            ElementType type = numbers.type();
            try (ElementIterator input = ElementIterator.of(type);
                    Operator less = new Operator("less");
                    Operator greater = new Operator("greater");
                    Operator minus = new Operator("minus");
                    RadixSort ascending = new RadixSort(Execution.HOST, SortOrder.ASCENDING, type, ElementType.INT32);
                    RadixSort descending = new RadixSort(Execution.HOST, SortOrder.DESCENDING, type, ElementType.INT32);
                    MergeSort byLess = new MergeSort(Execution.HOST, less, type, ElementType.INT32);
                    MergeSort byGreater = new MergeSort(Execution.HOST, greater, type, ElementType.INT32);
                    Transform differences = new Transform(Execution.HOST, input, input, minus, type);
                    ArgReduce smallest = new ArgReduce(Execution.HOST, ArgKind.MINIMUM, input);
                    ArgReduce largest = new ArgReduce(Execution.HOST, ArgKind.MAXIMUM, input)) {
                for (int count : counts(numbers)) {
                    String where = numbers + " " + count;
                    long[] elements = numbers.random(random, count, "less");
                    HostArray keys = numbers.array(elements);
                    int[] from = IntStream.range(0, count).toArray();
                    int[] up = positions(elements, numbers.order());
                    int[] down = positions(elements, numbers.order().reversed());
                    for (int sort = 0; sort < 4; ++sort) {
                        HostArray sorted = new HostArray(type, count);
                        int[] moved = new int[count];
                        switch (sort) {
                            case 0 -> ascending.call(keys, sorted, from, moved, count);
                            case 1 -> descending.call(keys, sorted, from, moved, count, (BitRange) null);
                            case 2 -> byLess.call(keys, sorted, from, moved, count);
                            default -> byGreater.call(keys, sorted, from, moved, count);
                        }
                        int[] expected = sort % 2 == 0 ? up : down;
                        assertArrayEquals(expected, moved, where + " sort " + sort);
                        assertArrayEquals(at(expected, elements), numbers.read(sorted), where + " sort " + sort);
                    }
                    long[] others = numbers.random(random, count, "minus");
                    HostArray output = new HostArray(type, count);
                    differences.call(keys, numbers.array(others), output, count);
                    assertArrayEquals(IntStream.range(0, count)
                            .mapToLong(i -> numbers.operator("minus").applyAsLong(elements[i], others[i])).toArray(),
                            numbers.read(output), where);
                    assertEquals(count == 0 ? -1L : (long) up[0],
                            smallest.call(keys, count).get("index").number(), where);
                    assertEquals(count == 0 ? -1L : (long) down[0],
                            largest.call(keys, count).get("index").number(), where);
                }
            }
        }
    }

    @Test
    void theDeviceGivesWhatPlainLoopsGive() {
        Random random = new Random(19);
        Numbers int64 = new Numbers(ElementType.INT64);
        Numbers uint16 = new Numbers(ElementType.UINT16);
        Numbers float64 = new Numbers(ElementType.FLOAT64);
        for (int round = 0; round < 8; ++round) {
            int count = round == 0 ? 1 : random.nextInt(3000);
            String where = "round " + round + ", " + count + " elements";
            long[] wide = int64.random(random, count, "maximum");
            long[] narrow = uint16.random(random, count, "bit_xor");
            long[] exact = float64.random(random, count, "plus");
            LongBinaryOperator maximum = int64.operator("maximum");
            LongBinaryOperator xor = uint16.operator("bit_xor");
            assertEquals(reduced(wide, 0, count, Long.MIN_VALUE, maximum),
                    Parallel.reduce(wide, Long.MIN_VALUE, "a < b ? b : a"), where);
            assertEquals(reduced(narrow, 0, count, 5, xor),
                    uint16.read(Parallel.reduce(uint16.array(narrow), uint16.value(5), "bit_xor")), where);
            HostArray sums = new HostArray(ElementType.FLOAT64, count);
            try (Operator plus = new Operator("plus")) {
                Parallel.scan(ScanKind.EXCLUSIVE, float64.array(exact), float64.value(3), plus, sums);
            }
            assertArrayEquals(
                    scanned(ScanKind.EXCLUSIVE, exact, 3, float64.operator("plus")), float64.read(sums), where);

            HostArray keys = uint16.array(narrow);
            int[] moved = IntStream.range(0, count).toArray();
            Parallel.sortByKey(keys, moved, SortOrder.DESCENDING);
            int[] down = positions(narrow, uint16.order().reversed());
            assertArrayEquals(down, moved, where);
            assertArrayEquals(at(down, narrow), uint16.read(keys), where);
            long[] digits = wide.clone();
            Parallel.sort(digits, "a % 100 < b % 100");
            assertArrayEquals(at(positions(wide, Comparator.comparing(x -> x % 100)), wide), digits, where);

            long[] products = new long[count];
            int[] factors = random.ints(count).toArray();
            Parallel.transform(wide, factors, "a * b - 1", products);
            assertArrayEquals(IntStream.range(0, count).mapToLong(i -> wide[i] * factors[i] - 1).toArray(), products,
                    where);
            assertArrayEquals(Arrays.stream(factors).filter(x -> x % 3 == 1).toArray(),
                    Parallel.select(factors, "a % 3 == 1"), where);
        }
    }
}
