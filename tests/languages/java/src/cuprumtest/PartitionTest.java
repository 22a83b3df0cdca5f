package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.InvalidArgumentException;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Partition;
import io.cuprum.PartitionFlagged;
import io.cuprum.SelectFlagged;
import io.cuprum.Stream;
import io.cuprum.Unique;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Selections by flags, unique elements and elements in two parts, against plain loops. */
final class PartitionTest {
    private static final int[] DATA = {5, 5, 0, 3, 3, 3, 0, 0};
    private static final int[] FLAGS = {1, 0, 1, 0, 0, 1, 0, 0};

    @Test
    void partsAreOfWhatAFunctionSelectsOnADevice() {
        int[] data = new Random(1).ints(10007, 0, 100).toArray();
        int[] above = Arrays.stream(data).filter(a -> a > 70).toArray();
        int[] rest = Arrays.stream(data).filter(a -> a <= 70).toArray();
        int[] expected = IntStream.concat(Arrays.stream(above),
                IntStream.range(0, rest.length).map(i -> rest[rest.length - 1 - i])).toArray();
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer input = device.allocate(4L * data.length);
                Buffer output = device.allocate(4L * data.length);
                Buffer selected = device.allocate(8);
                ElementIterator elements = ElementIterator.of(ElementType.INT32, input);
                Operator isAbove = Operator.of(a -> a.greaterThan(70));
                Partition partition = new Partition(device, elements, isAbove)) {
            input.copyFrom(data);
            partition.call(stream, elements, output, selected, data.length);
            stream.sync();
            int[] found = new int[data.length];
            long[] count = new long[1];
            output.copyTo(found);
            selected.copyTo(count);
            assertArrayEquals(expected, found);
            assertEquals(above.length, count[0]);
            assertThrows(InvalidArgumentException.class,
                    () -> partition.call(stream, elements, input, selected, data.length));
        }
    }

    @Test
    void uniqueElementsAreKeptInOneCall() {
        for (Execution execution : new Execution[] {new Device(0), Execution.HOST}) {
            assertArrayEquals(new int[] {5, 0, 3, 0}, Parallel.unique(DATA, execution));
            assertArrayEquals(new double[0], Parallel.unique(new double[0], execution));
            assertArrayEquals(new short[] {7}, Parallel.unique(new short[] {7, 7}, "equal_to", execution));
        }
        assertArrayEquals(new int[] {10, 20, 19}, Parallel.unique(new int[] {10, 15, 20, 19, 11}, "a / 10 == b / 10"));
        assertArrayEquals(new int[] {3, 5}, Parallel.unique(new int[] {3, 2, 2, 5, 4}, (a, b) -> a.greaterOrEqual(b)));
    }

    @Test
    void flagsAndRunsSelectOnTheHostsCores() {
        try (ElementIterator numbers = ElementIterator.of(ElementType.INT32);
                Operator isZero = new Operator(OpKind.LOGICAL_NOT);
                Operator isEqual = new Operator(OpKind.EQUAL_TO);
                SelectFlagged select = new SelectFlagged(Execution.HOST, numbers, numbers);
                PartitionFlagged parts = new PartitionFlagged(Execution.HOST, numbers, numbers);
                Partition zeros = new Partition(Execution.HOST, numbers, isZero);
                Unique unique = new Unique(Execution.HOST, numbers, isEqual)) {
            int[] out = new int[8];
            assertEquals(3, select.call(DATA, FLAGS, out, 8));
            assertArrayEquals(new int[] {5, 0, 3, 0, 0, 0, 0, 0}, out);
            assertEquals(3, parts.call(DATA, FLAGS, out, 8));
            assertArrayEquals(new int[] {5, 0, 3, 0, 0, 3, 3, 5}, out);
            assertEquals(3, zeros.call(DATA, out, 8));
            assertArrayEquals(new int[] {0, 0, 0, 3, 3, 3, 5, 5}, out);
            assertEquals(4, unique.call(DATA, out, 8));
            assertArrayEquals(new int[] {5, 0, 3, 0}, Arrays.copyOf(out, 4));
            assertThrows(InvalidArgumentException.class, () -> select.call(DATA, new int[7], out, 8));
        }
    }
}
