package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.ArgKind;
import io.cuprum.ArgReduce;
import io.cuprum.BitRange;
import io.cuprum.Buffer;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.HostArray;
import io.cuprum.InvalidArgumentException;
import io.cuprum.MergeSort;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.RadixSort;
import io.cuprum.Reduce;
import io.cuprum.Scan;
import io.cuprum.ScanKind;
import io.cuprum.SegmentedReduce;
import io.cuprum.Select;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import io.cuprum.Transform;
import io.cuprum.UnsupportedException;
import io.cuprum.Value;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Algorithms that are built for the host's own cores, and called many times, against Java's own library. */
final class HostAlgorithmTest {
    private static final int COUNT = 20000;
    private static final int[] DATA = new Random(5).ints(COUNT, -1000, 1000).toArray();

    private static Reduce sum(ElementType type, ElementType accumulator) {
        try (ElementIterator input = ElementIterator.of(type); Operator plus = new Operator(OpKind.PLUS)) {
            return new Reduce(Execution.HOST, input, plus, accumulator);
        }
    }

    @Test
    void aReductionIsCalledOverArraysDirectBuffersAndIterators() {
        long expected = Arrays.stream(DATA).asLongStream().sum();
        ByteBuffer direct = Fixtures.direct(4 * COUNT + 4);
        direct.position(4);    // what lies before plays no part
        direct.slice().order(direct.order()).asIntBuffer().put(DATA);
        HostArray memory = new HostArray(ElementType.INT32, direct);
        try (Reduce reduce = sum(ElementType.INT32, ElementType.INT64);
                ElementIterator elements = ElementIterator.of(memory)) {
            assertEquals(expected, reduce.call(DATA, COUNT, 0));
            assertEquals(expected + 7, reduce.call(memory, COUNT, 7L));
            assertEquals(Value.of(expected + 7), reduce.call(elements, COUNT, Value.of(7L)));
            assertEquals(DATA[0] + 1L, reduce.call(DATA, 1, 1));
            assertEquals(1L, reduce.call(DATA, 0, 1));
            direct.putInt(4, DATA[0] + 5);    // in place: it sees what the buffer has now
            assertEquals(expected + 5, reduce.call(elements, COUNT, 0));
        }
    }

    @Test
    void iteratorsAreComposedOnTheHost() {
        HostArray memory = new HostArray(ElementType.INT32, 3);
        memory.set(0, 1);
        memory.set(1, 2);
        memory.set(2, -10);
        try (Operator negate = new Operator(OpKind.NEGATE);
                Operator plus = new Operator("a + b");
                ElementIterator elements = ElementIterator.of(memory);
                ElementIterator negated = elements.transform(negate, ElementType.FLOAT64);
                ElementIterator counting = ElementIterator.counting(ElementType.INT64, 1L << 40);
                ElementIterator constant = ElementIterator.constant(ElementType.FLOAT32, 2.5);
                Reduce ofNegated = new Reduce(Execution.HOST, negated, plus, ElementType.FLOAT64);
                Reduce ofCounting = new Reduce(Execution.HOST, counting, plus, ElementType.INT64);
                Reduce ofConstant = new Reduce(Execution.HOST, constant, plus, ElementType.FLOAT32)) {
            assertEquals(7.5, ofNegated.call(negated, 3, 0.5));
            assertEquals((1L << 40) * 4 + 6, ofCounting.call(counting, 4, 0));
            assertEquals(250F, ofConstant.call(constant, 100, 0));
        }
    }

    @Test
    void scansWriteToArraysAlsoInPlaceAndLeaveWhatLiesBehind() {
        int[] sums = DATA.clone();
        Arrays.parallelPrefix(sums, Integer::sum);
        try (ElementIterator input = ElementIterator.of(ElementType.INT32);
                Operator plus = new Operator(OpKind.PLUS);
                Scan inclusive = new Scan(Execution.HOST, ScanKind.INCLUSIVE, input, plus, ElementType.INT32);
                Scan exclusive = new Scan(Execution.HOST, ScanKind.EXCLUSIVE, input, plus, ElementType.INT32)) {
            int[] output = new int[COUNT + 2];
            Arrays.fill(output, 77);
            inclusive.call(DATA, output, COUNT);
            assertArrayEquals(sums, Arrays.copyOf(output, COUNT));
            assertEquals(77, output[COUNT]);
            exclusive.call(DATA, output, COUNT, 5);
            assertEquals(5 + sums[COUNT - 2], output[COUNT - 1]);
            assertEquals(77, output[COUNT]);
            int[] inPlace = DATA.clone();
            inclusive.call(inPlace, inPlace, COUNT);
            assertArrayEquals(sums, inPlace);
            HostArray memory = new HostArray(ElementType.INT32, COUNT);
            memory.memory().asIntBuffer().put(DATA);
            inclusive.call(memory, memory, COUNT);
            assertEquals(sums[COUNT - 1], memory.get(COUNT - 1).number());
            assertThrows(InvalidArgumentException.class, () -> exclusive.call(DATA, output, COUNT));
            assertThrows(InvalidArgumentException.class, () -> inclusive.call(DATA, output, COUNT, 5));
        }
    }

