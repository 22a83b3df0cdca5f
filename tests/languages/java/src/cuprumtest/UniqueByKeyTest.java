package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.Buffer;
import io.cuprum.CallOptions;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.InvalidArgumentException;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Stream;
import io.cuprum.UniqueByKey;
import io.cuprum.UnsupportedException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The first of each run of equal keys, and its value, against a plain loop. */
final class UniqueByKeyTest {
    private static final int[] COUNTS = {0, 1, 2, 1000, 30000};

    /** Runs of three equal keys or so. */
    private static int[] keys(int count) {
        Random random = new Random(count);
        int[] keys = new int[count];
        for (int i = 1; i < count; ++i) {
            keys[i] = random.nextInt(3) == 0 ? random.nextInt(50) : keys[i - 1];
        }
        return keys;
    }

    /** Where the runs start. */
    private static int[] starts(int[] keys) {
        return IntStream.range(0, keys.length).filter(i -> i == 0 || keys[i] != keys[i - 1]).toArray();
    }

    private static int[] at(int[] keys, int[] positions) {
        return Arrays.stream(positions).map(i -> keys[i]).toArray();
    }

    @Test
    void arraysKeepTheFirstOfEachRunAndWhatFollowsStaysAsItWas() {
        for (Execution execution : List.of(new Device(0), Execution.HOST)) {
            for (int count : COUNTS) {
                int[] given = keys(count);
                int[] keys = given.clone();
                short[] values = new short[count];
                for (int i = 0; i < count; ++i) {
                    values[i] = (short) i;
                }
                int[] starts = starts(given);
                assertEquals(starts.length, Parallel.uniqueByKey(keys, values, execution));
                assertArrayEquals(at(given, starts), Arrays.copyOf(keys, starts.length));
                for (int i = 0; i < starts.length; ++i) {
                    assertEquals((short) starts[i], values[i]);
                }
                assertArrayEquals(Arrays.copyOfRange(given, starts.length, count),
                        Arrays.copyOfRange(keys, starts.length, count));
            }
        }
    }

    @Test
    void operatorsSayWhichKeysAreEqual() {
        int[] keys = {10, 19, 20, 10, 11};
        double[] values = {1, 2, 3, 4, 5};
        assertEquals(3, Parallel.uniqueByKey(keys, values, "a / 10 == b / 10"));
        assertArrayEquals(new int[] {10, 20, 10}, Arrays.copyOf(keys, 3));
        assertArrayEquals(new double[] {1, 3, 4}, Arrays.copyOf(values, 3));
        int[] falling = {3, 2, 2, 5, 4};
        assertEquals(2, Parallel.uniqueByKey(falling, values, (a, b) -> a.greaterOrEqual(b)));
        assertArrayEquals(new int[] {3, 5}, Arrays.copyOf(falling, 2));
        assertThrows(UnsupportedException.class,
                () -> Parallel.uniqueByKey(keys, values, "a / 10 == b / 10", Execution.HOST));
        assertThrows(InvalidArgumentException.class, () -> Parallel.uniqueByKey(keys, new double[4]));
    }

    @Test
    void itIsBuiltOnceAndCalledOnADevice() {
        int count = 30000;
        int[] given = keys(count);
        int[] starts = starts(given);
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer input = device.allocate(4L * count);
                Buffer keysOut = device.allocate(4L * count);
                Buffer valuesOut = device.allocate(8L * count);
                Buffer selectedCount = device.allocate(8);
                ElementIterator keys = ElementIterator.of(ElementType.INT32, input);
                ElementIterator values = ElementIterator.counting(ElementType.INT64, 1L << 40);
                Operator equal = new Operator(OpKind.EQUAL_TO);
                UniqueByKey unique = new UniqueByKey(device, keys, values, equal);
                Buffer storage = device.allocate(unique.tempStorageBytes(count))) {
            input.copyFrom(given);
            unique.call(stream, keys, values, keysOut, valuesOut, selectedCount, count);
            unique.call(stream, keys, values, keysOut, valuesOut, selectedCount, count,
                    new CallOptions().tempStorage(storage));
            stream.sync();
            long[] selected = new long[1];
            selectedCount.copyTo(selected);
            assertEquals(starts.length, selected[0]);
            int[] foundKeys = new int[count];
            long[] foundValues = new long[count];
            keysOut.copyTo(foundKeys);
            valuesOut.copyTo(foundValues);
            assertArrayEquals(at(given, starts), Arrays.copyOf(foundKeys, starts.length));
            assertArrayEquals(Arrays.stream(starts).mapToLong(i -> (1L << 40) + i).toArray(),
                    Arrays.copyOf(foundValues, starts.length));
            assertThrows(InvalidArgumentException.class,
                    () -> unique.call(stream, keys, values, keysOut, keysOut, selectedCount, count));
        }
    }

    @Test
    void itIsBuiltOnceAndCalledOnTheHostsCores() {
        int[] keysIn = {1, 1, 2, 2, 1};
        try (ElementIterator keys = ElementIterator.of(ElementType.INT32);
                ElementIterator values = ElementIterator.of(ElementType.FLOAT32);
                Operator equal = new Operator(OpKind.EQUAL_TO);
                UniqueByKey unique = new UniqueByKey(Execution.HOST, keys, values, equal)) {
            int[] keysOut = {9, 9, 9, 9, 9};
            float[] valuesOut = {9, 9, 9, 9, 9};
            assertEquals(3L, unique.call(keysIn, new float[] {1, 2, 3, 4, 5}, keysOut, valuesOut, 5));
            assertArrayEquals(new int[] {1, 2, 1, 9, 9}, keysOut);
            assertArrayEquals(new float[] {1, 3, 5, 9, 9}, valuesOut);
            assertThrows(InvalidArgumentException.class,
                    () -> unique.call(keysIn, new float[5], keysOut, new float[4], 5));
            assertThrows(InvalidArgumentException.class,
                    () -> unique.call(keysIn, new float[4], keysOut, valuesOut, 5));
        }
    }
}
