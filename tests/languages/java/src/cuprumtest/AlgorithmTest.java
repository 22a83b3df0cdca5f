package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.cuprum.Algorithm;
import io.cuprum.ArgKind;
import io.cuprum.ArgReduce;
import io.cuprum.BitRange;
import io.cuprum.Buffer;
import io.cuprum.CallOptions;
import io.cuprum.CompileException;
import io.cuprum.Cuprum;
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
import io.cuprum.bindings.Driver;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The algorithms over elements on the device, built once and called many times, against Java's own library. */
final class AlgorithmTest {
    private static final int COUNT = 5000;
    private static final int[] DATA = new Random(3).ints(COUNT, -1000, 1000).toArray();
    private static final ElementType SCALE =
            ElementType.structure("Scale", ElementType.field("factor", ElementType.FLOAT64));

    private Device device;
    private Stream stream;
    private Buffer input;
    private Buffer output;
    private ElementIterator elements;
    private Operator plus;

    @BeforeEach
    void open() {
        device = new Device(0);
        stream = device.createStream();
        input = device.allocate(4L * COUNT);
        output = device.allocate(8L * COUNT);
        input.copyFrom(DATA);
        elements = ElementIterator.of(ElementType.INT32, input);
        plus = new Operator(OpKind.PLUS);
    }

    @AfterEach
    void close() {
        plus.close();
        elements.close();
        output.close();
        input.close();
        stream.close();
    }

    private int[] ints(int count) {
        int[] result = new int[count];
        stream.sync();
        output.copyTo(IntBuffer.wrap(result));
        return result;
    }

    private long firstLong() {
        long[] result = new long[1];
        stream.sync();
        output.copyTo(result);
        return result[0];
    }

    private static long sum() {
        return Arrays.stream(DATA).asLongStream().sum();
    }

    @Test
    void aReductionIsBuiltOnceAndCalledManyTimes() {
        try (Operator square = new Operator("(long long)a * a");
                ElementIterator squares = elements.transform(square, ElementType.INT64);
                Reduce reduce = new Reduce(device, squares, plus, ElementType.INT64)) {
            long expected = Arrays.stream(DATA).asLongStream().map(x -> x * x).sum();
            for (long init : new long[] {0, 5}) {
                reduce.call(stream, squares, output, COUNT, init);
                assertEquals(expected + init, firstLong());
            }
        }
    }

    @Test
    void aReductionWithoutAnInitialValueIsOfTheElementsAlone() {
        try (Operator larger = new Operator("a > b ? a : b");
                ElementIterator negative = ElementIterator.constant(ElementType.INT64, -7);
                Reduce largest = new Reduce(device, negative, larger, ElementType.INT64);
                ElementIterator ints = ElementIterator.of(ElementType.INT32);
                Operator minimum = new Operator(OpKind.MINIMUM);
                Reduce smallest = new Reduce(Execution.HOST, ints, minimum, ElementType.INT32)) {
            largest.call(stream, negative, output, COUNT);
            assertEquals(-7, firstLong());
            largest.call(stream, negative, output, 0);
            assertEquals(-7, firstLong(), "of no elements nothing is written");
            assertEquals(3, smallest.call(new int[] {5, 3, 8}, 3).number());
        }
    }

    @Test
    void temporaryStorageIsTheCallersOrRefusedWithWhatIsNeeded() {
        try (Reduce reduce = new Reduce(device, elements, plus, ElementType.INT64)) {
            long needed = reduce.tempStorageBytes(COUNT);
            try (Buffer storage = device.allocate(Math.max(needed, 1)); Buffer small = device.allocate(1)) {
                reduce.call(stream, elements, output, COUNT, Value.of(2L), new CallOptions().tempStorage(storage));
                assertEquals(sum() + 2, firstLong());
                assertTrue(needed > 1, "a reduction of " + COUNT + " needs storage");
                InvalidArgumentException error = assertThrows(InvalidArgumentException.class, () -> reduce.call(
                        stream, elements, output, COUNT, Value.of(2L), new CallOptions().tempStorage(small)));
                assertTrue(error.getMessage().contains(Long.toString(needed)), error.getMessage());
                assertTrue(error.getMessage().contains("1 given"), error.getMessage());
            }
        }
    }