    @Test
    void sortsTakeValuesBitsAndComparisons() {
        int[] positions = IntStream.range(0, COUNT).toArray();
        int[] keys = new int[COUNT];
        int[] values = new int[COUNT];
        int[] sorted = DATA.clone();
        Arrays.sort(sorted);
        try (Operator greater = new Operator("a > b");
                RadixSort radix = new RadixSort(Execution.HOST, SortOrder.ASCENDING, ElementType.INT32);
                RadixSort pairs =
                        new RadixSort(Execution.HOST, SortOrder.ASCENDING, ElementType.INT32, ElementType.INT32);
                MergeSort merge = new MergeSort(Execution.HOST, greater, ElementType.INT32);
                MergeSort mergePairs =
                        new MergeSort(Execution.HOST, greater, ElementType.INT32, ElementType.INT32)) {
            radix.call(DATA, keys, COUNT);
            assertArrayEquals(sorted, keys);
            pairs.call(DATA, keys, positions, values, COUNT, new BitRange(0, 4));
            Integer[] byLowBits = Arrays.stream(positions).boxed().toArray(Integer[]::new);
            Arrays.sort(byLowBits, (left, right) -> Integer.compare(DATA[left] & 15, DATA[right] & 15));
            assertArrayEquals(Arrays.stream(byLowBits).mapToInt(x -> x).toArray(), values);
            merge.call(DATA, keys, COUNT);
            assertArrayEquals(IntStream.range(0, COUNT).map(i -> sorted[COUNT - 1 - i]).toArray(), keys);
            mergePairs.call(DATA, keys, positions, values, COUNT);
            for (int i = 1; i < COUNT; ++i) {
                assertEquals(keys[i], DATA[values[i]]);
                assertTrue(keys[i - 1] > keys[i] || keys[i - 1] == keys[i] && values[i - 1] < values[i], "stable");
            }
            assertThrows(InvalidArgumentException.class, () -> pairs.call(DATA, keys, COUNT));
            assertThrows(InvalidArgumentException.class, () -> radix.call(DATA, keys, positions, values, COUNT));
        }
    }

    @Test
    void elementsAreTransformedFoundAndReducedBySegments() {
        try (ElementIterator input = ElementIterator.of(ElementType.INT32);
                ElementIterator counting = ElementIterator.counting(ElementType.INT32, 0);
                Operator minus = new Operator(OpKind.MINUS);
                Operator negate = new Operator(OpKind.NEGATE);
                Operator maximum = new Operator(OpKind.MAXIMUM);
                Transform binary = new Transform(Execution.HOST, input, counting, minus, ElementType.INT32);
                Transform unary = new Transform(Execution.HOST, input, negate, ElementType.FLOAT64);
                ArgReduce largest = new ArgReduce(Execution.HOST, ArgKind.MAXIMUM, input);
                SegmentedReduce segments = new SegmentedReduce(
                        Execution.HOST, input, maximum, ElementType.INT64, ElementType.INT32)) {
            int[] differences = new int[COUNT];
            binary.call(DATA, counting, differences, COUNT);
            assertArrayEquals(IntStream.range(0, COUNT).map(i -> DATA[i] - i).toArray(), differences);
            double[] negated = new double[COUNT];
            unary.call(DATA, negated, COUNT);
            assertArrayEquals(Arrays.stream(DATA).mapToDouble(x -> -x).toArray(), negated);
            Value found = largest.call(DATA, COUNT);
            int extreme = Arrays.stream(DATA).max().getAsInt();
            long first = IntStream.range(0, COUNT).filter(i -> DATA[i] == extreme).findFirst().getAsInt();
            assertEquals(Value.of(largest.resultType(), first, extreme), found);
            assertEquals(-1L, largest.call(DATA, 0).get("index").number());
            long[] results = new long[3];
            segments.call(DATA, results, 3, new int[] {0, 10, 10}, new int[] {10, 10, COUNT}, -5000);
            assertArrayEquals(new long[] {Arrays.stream(DATA, 0, 10).max().getAsInt(), -5000,
                    Arrays.stream(DATA, 10, COUNT).max().getAsInt()}, results);
        }
    }

