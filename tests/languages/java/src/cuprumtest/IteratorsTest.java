package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.CacheModifier;
import io.cuprum.CallOptions;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.HostArray;
import io.cuprum.InvalidArgumentException;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Reduce;
import io.cuprum.Scan;
import io.cuprum.Select;
import io.cuprum.Stream;
import io.cuprum.Transform;
import io.cuprum.UniqueByKey;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Iterators made of each other, read and written. */
final class IteratorsTest {
    private static final int COUNT = 1000;

    @Test
    void theyAreReadAndWrittenOnADevice() {
        int[] numbers = IntStream.range(0, COUNT).map(i -> i * 7 % 1001).toArray();
        ElementType pair = ElementType.structure("Pair", ElementType.field("number", ElementType.INT32),
                ElementType.field("position", ElementType.INT64));
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer input = device.allocate(4L * COUNT);
                Buffer output = device.allocate(8L * COUNT);
                ElementIterator loaded = ElementIterator.cacheModified(ElementType.INT32, input, CacheModifier.STREAM);
                ElementIterator backwards = loaded.reverse(COUNT - 1);
                ElementIterator positions = ElementIterator.counting(ElementType.INT64, 5);
                ElementIterator odd = positions.strided(2, 1);
                ElementIterator pairs = ElementIterator.zip(pair, backwards, odd);
                ElementIterator results = ElementIterator.of(ElementType.INT64, output);
                Operator negate = new Operator(OpKind.NEGATE);
                ElementIterator negative = results.transformOutput(negate, ElementType.INT64);
                ElementIterator there = negative.reverse(COUNT - 1);
                Operator sum = new Operator("a.number * 10000LL + a.position");
                Transform transform = new Transform(device, pairs, sum, ElementType.INT64, there)) {
            input.copyFrom(numbers);
            transform.call(stream, pairs, null, there, COUNT, new CallOptions());
            stream.sync();
            long[] found = new long[COUNT];
            output.copyTo(found);
            for (int i = 0; i < COUNT; ++i) {
                assertEquals(-(numbers[COUNT - 1 - i] * 10000L + 6 + 2L * i), found[COUNT - 1 - i]);
            }
            assertThrows(InvalidArgumentException.class,
                    () -> transform.call(stream, pairs, null, output, COUNT, new CallOptions()));
            assertThrows(InvalidArgumentException.class,
                    () -> transform.call(stream, pairs, null, there, COUNT + 1, new CallOptions()));
        }
    }

    @Test
    void theyAreReadAndWrittenOnTheHostsCores() {
        HostArray results = hostArray(new int[8]);
        int[] keys = {3, 3, 0, 4, 4, 4, 0, 9};
        try (ElementIterator elements = ElementIterator.of(ElementType.INT32);
                ElementIterator there = ElementIterator.of(results);
                ElementIterator backwards = there.reverse(7);
                ElementIterator nowhere = ElementIterator.discard(ElementType.INT32);
                ElementIterator positions = ElementIterator.counting(ElementType.INT32, 0);
                Operator plus = new Operator(OpKind.PLUS);
                Operator identity = new Operator(OpKind.IDENTITY);
                Operator equal = new Operator(OpKind.EQUAL_TO);
                Scan scan = new Scan(Execution.HOST, io.cuprum.ScanKind.INCLUSIVE, elements, plus, ElementType.INT32,
                        backwards);
                Select select = new Select(Execution.HOST, elements, identity, backwards);
                UniqueByKey unique =
                        new UniqueByKey(Execution.HOST, elements, positions, equal, nowhere, backwards)) {
            scan.call(keys, backwards, 8);
            assertArrayEquals(new int[] {27, 18, 18, 14, 10, 6, 6, 3}, ints(results));
            assertEquals(6, select.call(keys, backwards, 8));
            assertArrayEquals(new int[] {9, 4, 4, 4, 3, 3}, Arrays.copyOfRange(ints(results), 2, 8));
            assertEquals(5, unique.call(keys, positions, nowhere, backwards, 8));
            assertArrayEquals(new int[] {7, 6, 3, 2, 0}, Arrays.copyOfRange(ints(results), 3, 8));
        }
    }

    @Test
    void aReductionWritesThroughOneOnTheHostsCores() {
        HostArray results = hostArray(new int[3]);
        int[] numbers = {3, 9, 4};
        try (ElementIterator elements = ElementIterator.of(ElementType.INT32);
                ElementIterator there = ElementIterator.of(results);
                Operator negate = new Operator(OpKind.NEGATE);
                ElementIterator negative = there.transformOutput(negate, ElementType.INT32);
                ElementIterator last = negative.reverse(2);
                Operator plus = new Operator(OpKind.PLUS);
                Reduce sum = new Reduce(Execution.HOST, elements, plus, ElementType.INT32, last)) {
            sum.call(numbers, last, 3);
            assertArrayEquals(new int[] {0, 0, -16}, ints(results));
            sum.call(numbers, last, 3, 100);
            assertArrayEquals(new int[] {0, 0, -116}, ints(results));
            sum.call(numbers, last, 3, Value.of(ElementType.INT32, 1));
            assertArrayEquals(new int[] {0, 0, -17}, ints(results));
            // Built with an iterator, it cannot return its result.
            assertThrows(InvalidArgumentException.class, () -> sum.call(numbers, 3));
        }
    }

    @Test
    void aShuffleIsAPermutation() {
        int[] numbers = IntStream.range(0, COUNT).toArray();
        HostArray values = hostArray(numbers);
        try (ElementIterator inOrder = ElementIterator.of(values);
                ElementIterator order = ElementIterator.shuffle(COUNT, 0xFFFFFFFF00000001L);
                ElementIterator shuffled = inOrder.permute(order);
                Operator identity = new Operator(OpKind.IDENTITY);
                Transform copy = new Transform(Execution.HOST, shuffled, identity, ElementType.INT32)) {
            int[] found = new int[COUNT];
            copy.call(shuffled, found, COUNT);
            assertTrue(!Arrays.equals(numbers, found));
            Arrays.sort(found);
            assertArrayEquals(numbers, found);
        }
    }

    @Test
    void whatTheyCannotDoIsRefused() {
        try (ElementIterator constant = ElementIterator.constant(ElementType.INT32, 1);
                ElementIterator nowhere = ElementIterator.discard(ElementType.INT32);
                ElementIterator halves = ElementIterator.constant(ElementType.FLOAT32, 0.5);
                Operator negate = new Operator(OpKind.NEGATE)) {
            assertThrows(InvalidArgumentException.class, () -> constant.transformOutput(negate, ElementType.INT32));
            assertThrows(InvalidArgumentException.class, () -> nowhere.transform(negate, ElementType.INT32));
            assertThrows(InvalidArgumentException.class, () -> constant.permute(halves));
            assertThrows(InvalidArgumentException.class, () -> ElementIterator.zip(ElementType.INT32, constant));
            assertThrows(InvalidArgumentException.class, () -> ElementIterator.zip(ElementType.INT32));
            assertThrows(InvalidArgumentException.class, () -> ElementIterator.shuffle(0, 1));
            assertThrows(InvalidArgumentException.class,
                    () -> new Transform(Execution.HOST, constant, negate, ElementType.INT32, constant));
        }
    }

    private static HostArray hostArray(int[] values) {
        HostArray array = new HostArray(ElementType.INT32, values.length);
        for (int i = 0; i < values.length; ++i) {
            array.set(i, values[i]);
        }
        return array;
    }

    private static int[] ints(HostArray array) {
        return IntStream.range(0, (int) array.length()).map(i -> array.get(i).number().intValue()).toArray();
    }
}
