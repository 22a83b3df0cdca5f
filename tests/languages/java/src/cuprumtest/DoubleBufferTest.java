package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.BitRange;
import io.cuprum.Buffer;
import io.cuprum.CallOptions;
import io.cuprum.Device;
import io.cuprum.DoubleBuffer;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.InvalidArgumentException;
import io.cuprum.RadixSort;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sorts between two buffers. */
final class DoubleBufferTest {
    private static final int COUNT = 20_011;

    @Test
    void theSortedElementsAreInTheCurrentBuffer() {
        int[] keys = new Random(1).ints(COUNT, 0, 1 << 24).toArray();
        int[] sorted = Arrays.stream(keys).sorted().toArray();
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer first = device.allocate(4L * COUNT);
                Buffer second = device.allocate(4L * COUNT);
                RadixSort sort = new RadixSort(device, SortOrder.ASCENDING, ElementType.INT32)) {
            first.copyFrom(keys);
            DoubleBuffer<Buffer> buffers = new DoubleBuffer<>(first, second);
            assertTrue(sort.doubleBufferStorageBytes(COUNT) <= sort.tempStorageBytes(COUNT) - 4L * COUNT);
            // Three passes over 24 bits end in the other buffer, four over all of them where they began.
            try (Buffer storage = device.allocate(sort.doubleBufferStorageBytes(COUNT))) {
                sort.call(stream, buffers, null, COUNT, new BitRange(0, 24), new CallOptions().tempStorage(storage));
                stream.sync();
            }
            assertSame(second, buffers.current());
            assertSame(first, buffers.alternate());
            assertEquals(1, buffers.selector());
            assertArrayEquals(sorted, ints(buffers.current()));
            sort.call(stream, buffers, COUNT);
            stream.sync();
            assertSame(second, buffers.current());
            assertArrayEquals(sorted, ints(buffers.current()));
            DoubleBuffer<Buffer> same = new DoubleBuffer<>(first, first);
            assertThrows(InvalidArgumentException.class, () -> sort.call(stream, same, COUNT));
            assertThrows(InvalidArgumentException.class, () -> sort.call(stream, buffers, buffers, COUNT));
        }
    }

    @Test
    void valuesMoveWithTheirKeysOnTheHostsCores() {
        int[] keys = {5, -3, 8};
        float[] values = {0, 1, 2};
        DoubleBuffer<int[]> ofKeys = new DoubleBuffer<>(keys, new int[3]);
        DoubleBuffer<float[]> ofValues = new DoubleBuffer<>(values, new float[3]);
        try (RadixSort sort =
                        new RadixSort(Execution.HOST, SortOrder.DESCENDING, ElementType.INT32, ElementType.FLOAT32)) {
            sort.call(ofKeys, ofValues, 3);
            assertArrayEquals(new int[] {8, 5, -3}, ofKeys.current());
            assertArrayEquals(new float[] {2, 0, 1}, ofValues.current());
            assertSame(keys, ofKeys.alternate());
        }
        try (RadixSort alone = new RadixSort(Execution.HOST, SortOrder.ASCENDING, ElementType.INT32)) {
            alone.call(ofKeys, 3);
            assertArrayEquals(new int[] {-3, 5, 8}, ofKeys.current());
        }
    }

    private static int[] ints(Buffer buffer) {
        int[] elements = new int[COUNT];
        buffer.copyTo(elements);
        return elements;
    }
}
