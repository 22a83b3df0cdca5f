package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.CompileException;
import io.cuprum.Device;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.HostArray;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.RadixSort;
import io.cuprum.ScanKind;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import io.cuprum.UnsupportedException;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The parallel algorithms over arrays, in one call, against Java's own library. */
final class ParallelTest {
    private static final ElementType POINT = ElementType.structure("Point",
            ElementType.field("x", ElementType.FLOAT32), ElementType.field("weight", ElementType.INT64));

    private static int[] random(int count) {
        return new Random(3).ints(count, -1000, 1000).toArray();
    }

    @Test
    void structsAreSortedByChosenFields() {
        ElementType person = ElementType.structure("Person", ElementType.field("age", ElementType.INT32),
                ElementType.field("weight", ElementType.FLOAT32));
        int[] ages = {3, 1, 3, 1, 2};
        double[] weights = {0.5, 2.5, 1.5, 2.0, -1.0};
        for (Execution execution : new Execution[] {new Device(0), Execution.HOST}) {
            HostArray people = new HostArray(person, ages.length);
            for (int i = 0; i < ages.length; ++i) {
                people.set(i, ages[i], weights[i]);
            }
            int[] places = {0, 1, 2, 3, 4};
            try (Operator order = Operator.byFields(person, "-age, weight")) {
                Parallel.sortByKey(people, places, order, execution);
            }
            assertArrayEquals(new int[] {0, 2, 4, 3, 1}, places);
        }
        HostArray people = new HostArray(person, ages.length);
        for (int i = 0; i < ages.length; ++i) {
            people.set(i, ages[i], weights[i]);
        }
        int[] places = new int[ages.length];
        try (RadixSort sort = new RadixSort(Execution.HOST, "-age, weight", person, ElementType.INT32)) {
            sort.call(people, new HostArray(person, ages.length), new int[] {0, 1, 2, 3, 4}, places, ages.length);
            assertArrayEquals(new int[] {0, 2, 4, 3, 1}, places);
        }
        Device device = new Device(0);
        int[] sorted = new int[2 * ages.length];
        try (Stream stream = device.createStream();
                Buffer input = device.allocate(8L * ages.length);
                Buffer output = device.allocate(8L * ages.length);
                RadixSort sort = new RadixSort(device, "-age, weight", person)) {
            input.copyFrom(people.memory());
            sort.call(stream, input, output, ages.length);
            stream.sync();
            output.copyTo(sorted);
        }
        assertArrayEquals(new int[] {3, 3, 2, 1, 1}, IntStream.range(0, 5).map(i -> sorted[2 * i]).toArray());
        assertEquals(0.5F, Float.intBitsToFloat(sorted[1]));
        InvalidArgumentException twice = assertThrows(
                InvalidArgumentException.class, () -> new RadixSort(Execution.HOST, "age, -age", person));
        assertTrue(twice.getMessage().contains("named twice"), twice.getMessage());
        assertThrows(InvalidArgumentException.class, () -> new RadixSort(Execution.HOST, (String) null, person));
        InvalidArgumentException unknown = assertThrows(
                InvalidArgumentException.class, () -> Operator.byFields(person, "size"));
        assertTrue(unknown.getMessage().contains("'Person' has age, weight"), unknown.getMessage());
    }

    @Test
    void runsPartsAndWholeArraysAreTakenInPlace() {
        for (Execution execution : new Execution[] {new Device(0), Execution.HOST}) {
            int[] keys = {3, 3, 1, 1, 1, 3};
            double[] values = {1, 2, 3, 4, 5, 6};
            assertEquals(3, Parallel.reduceByKey(keys, values, execution));
            assertArrayEquals(new int[] {3, 1, 3, 1, 1, 3}, keys);
            assertArrayEquals(new double[] {3, 12, 6, 4, 5, 6}, values);
            assertEquals(3, Parallel.reduceByKey(new int[] {3, 3, 1, 3}, new long[4], "maximum", execution));
            int[] data = {3, 3, 1, 1, 1, 3};
            long[] lengths = new long[6];
            assertEquals(3, Parallel.runLengthEncode(data, lengths, execution));
            assertArrayEquals(new long[] {2, 3, 1, 0, 0, 0}, lengths);
            int[] parts = {0, 7, 0, 8, 9};
            assertEquals(3, Parallel.partition(parts, "identity", execution));
            assertArrayEquals(new int[] {7, 8, 9, 0, 0}, parts);
            assertTrue(Parallel.equal(parts, new int[] {7, 8, 9, 0, 0}, execution));
            assertFalse(Parallel.equal(parts, new int[] {7, 8, 9, 0, 1}, execution));
            assertFalse(Parallel.equal(parts, new int[] {7, 8}, execution));
            assertTrue(Parallel.equal(parts, new int[] {7, 8, 9, 0, 1}, "less_equal", execution));
        }
        int[] parts = {5, 1, 9};
        assertEquals(2, Parallel.partition(parts, a -> a.greaterThan(4)));
        assertArrayEquals(new int[] {5, 9, 1}, parts);
        assertThrows(InvalidArgumentException.class, () -> Parallel.reduceByKey(new int[3], new int[2]));
    }