    @Test
    void theFirstExtremeElementIsFoundWithItsPosition() {
        try (ArgReduce smallest = new ArgReduce(device, ArgKind.MINIMUM, elements);
                ArgReduce largest = new ArgReduce(device, ArgKind.MAXIMUM, elements)) {
            for (ArgReduce algorithm : new ArgReduce[] {smallest, largest}) {
                int extreme = algorithm == smallest ? Arrays.stream(DATA).min().getAsInt()
                        : Arrays.stream(DATA).max().getAsInt();
                long index = IntStream.range(0, COUNT).filter(i -> DATA[i] == extreme).findFirst().getAsInt();
                algorithm.call(stream, elements, output, COUNT);
                stream.sync();
                HostArray result = new HostArray(algorithm.resultType(), 1);
                output.copyTo(result.memory());
                assertEquals(Value.of(algorithm.resultType(), index, extreme), result.get(0));
                algorithm.call(stream, elements, output, 0);
                stream.sync();
                output.copyTo(result.memory());
                assertEquals(-1L, result.get(0).get("index").number());
            }
        }
    }

    @Test
    void segmentsAreReducedEachByItself() {
        for (ElementType offsets : new ElementType[] {ElementType.INT32, ElementType.INT64}) {
            HostArray places = new HostArray(offsets, 5);
            int[] segments = {0, 10, 10, 300, COUNT};
            for (int i = 0; i < 5; ++i) {
                places.set(i, segments[i]);
            }
            try (Buffer begins = device.allocate(5L * offsets.size());
                    Buffer ends = Buffer.fromHandle(device, begins.handle() + offsets.size(), 4L * offsets.size());
                    SegmentedReduce reduce = new SegmentedReduce(device, elements, plus, ElementType.INT64, offsets)) {
                begins.copyFrom(places.memory());
                reduce.call(stream, elements, output, 4, begins, ends, 1000);
                stream.sync();
                long[] result = new long[4];
                output.copyTo(result);
                for (int i = 0; i < 4; ++i) {
                    long expected = Arrays.stream(DATA, segments[i], segments[i + 1]).asLongStream().sum();
                    assertEquals(1000 + expected, result[i]);
                }
                assertThrows(InvalidArgumentException.class,
                        () -> reduce.call(stream, elements, output, 5, begins, ends, 0));
            }
        }
    }

    @Test
    void scansTakeAnInitialValueOrNone() {
        int[] sums = DATA.clone();
        Arrays.parallelPrefix(sums, Integer::sum);
        try (Scan inclusive = new Scan(device, ScanKind.INCLUSIVE, elements, plus, ElementType.INT32);
                Scan exclusive = new Scan(device, ScanKind.EXCLUSIVE, elements, plus, ElementType.INT32);
                Scan both = new Scan(device, ScanKind.INCLUSIVE_WITH_INIT, elements, plus, ElementType.INT32)) {
            inclusive.call(stream, elements, output, COUNT);
            assertArrayEquals(sums, ints(COUNT));
            exclusive.call(stream, elements, output, COUNT, 7);
            int[] before = ints(COUNT);
            assertEquals(7, before[0]);
            assertEquals(7 + sums[COUNT - 2], before[COUNT - 1]);
            try (Buffer storage = device.allocate(both.tempStorageBytes(COUNT))) {
                both.call(stream, elements, output, COUNT, Value.of(7), new CallOptions().tempStorage(storage));
                assertEquals(7 + sums[COUNT - 1], ints(COUNT)[COUNT - 1]);
            }
            assertThrows(InvalidArgumentException.class, () -> exclusive.call(stream, elements, output, COUNT));
            assertThrows(InvalidArgumentException.class, () -> inclusive.call(stream, elements, output, COUNT, 7));
        }
    }

