package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.InvalidArgumentException;
import io.cuprum.SegmentedSort;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each segment of the keys sorted, against Arrays.sort. */
final class SegmentedSortTest {
    private static final int COUNT = 12000;
    private static final int[] BEGINS = {0, 3, 3, 120, 2000};
    private static final int[] ENDS = {3, 3, 120, 2000, COUNT};
    private static final int[] KEYS = new Random(1).ints(COUNT).toArray();

    private static int[] expected() {
        int[] sorted = KEYS.clone();
        for (int i = 0; i < BEGINS.length; ++i) {
            Arrays.sort(sorted, BEGINS[i], ENDS[i]);
        }
        return sorted;
    }

    @Test
    void segmentsAreSortedOnADevice() {
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer keys = device.allocate(4L * COUNT);
                Buffer sorted = device.allocate(4L * COUNT);
                Buffer begins = device.allocate(4L * BEGINS.length);
                Buffer ends = device.allocate(4L * ENDS.length);
                SegmentedSort sort =
                        new SegmentedSort(device, SortOrder.ASCENDING, ElementType.INT32, ElementType.INT32)) {
            keys.copyFrom(KEYS);
            begins.copyFrom(BEGINS);
            ends.copyFrom(ENDS);
            sort.call(stream, keys, sorted, COUNT, BEGINS.length, begins, ends);
            stream.sync();
            int[] found = new int[COUNT];
            sorted.copyTo(found);
            assertArrayEquals(expected(), found);
            assertThrows(InvalidArgumentException.class,
                    () -> sort.call(stream, keys, keys, COUNT, BEGINS.length, begins, ends));
        }
    }

    @Test
    void valuesMoveWithTheirKeysOnTheHostsCores() {
        try (SegmentedSort sort = new SegmentedSort(Execution.HOST, SortOrder.DESCENDING, ElementType.INT32,
                ElementType.FLOAT32, ElementType.INT32)) {
            int[] keys = {1, 2, 3, 1, 9, 9};
            float[] values = {1, 2, 3, 4, 5, 6};
            int[] keysOut = new int[6];
            float[] valuesOut = new float[6];
            sort.call(keys, keysOut, values, valuesOut, 6, 2, new int[] {0, 3}, new int[] {3, 5});
            assertArrayEquals(new int[] {3, 2, 1, 9, 1, 0}, keysOut);
            assertArrayEquals(new float[] {3, 2, 1, 5, 4, 0}, valuesOut);
            assertThrows(InvalidArgumentException.class,
                    () -> sort.call(keys, keysOut, values, valuesOut, 6, 3, new int[2], new int[2]));
        }
    }
}