    @Test
    void arraysAreReducedScannedSortedAndTransformed() {
        int[] data = random(5000);
        assertEquals(Arrays.stream(data).sum() + 7, Parallel.reduce(data, 7, "a + b"));
        assertEquals(0.25, Parallel.reduce(new double[] {0.5, 0.25, 4}, 1.0, "a < b ? a : b"));
        int[] sums = data.clone();
        Arrays.parallelPrefix(sums, Integer::sum);
        assertArrayEquals(sums, Parallel.inclusiveScan(data, "plus"));
        int[] before = Parallel.exclusiveScan(data, 1, "plus");
        assertEquals(1, before[0]);
        assertEquals(sums[4998] + 1, before[4999]);
        assertArrayEquals(Arrays.stream(data).map(x -> x * x - 1).toArray(), Parallel.transform(data, "a * a - 1"));
        double[] halves = new double[5000];
        Parallel.transform(data, sums, "(a - b) * 0.5", halves);
        assertEquals((data[4999] - sums[4999]) * 0.5, halves[4999]);

        int[] sorted = data.clone();
        Arrays.sort(sorted);
        int[] copy = data.clone();
        Parallel.sort(copy, SortOrder.ASCENDING);
        assertArrayEquals(sorted, copy);
        Parallel.sort(copy, "b < a");
        assertEquals(sorted[4999], copy[0]);
        assertEquals(sorted[0], data[(int) Parallel.argmin(data)]);
        assertEquals(sorted[4999], data[(int) Parallel.argmax(data)]);
        assertEquals(-1, Parallel.argmin(new float[0]));
    }

    @Test
    void theLastParameterOfEveryCallSaysWhereItRuns() {
        int[] data = random(1000);
        int[] sorted = data.clone();
        Arrays.sort(sorted);
        int[] sums = data.clone();
        Arrays.parallelPrefix(sums, Integer::sum);
        for (Execution execution : List.of(new Device(0), Execution.HOST)) {
            assertEquals(sums[999], Parallel.reduce(data, execution));
            assertEquals(sums[999] + 5L, Parallel.reduce(data, 5L, (a, b) -> a.plus(b), execution));
            try (Operator plus = new Operator("plus")) {
                assertEquals(Value.of(sums[999] + 1.5), Parallel.reduce(data, Value.of(1.5), plus, execution));
            }
            assertArrayEquals(sums, Parallel.inclusiveScan(data, execution));
            assertEquals(sums[998] + 3, Parallel.exclusiveScan(data, 3, "plus", execution)[999]);
            long[] wide = new long[1000];
            Parallel.scan(ScanKind.INCLUSIVE_WITH_INIT, data, Value.of(1L << 40), "plus", wide, execution);
            assertEquals(sums[999] + (1L << 40), wide[999]);
            assertEquals(-data[7], Parallel.transform(data, "negate", execution)[7]);
            assertEquals(data[7] + sums[7], Parallel.transform(data, sums, "a + b", execution)[7]);
            int[] keys = data.clone();
            int[] values = data.clone();
            Parallel.sortByKey(keys, values, SortOrder.ASCENDING, execution);
            assertArrayEquals(sorted, keys);
            assertArrayEquals(sorted, values);
            Parallel.sort(keys, "greater", execution);
            assertEquals(sorted[999], keys[0]);
            assertEquals(sorted[0], data[(int) Parallel.argmin(data, execution)]);
        }
        Execution ahead = Execution.aheadOfTime("compute_80");
        assertThrows(InvalidArgumentException.class, () -> Parallel.reduce(data, ahead));
        assertThrows(UnsupportedException.class,
                () -> Parallel.reduce(data, 0, (a, b) -> a.times(2).plus(b), Execution.HOST));
        assertThrows(NullPointerException.class, () -> Parallel.sort(data, (Execution) null));
    }