    @Test
    void radixSortsTakeValuesOrdersAndBits() {
        int[] positions = IntStream.range(0, COUNT).toArray();
        Integer[] byLowBits = Arrays.stream(positions).boxed().toArray(Integer[]::new);
        Arrays.sort(byLowBits, (left, right) -> Integer.compare(DATA[left] & 15, DATA[right] & 15));
        try (Buffer values = device.allocate(4L * COUNT);
                Buffer sorted = device.allocate(4L * COUNT);
                RadixSort keysAlone = new RadixSort(device, SortOrder.DESCENDING, ElementType.INT32);
                RadixSort pairs = new RadixSort(device, SortOrder.ASCENDING, ElementType.UINT32, ElementType.INT32)) {
            values.copyFrom(positions);
            keysAlone.call(stream, input, output, COUNT);
            int[] expected = Arrays.stream(DATA).map(x -> -x).sorted().map(x -> -x).toArray();
            assertArrayEquals(expected, ints(COUNT));
            pairs.call(stream, input, sorted, values, output, COUNT, new BitRange(0, 4), new CallOptions());
            assertArrayEquals(Arrays.stream(byLowBits).mapToInt(x -> x).toArray(), ints(COUNT));
            assertThrows(InvalidArgumentException.class, () -> pairs.call(stream, input, output, COUNT));
            assertThrows(InvalidArgumentException.class,
                    () -> keysAlone.call(stream, input, sorted, values, output, COUNT));
        }
    }

    @Test
    void mergeSortsAreStableAndTakeTheirOwnComparison() {
        ElementType limit = ElementType.structure("Limit", ElementType.field("modulus", ElementType.INT32));
        int[] positions = IntStream.range(0, COUNT).toArray();
        try (Operator compare = new Operator("a % modulus < b % modulus", Value.of(limit, 10));
                Operator byHundred = compare.withState(Value.of(limit, 100));
                Buffer values = device.allocate(4L * COUNT);
                Buffer sorted = device.allocate(4L * COUNT);
                MergeSort pairs = new MergeSort(device, compare, ElementType.INT32, ElementType.INT32)) {
            values.copyFrom(positions);
            for (int modulus : new int[] {10, 100}) {
                CallOptions options = modulus == 10 ? new CallOptions() : new CallOptions().op(byHundred);
                pairs.call(stream, input, sorted, values, output, COUNT, options);
                Integer[] expected = Arrays.stream(positions).boxed().toArray(Integer[]::new);
                Arrays.sort(expected, (left, right) -> Integer.compare(DATA[left] % modulus, DATA[right] % modulus));
                assertArrayEquals(Arrays.stream(expected).mapToInt(x -> x).toArray(), ints(COUNT));
            }
            assertThrows(IllegalArgumentException.class, () -> compare.withState(Value.of(SCALE, 1)));
        }
    }

    @Test
    void theElementsThatFulfilAConditionAreSelectedInTheirOrder() {
        try (Operator light = new Operator("a < factor", Value.of(SCALE, 100));
                Operator none = light.withState(Value.of(SCALE, -5000));
                Buffer selectedCount = device.allocate(8);
                Select select = new Select(device, elements, light);
                Buffer storage = device.allocate(select.tempStorageBytes(COUNT))) {
            long[] count = new long[1];
            select.call(stream, elements, output, selectedCount, COUNT);
            int[] expected = Arrays.stream(DATA).filter(x -> x < 100).toArray();
            assertArrayEquals(expected, ints(expected.length));
            selectedCount.copyTo(count);
            assertEquals(expected.length, count[0]);
            select.call(stream, elements, output, selectedCount, COUNT,
                    new CallOptions().op(none).tempStorage(storage));
            stream.sync();
            selectedCount.copyTo(count);
            assertEquals(0, count[0]);
            InvalidArgumentException overlap = assertThrows(InvalidArgumentException.class,
                    () -> select.call(stream, elements, input, selectedCount, COUNT));
            assertTrue(overlap.getMessage().contains("overlap"), overlap.getMessage());
            try (Buffer small = device.allocate(4)) {
                assertThrows(InvalidArgumentException.class,
                        () -> select.call(stream, elements, output, small, COUNT));
                assertThrows(InvalidArgumentException.class,
                        () -> select.call(stream, elements, small, selectedCount, COUNT));
            }
        }
    }