    @Test
    void selectionReturnsHowManyThereAreAndLeavesTheRestOfTheOutput() {
        int[] data = {0, 3, 0, 5, 7, 0};
        try (ElementIterator input = ElementIterator.of(ElementType.INT32);
                ElementIterator counting = ElementIterator.counting(ElementType.INT32, -1);
                Operator identity = new Operator(OpKind.IDENTITY);
                Operator not = new Operator("!a");
                Select select = new Select(Execution.HOST, input, identity);
                Select zeros = new Select(Execution.HOST, counting, not)) {
            int[] output = {9, 9, 9, 9, 9, 9};
            assertEquals(3L, select.call(data, output, 6));
            assertArrayEquals(new int[] {3, 5, 7, 9, 9, 9}, output);
            assertEquals(0L, select.call(data, output, 0));
            assertEquals(1L, zeros.call(counting, output, 5));
            assertArrayEquals(new int[] {0, 5, 7, 9, 9, 9}, output);
            assertThrows(InvalidArgumentException.class, () -> select.call(data, new int[5], 6));
        }
    }

    @Test
    void oneAlgorithmIsCalledFromManyThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (Reduce reduce = sum(ElementType.INT32, ElementType.INT64)) {
            long expected = Arrays.stream(DATA).asLongStream().sum();
            Callable<Integer> call = () -> {
                for (int i = 0; i < 50; ++i) {
                    assertEquals(expected + i, reduce.call(DATA, COUNT, i));
                }
                return 50;
            };
            for (Future<Integer> future : threads.invokeAll(Collections.nCopies(4, call))) {
                assertEquals(50, future.get());
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void complexNumbersAndTruthsAreElements() {
        HostArray numbers = new HostArray(ElementType.COMPLEX128, 2);
        numbers.set(0, 1, 2);
        numbers.set(1, 3, -1);
        try (ElementIterator input = ElementIterator.of(numbers);
                Operator times = new Operator("multiplies");
                Reduce product = new Reduce(Execution.HOST, input, times, ElementType.COMPLEX128);
                ElementIterator truths = ElementIterator.of(ElementType.BOOL);
                Operator or = new Operator(OpKind.LOGICAL_OR);
                Reduce any = new Reduce(Execution.HOST, truths, or, ElementType.BOOL)) {
            Value one = Value.of(ElementType.COMPLEX128, 1, 0);
            assertEquals(Value.of(ElementType.COMPLEX128, 5, 5), product.call(input, 2, one));
            assertEquals(Value.of(true), any.call(new boolean[] {false, true}, 2, Value.of(false)));
            assertThrows(IllegalArgumentException.class, () -> product.call(input, 2, 1), "a number is no complex one");
        }
    }

    @Test
    void whatTheHostHasNotIsRefusedWhenItIsBuilt() {
        ElementType point = ElementType.structure("Point", ElementType.field("x", ElementType.FLOAT32));
        try (ElementIterator input = ElementIterator.of(ElementType.INT32);
                ElementIterator points = ElementIterator.of(point);
                Operator own = new Operator("a * 2 + b");
                Operator plus = new Operator(OpKind.PLUS);
                Operator odd = new Operator("a % 2")) {
            UnsupportedException error = assertThrows(UnsupportedException.class,
                    () -> new Reduce(Execution.HOST, input, own, ElementType.INT32).close());
            assertTrue(error.getMessage().contains("'a * 2 + b'"), error.getMessage());
            assertThrows(UnsupportedException.class, () -> new Reduce(Execution.HOST, points, plus, point).close());
            assertThrows(UnsupportedException.class,
                    () -> new MergeSort(Execution.HOST, own, ElementType.INT32).close());
            assertThrows(UnsupportedException.class, () -> new Select(Execution.HOST, input, odd).close());
            try (Reduce built = sum(ElementType.INT32, ElementType.INT32)) {
                assertThrows(UnsupportedException.class, built::save);
            }
        }
    }

    @Test
    void memoryThatDoesNotFitIsRefused() {
        try (Reduce reduce = sum(ElementType.INT32, ElementType.INT32);
                ElementIterator input = ElementIterator.of(ElementType.INT32);
                Operator plus = new Operator(OpKind.PLUS);
                Scan scan = new Scan(Execution.HOST, ScanKind.INCLUSIVE, input, plus, ElementType.INT32)) {
            InvalidArgumentException more = assertThrows(
                    InvalidArgumentException.class, () -> reduce.call(DATA, COUNT + 1, 0));
            assertTrue(more.getMessage().contains("20000 elements"), more.getMessage());
            assertThrows(InvalidArgumentException.class, () -> reduce.call(DATA, -1, 0));
            InvalidArgumentException room = assertThrows(
                    InvalidArgumentException.class, () -> scan.call(DATA, new int[COUNT - 1], COUNT));
            assertTrue(room.getMessage().contains("output"), room.getMessage());
            InvalidArgumentException type = assertThrows(
                    InvalidArgumentException.class, () -> scan.call(DATA, new long[COUNT], COUNT));
            assertTrue(type.getMessage().contains("int32"), type.getMessage());
            assertThrows(InvalidArgumentException.class, () -> reduce.call(new float[4], 4, 0));
            assertThrows(InvalidArgumentException.class, () -> reduce.call(input, 1, 0), "an iterator of no memory");
            assertThrows(IllegalArgumentException.class, () -> reduce.call(new char[4], 4, 0));
            assertThrows(IllegalArgumentException.class, () -> reduce.call(null, 0, 0));
            HostArray memory = new HostArray(ElementType.INT32, 100);
            HostArray later = new HostArray(ElementType.INT32, memory.memory().position(4));
            InvalidArgumentException overlap = assertThrows(
                    InvalidArgumentException.class, () -> scan.call(memory, later, 99));
            assertTrue(overlap.getMessage().contains("overlap"), overlap.getMessage());
            HostArray odd = new HostArray(ElementType.INT32, Fixtures.direct(401).position(1));
            assertThrows(InvalidArgumentException.class, () -> reduce.call(odd, 100, 0), "not aligned");
        }
    }

    @Test
    void theHostAndADeviceDoNotTakeEachOthersMemory() {
        Device device = new Device(0);
        HostArray memory = new HostArray(ElementType.INT32, 4);
        try (Stream stream = device.createStream();
                Buffer buffer = device.allocate(16);
                ElementIterator onDevice = ElementIterator.of(ElementType.INT32, buffer);
                ElementIterator onHost = ElementIterator.of(memory);
                Operator plus = new Operator(OpKind.PLUS);
                Operator negate = new Operator(OpKind.NEGATE);
                ElementIterator negated = onHost.transform(negate, ElementType.INT32);
                Reduce host = sum(ElementType.INT32, ElementType.INT32);
                Transform hostTransform = new Transform(Execution.HOST, onHost, negate, ElementType.INT32);
                Reduce built = new Reduce(device, onDevice, plus, ElementType.INT64)) {
            CuprumException buffers = assertThrows(
                    InvalidArgumentException.class, () -> host.call(onDevice, 4, 0));
            assertTrue(buffers.getMessage().contains("device memory"), buffers.getMessage());
            assertThrows(InvalidArgumentException.class, () -> host.call(buffer, 4, 0));
            assertThrows(InvalidArgumentException.class, () -> hostTransform.call(memory, buffer, 4));
            CuprumException streams = assertThrows(
                    InvalidArgumentException.class, () -> host.call(stream, onDevice, buffer, 4, 0));
            assertTrue(streams.getMessage().contains("stream"), streams.getMessage());
            CuprumException none = assertThrows(
                    InvalidArgumentException.class, () -> built.call(memory, 4, 0));
            assertTrue(none.getMessage().contains("built for a device"), none.getMessage());
            CuprumException arrays = assertThrows(
                    InvalidArgumentException.class, () -> built.call(stream, onHost, buffer, 4, 0));
            assertTrue(arrays.getMessage().contains("host memory"), arrays.getMessage());
            assertThrows(InvalidArgumentException.class, () -> built.call(stream, negated, buffer, 4, 0));
        }
    }
}