    @Test
    void aCallOfTwoArraysNeedsBoth() {
        int[] data = {1, 2};
        assertThrows(IllegalArgumentException.class, () -> Parallel.transform(data, null, "a + b", data));
        assertThrows(IllegalArgumentException.class, () -> Parallel.sortByKey(data, null));
    }

    @Test
    void valuesMoveWithTheirKeys() {
        int[] keys = random(3000);
        long[] positions = IntStream.range(0, keys.length).asLongStream().toArray();
        int[] byBits = keys.clone();
        Parallel.sortByKey(byBits, positions, SortOrder.DESCENDING);
        for (int i = 1; i < keys.length; ++i) {
            assertEquals(keys[(int) positions[i]], byBits[i]);
            assertTrue(byBits[i - 1] > byBits[i] || byBits[i - 1] == byBits[i] && positions[i - 1] < positions[i]);
        }
        Parallel.sortByKey(positions, byBits, "a < b");
        assertArrayEquals(keys, byBits);
    }

    @Test
    void theAccumulatorHasTheInitialValuesTypeAndItsScanTheResults() {
        int[] large = {Integer.MAX_VALUE, Integer.MAX_VALUE};
        assertEquals(2L * Integer.MAX_VALUE + 1, Parallel.reduce(large, 1L, "plus"));
        long[] sums = new long[2];
        try (Operator plus = new Operator("plus")) {
            Parallel.scan(ScanKind.INCLUSIVE_WITH_INIT, large, Value.of(5L), plus, sums);
        }
        assertArrayEquals(new long[] {5L + Integer.MAX_VALUE, 5L + 2L * Integer.MAX_VALUE}, sums);
    }

    @Test
    void everyNumberIsAnElement() {
        boolean[] truths = {false, true, false};
        assertEquals(1, Parallel.reduce(truths, Value.of(false), "logical_or").number().intValue());
        assertArrayEquals(new boolean[] {true, false, true}, Parallel.transform(truths, "!a"));
        byte[] bytes = {3, -1, 2};
        Parallel.sort(bytes, SortOrder.ASCENDING);
        assertArrayEquals(new byte[] {-1, 2, 3}, bytes);
        assertArrayEquals(new short[] {3, 2, 4}, Parallel.inclusiveScan(new short[] {3, -1, 2}, "plus"));

        HostArray unsigned = new HostArray(ElementType.UINT8, 3);
        for (int i = 0; i < 3; ++i) {
            unsigned.set(i, 250 + i * 3);    // 250, 253, 0
        }
        Parallel.sort(unsigned, SortOrder.DESCENDING);
        assertEquals((byte) 253, unsigned.get(0).number());
        for (ElementType narrow : new ElementType[] {ElementType.FLOAT16, ElementType.BFLOAT16}) {
            HostArray numbers = new HostArray(narrow, 3);
            numbers.set(0, 1.5);
            numbers.set(1, -0.25);
            numbers.set(2, 3);
            assertEquals(4.25F, Parallel.reduce(numbers, Value.of(narrow, 0), "plus").number(), narrow.name());
            assertEquals(1, Parallel.argmin(numbers), narrow.name());
        }
        for (ElementType complex : new ElementType[] {ElementType.COMPLEX64, ElementType.COMPLEX128}) {
            HostArray numbers = new HostArray(complex, 2);
            numbers.set(0, 1, 2);
            numbers.set(1, 3, -1);
            Value product = Parallel.reduce(numbers, Value.of(complex, 1, 0), "multiplies");
            assertEquals(Value.of(complex, 5, 5), product);
        }
    }

    @Test
    void structsAreDescribedByTheirFields() {
        assertEquals(16, POINT.size());
        HostArray points = new HostArray(POINT, 1000);
        for (int i = 0; i < 1000; ++i) {
            points.set(i, i * 7 % 1000 * 0.5, (long) i);
        }
        Value total = Parallel.reduce(points, Value.of(POINT, -1, 5),
                "return Point{a.x < b.x ? b.x : a.x, a.weight + b.weight};");
        assertEquals(Value.of(POINT, 499.5, 999L * 500 + 5), total);
        assertEquals(499.5F, total.get("x").number());
        Parallel.sort(points, "a.x < b.x");
        assertEquals(0.5F, points.get(1).get("x").number());
        assertEquals(143L, points.get(1).get("weight").number());    // 143 * 7 = 1001

        ElementType pair = ElementType.structure("Pair", ElementType.field("first", POINT),
                new ElementType.Field("flag", ElementType.BOOL, 24));
        assertEquals(32, pair.size());
        Value nested = Value.of(pair, Value.of(POINT, 1, 2), true);
        assertEquals(2L, nested.get("first").get("weight").number());
        assertThrows(IllegalArgumentException.class, () -> nested.get("missing"));
        assertThrows(IllegalArgumentException.class, () -> Value.of(pair, 1));
        assertThrows(IllegalArgumentException.class, () -> ElementType.structure("Bad",
                ElementType.field("x", ElementType.INT64), new ElementType.Field("y", ElementType.INT32, 4)));
    }