    @Test
    void anOperatorsStateIsGivenPerCall() {
        try (Operator scale = new Operator("a * factor", Value.of(SCALE, 1));
                Operator half = scale.withState(Value.of(SCALE, 0.5));
                ElementIterator second = ElementIterator.counting(ElementType.INT32, 1);
                Operator difference = new Operator(OpKind.MINUS);
                Transform unary = new Transform(device, elements, scale, ElementType.FLOAT64);
                Transform binary = new Transform(device, elements, second, difference, ElementType.INT32)) {
            double[] result = new double[COUNT];
            unary.call(stream, elements, null, output, COUNT, new CallOptions().op(half));
            stream.sync();
            output.copyTo(result);
            assertArrayEquals(Arrays.stream(DATA).mapToDouble(x -> x * 0.5).toArray(), result);
            unary.call(stream, elements, output, COUNT);
            stream.sync();
            output.copyTo(result);
            assertEquals(DATA[7], result[7]);
            binary.call(stream, elements, second, output, COUNT);
            assertArrayEquals(IntStream.range(0, COUNT).map(i -> DATA[i] - 1 - i).toArray(), ints(COUNT));
        }
    }

    @Test
    void transformationsTakeManyInputs() {
        try (ElementIterator counting = ElementIterator.counting(ElementType.INT64, 1);
                ElementIterator constant = ElementIterator.constant(ElementType.FLOAT64, 0.5);
                ElementIterator backwards = ElementIterator.of(ElementType.FLOAT64, output).reverse(COUNT - 1);
                Operator formula = Operator.of(3, x -> x[0].times(x[1]).plus(x[2]));
                Operator text = new Operator("a + 0 * b - c");
                Operator product = new Operator("a * b");
                Operator sum = Operator.of(3, x -> x[0].plus(x[1]));
                Operator pair = Operator.of(2, x -> x[0].minus(x[1]))) {
            ElementIterator[] inputs = {elements, counting, constant};
            double[] result = new double[COUNT];
            try (Transform three = new Transform(device, inputs, formula, ElementType.FLOAT64);
                    Transform written = new Transform(device, inputs, text, ElementType.FLOAT64, backwards);
                    Transform ofTwo = new Transform(device, inputs, product, ElementType.FLOAT64);
                    Transform sumOfTwo = new Transform(device, inputs, sum, ElementType.FLOAT64);
                    Transform two = new Transform(device, new ElementIterator[] {elements, constant}, pair,
                            ElementType.FLOAT64)) {
                ofTwo.call(stream, inputs, output, COUNT);
                stream.sync();
                output.copyTo(result);
                assertArrayEquals(IntStream.range(0, COUNT).mapToDouble(i -> DATA[i] * (1.0 + i)).toArray(), result);
                sumOfTwo.call(stream, inputs, output, COUNT);
                stream.sync();
                output.copyTo(result);
                assertArrayEquals(IntStream.range(0, COUNT).mapToDouble(i -> DATA[i] + 1.0 + i).toArray(), result);
                three.call(stream, inputs, output, COUNT);
                stream.sync();
                output.copyTo(result);
                assertArrayEquals(
                        IntStream.range(0, COUNT).mapToDouble(i -> DATA[i] * (1.0 + i) + 0.5).toArray(), result);
                written.call(stream, inputs, backwards, COUNT, new CallOptions());
                stream.sync();
                output.copyTo(result);
                assertArrayEquals(
                        IntStream.range(0, COUNT).mapToDouble(i -> DATA[COUNT - 1 - i] - 0.5).toArray(), result);
                two.call(stream, elements, constant, output, COUNT);
                stream.sync();
                output.copyTo(result);
                assertArrayEquals(Arrays.stream(DATA).mapToDouble(x -> x - 0.5).toArray(), result);
                InvalidArgumentException fewer = assertThrows(InvalidArgumentException.class,
                        () -> three.call(stream, new ElementIterator[] {elements, counting}, output, COUNT));
                assertTrue(fewer.getMessage().contains("built for 3"), fewer.getMessage());
            }
            ElementIterator[] nine = new ElementIterator[9];
            Arrays.fill(nine, counting);
            InvalidArgumentException more = assertThrows(InvalidArgumentException.class,
                    () -> new Transform(device, nine, text, ElementType.FLOAT64));
            assertTrue(more.getMessage().contains("8 operands"), more.getMessage());
            InvalidArgumentException none = assertThrows(InvalidArgumentException.class,
                    () -> Operator.of(0, x -> x[0]));
            assertTrue(none.getMessage().contains("expected 1 to 8"), none.getMessage());
        }
    }

    @Test
    void iteratorsAreComposed() {
        try (ElementIterator constant = ElementIterator.constant(ElementType.FLOAT64, 2.5);
                ElementIterator counting = ElementIterator.counting(ElementType.INT64, 1L << 40);
                Operator minus = new Operator("a - (1LL << 40)");
                ElementIterator numbers = counting.transform(minus, ElementType.INT64);
                Operator odd = new Operator("2 * a + 1");
                ElementIterator odds = numbers.transform(odd, ElementType.INT64);
                Reduce constants = new Reduce(device, constant, plus, ElementType.FLOAT64);
                Reduce squares = new Reduce(device, odds, plus, ElementType.INT64)) {
            constants.call(stream, constant, output, 1000, 0.5);
            double[] result = new double[1];
            stream.sync();
            output.copyTo(result);
            assertEquals(2500.5, result[0]);
            squares.call(stream, odds, output, 100, 0);
            assertEquals(100 * 100, firstLong());
        }
    }

    @Test
    void countsGoBeyond32Bits() {
        assumeFalse(device.isSimulator(), "4 billion elements are for a GPU");
        long count = (1L << 32) + 12345;
        try (ElementIterator ones = ElementIterator.constant(ElementType.INT8, 1);
                Reduce reduce = new Reduce(device, ones, plus, ElementType.INT64)) {
            reduce.call(stream, ones, output, count, 0);
            assertEquals(count, firstLong());
        }
    }