    @Test
    void elementsAreSelectedFromArraysOfAnyType() {
        int[] data = random(5000);
        assertArrayEquals(Arrays.stream(data).filter(x -> x % 3 == 0).toArray(), Parallel.select(data, "a % 3 == 0"));
        assertArrayEquals(new int[0], Parallel.select(new int[0], "a % 3 == 0"));
        HostArray points = new HostArray(POINT, 3);
        for (int i = 0; i < 3; ++i) {
            points.set(i, i * 0.5, (long) i);
        }
        try (Operator heavy = new Operator("a.weight != 1")) {
            HostArray selected = Parallel.select(points, heavy);
            assertEquals(2, selected.length());
            assertEquals(Value.of(POINT, 1, 2), selected.get(1));
        }
        assertThrows(CompileException.class, () -> Parallel.select(data, "nothing"));
    }

    @Test
    void halvesAreRoundedToTheNearestAndTiesToEven() {
        for (int bits = 0; bits < 0x7C00; bits += 7) {
            Value half = halfOfBits(bits);
            assertEquals(half, Value.of(ElementType.FLOAT16, half.number()), () -> "the bits of " + half);
            float negative = -half.number().floatValue();
            assertEquals(negative, Value.of(ElementType.FLOAT16, negative).number());
        }
        assertEquals(1F, Value.of(ElementType.FLOAT16, 1 + 0x1p-11).number());    // half way, to even
        assertEquals(1 + 0x1p-9F, Value.of(ElementType.FLOAT16, 1 + 3 * 0x1p-11).number());
        assertEquals(65504F, Value.of(ElementType.FLOAT16, 65519).number());
        assertEquals(Float.POSITIVE_INFINITY, Value.of(ElementType.FLOAT16, 65520).number());
        assertEquals(0x1p-24F, Value.of(ElementType.FLOAT16, 0x1.8p-25).number());
        assertEquals(Float.NaN, Value.of(ElementType.FLOAT16, Float.NaN).number());
        assertEquals(1F, Value.of(ElementType.BFLOAT16, 1 + 0x1p-8).number());
        assertEquals(1 + 0x1p-6F, Value.of(ElementType.BFLOAT16, 1 + 3 * 0x1p-8).number());
        assertEquals(Float.NaN, Value.of(ElementType.BFLOAT16, Float.NaN).number());
        assertNotEquals(Value.of(0F), Value.of(-0F));
    }

    private static Value halfOfBits(int bits) {
        HostArray one = new HostArray(ElementType.FLOAT16, 1);
        one.memory().putShort(0, (short) bits);
        return one.get(0);
    }

    @Test
    void wideNumbersKeepAllTheirBits() {
        long wide = 0xFFFFFFFF00000001L;
        assertEquals(wide, Parallel.reduce(new long[] {wide, 0, 0}, 0L, "a | b"));
        assertArrayEquals(new long[] {wide, wide + 1}, Parallel.exclusiveScan(new long[] {1, 5}, wide, "plus"));
        assertEquals(wide, Value.of(ElementType.UINT64, wide).number());
    }

    @Test
    void whatIsNoArrayOrDoesNotCompileIsSaid() {
        IllegalArgumentException error = assertThrows(
                IllegalArgumentException.class, () -> Parallel.sort(new String[] {"b", "a"}, SortOrder.ASCENDING));
        assertTrue(error.getMessage().contains("java.lang.String[]"), error.getMessage());
        assertThrows(RuntimeException.class,
                () -> Parallel.transform(new int[3], new int[4], "a + b", new int[3]));
        CompileException text =
                assertThrows(CompileException.class, () -> Parallel.reduce(new float[] {1}, 0, "a +\nnothing"));
        assertTrue(text.log().contains("operator(2)"), text.log());
    }
}