    @Test
    void callsAreCapturedInAGraph() {
        try (Reduce reduce = new Reduce(device, elements, plus, ElementType.INT64);
                Buffer storage = device.allocate(reduce.tempStorageBytes(COUNT))) {
            CallOptions options = new CallOptions().tempStorage(storage);
            reduce.call(stream, elements, output, COUNT, Value.of(0L), options);    // loads the kernels
            stream.sync();
            device.setCurrent();    // the driver makes graphs in the current context
            assertEquals(device.deviceId(), Device.current().deviceId());
            assertSame(Driver.CUresult.CUDA_SUCCESS, Driver.cuStreamBeginCapture(
                    stream.handle(), Driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
            reduce.call(stream, elements, output, COUNT, Value.of(9L), options);
            assertTrue(stream.isCapturing());
            long[] graph = new long[1];
            assertSame(Driver.CUresult.CUDA_SUCCESS, Driver.cuStreamEndCapture(stream.handle(), graph));
            assertFalse(stream.isCapturing());
            long[] executable = new long[1];
            assertSame(Driver.CUresult.CUDA_SUCCESS, Driver.cuGraphInstantiate(executable, graph[0], 0));
            output.copyFrom(new long[] {0});
            assertSame(Driver.CUresult.CUDA_SUCCESS, Driver.cuGraphLaunch(executable[0], stream.handle()));
            assertEquals(sum() + 9, firstLong());
            Driver.cuGraphExecDestroy(executable[0]);
            Driver.cuGraphDestroy(graph[0]);
        }
    }

    @Test
    void oneAlgorithmIsCalledFromManyThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (Reduce reduce = new Reduce(device, elements, plus, ElementType.INT64)) {
            Callable<Long> call = () -> {
                try (Stream own = device.createStream(); Buffer result = device.allocate(8)) {
                    long[] value = new long[1];
                    for (int i = 0; i < 5; ++i) {
                        reduce.call(own, elements, result, COUNT, i);
                        own.sync();
                        result.copyTo(value);
                        assertEquals(sum() + i, value[0]);
                    }
                    return value[0];
                }
            };
            for (Future<Long> future : threads.invokeAll(java.util.Collections.nCopies(4, call))) {
                assertEquals(sum() + 4, future.get());
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void buildsAreMadeAheadOfTimeSavedAndLoaded() {
        byte[] saved;
        try (ElementIterator numbers = ElementIterator.of(ElementType.INT32);
                Reduce ahead = new Reduce(Execution.aheadOfTime("compute_80"), numbers, plus, ElementType.INT64)) {
            saved = ahead.save();
            assertThrows(CuprumException.class, () -> ahead.call(stream, elements, output, COUNT, 0));
        }
        Algorithm.loadBuilds(device, saved);
        saved[saved.length / 2] ^= 1;
        assertThrows(InvalidArgumentException.class, () -> Algorithm.loadBuilds(device, saved));
        assertThrows(IllegalArgumentException.class, Execution::aheadOfTime);
    }

    @Test
    void savedBuildsThatAreDamagedOrForOthersAreRefused() {
        byte[] saved;
        byte[] foreign;
        try (ElementIterator numbers = ElementIterator.of(ElementType.INT32);
                Reduce ahead = new Reduce(Execution.aheadOfTime("compute_80"), numbers, plus, ElementType.INT64);
                Reduce turing = new Reduce(Execution.aheadOfTime("sm_75"), numbers, plus, ElementType.INT64)) {
            saved = ahead.save();
            foreign = turing.save();
        }
        for (int length : new int[] {0, 16, 30, saved.length / 2, saved.length - 1}) {
            assertThrows(InvalidArgumentException.class,
                    () -> Algorithm.loadBuilds(device, Arrays.copyOf(saved, length)), "cut to " + length);
        }
        for (int at : new int[] {60, saved.length / 2, saved.length - 1}) {
            byte[] changed = saved.clone();
            changed[at] ^= 1;
            assertThrows(InvalidArgumentException.class, () -> Algorithm.loadBuilds(device, changed), "byte " + at);
        }
        byte[] older = new String(saved, StandardCharsets.ISO_8859_1).replaceFirst(Cuprum.version(), "0.0.9")
                .getBytes(StandardCharsets.ISO_8859_1);
        UnsupportedException version =
                assertThrows(UnsupportedException.class, () -> Algorithm.loadBuilds(device, older));
        assertTrue(version.getMessage().contains("0.0.9"), version.getMessage());
        UnsupportedException architecture =
                assertThrows(UnsupportedException.class, () -> Algorithm.loadBuilds(device, foreign));
        assertTrue(architecture.getMessage().contains("sm_75"), architecture.getMessage());
    }

    @Test
    void noElementsAndOneAreAsManyAsOthers() {
        int[] one = {DATA[0]};
        try (Reduce reduce = new Reduce(device, elements, plus, ElementType.INT64);
                Scan scan = new Scan(device, ScanKind.INCLUSIVE, elements, plus, ElementType.INT32);
                RadixSort radix = new RadixSort(device, SortOrder.DESCENDING, ElementType.INT32);
                Operator light = new Operator("a < factor", Value.of(SCALE, 5000));
                Select select = new Select(device, elements, light);
                Buffer count = device.allocate(8)) {
            for (int n = 0; n <= 1; ++n) {
                reduce.call(stream, elements, output, n, 7);
                assertEquals(7 + n * DATA[0], firstLong());
                int[] untouched = {77};
                for (int algorithm = 0; algorithm < 3; ++algorithm) {
                    output.copyFrom(untouched);
                    switch (algorithm) {
                        case 0 -> scan.call(stream, elements, output, n);
                        case 1 -> radix.call(stream, input, output, n);
                        default -> select.call(stream, elements, output, count, n);
                    }
                    assertArrayEquals(n == 0 ? untouched : one, ints(1));
                }
                long[] selected = new long[1];
                count.copyTo(selected);
                assertEquals(n, selected[0]);
            }
        }
    }

    @Test
    void nansHaveTheirPlaces() {
        float negative = Float.intBitsToFloat(0xFFC00000);
        float[] data = {2, Float.NaN, -0F, negative, Float.NEGATIVE_INFINITY, 0F};
        float[] expected = {negative, Float.NEGATIVE_INFINITY, -0F, 0F, 2, Float.NaN};
        int[] bits = new int[data.length];
        input.copyFrom(data);
        try (ElementIterator floats = ElementIterator.of(ElementType.FLOAT32, input);
                RadixSort radix = new RadixSort(device, SortOrder.ASCENDING, ElementType.FLOAT32);
                ArgReduce largest = new ArgReduce(device, ArgKind.MAXIMUM, floats)) {
            radix.call(stream, input, output, data.length);
            stream.sync();
            output.copyTo(IntBuffer.wrap(bits));
            for (int i = 0; i < data.length; ++i) {
                assertEquals(Float.floatToRawIntBits(expected[i]), bits[i], "element " + i);
            }
            HostArray found = new HostArray(largest.resultType(), 1);
            largest.call(stream, floats, output, data.length);
            stream.sync();
            output.copyTo(found.memory());
            assertEquals(1L, found.get(0).get("index").number(), "the first NaN");
        }
    }

    @Test
    void memoryThatIsNoneOrOverlapsIsRefused() {
        try (Reduce reduce = new Reduce(device, elements, plus, ElementType.INT64);
                RadixSort radix = new RadixSort(device, SortOrder.DESCENDING, ElementType.INT32);
                ElementIterator nothing = ElementIterator.of(ElementType.INT32);
                Buffer odd = Buffer.fromHandle(device, input.handle() + 1, 4L * COUNT - 4);
                Buffer later = Buffer.fromHandle(device, input.handle() + 4, 4L * COUNT - 4)) {
            assertThrows(InvalidArgumentException.class, () -> reduce.call(stream, nothing, output, 1, 0));
            InvalidArgumentException none = assertThrows(
                    InvalidArgumentException.class, () -> Buffer.fromHandle(device, 0, 4).close());
            assertTrue(none.getMessage().contains("null"), none.getMessage());
            InvalidArgumentException overlap = assertThrows(InvalidArgumentException.class,
                    () -> radix.call(stream, input, later, COUNT - 1));
            assertTrue(overlap.getMessage().contains("overlap"), overlap.getMessage());
            InvalidArgumentException alignment = assertThrows(InvalidArgumentException.class,
                    () -> radix.call(stream, odd, output, COUNT - 1));
            assertTrue(alignment.getMessage().contains("aligned"), alignment.getMessage());
        }
    }

    @Test
    void whatDoesNotFitIsRefusedBeforeAnythingRuns() {
        try (Reduce reduce = new Reduce(device, elements, plus, ElementType.INT64);
                Scan scan = new Scan(device, ScanKind.INCLUSIVE, elements, plus, ElementType.INT64);
                Buffer small = device.allocate(4)) {
            InvalidArgumentException count = assertThrows(InvalidArgumentException.class,
                    () -> reduce.call(stream, elements, output, COUNT + 1, 0));
            assertTrue(count.getMessage().contains("5000 elements"), count.getMessage());
            InvalidArgumentException room = assertThrows(InvalidArgumentException.class,
                    () -> reduce.call(stream, elements, small, COUNT, 0));
            assertTrue(room.getMessage().contains("output"), room.getMessage());
            assertThrows(InvalidArgumentException.class, () -> scan.call(stream, elements, small, COUNT));
            assertThrows(InvalidArgumentException.class,
                    () -> reduce.call(stream, elements, output, COUNT, Value.of(0), new CallOptions()));
            try (ElementIterator other = ElementIterator.constant(ElementType.INT32, 1)) {
                assertThrows(InvalidArgumentException.class, () -> reduce.call(stream, other, output, COUNT, 0));
            }
        }
        try (Operator wrong = new Operator("a +\nnothing")) {
            CompileException error = assertThrows(
                    CompileException.class, () -> new Reduce(device, elements, wrong, ElementType.INT64).close());
            assertTrue(error.log().contains("operator(2)"), error.log());
        }
    }
}
