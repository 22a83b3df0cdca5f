package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.HostParallel;
import io.cuprum.InvalidArgumentException;
import io.cuprum.ScanKind;
import io.cuprum.SortOrder;
import io.cuprum.UnsupportedException;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The parallel algorithms on the host's own cores, against Java's own library. */
final class HostParallelTest {
    private static final int[] COUNTS = {0, 1, 2, 1000, 200003};

    @Test
    void intsAreReducedAndScanned() {
        for (int count : COUNTS) {
            int[] data = new Random(count).ints(count).toArray();
            assertEquals(Arrays.stream(data).sum() + 7, HostParallel.reduce(data, 7, "a + b"));
            assertEquals(Arrays.stream(data).reduce(5, (a, b) -> a ^ b), HostParallel.reduce(data, 5, "bit_xor"));
            assertEquals(
                    Arrays.stream(data).reduce(5, Math::max), HostParallel.reduce(data, 5, "maximum"));
            int[] sums = data.clone();
            Arrays.parallelPrefix(sums, Integer::sum);
            assertArrayEquals(sums, HostParallel.inclusiveScan(data, "plus"));
            int[] before = HostParallel.exclusiveScan(data, 3, "plus");
            for (int i = 0; i < count; ++i) {
                assertEquals((i == 0 ? 0 : sums[i - 1]) + 3, before[i]);
            }
        }
    }

    @Test
    void wideNumbersKeepAllTheirBits() {
        long wide = 0xFFFFFFFF00000001L;
        assertEquals(wide, HostParallel.reduce(new long[] {wide, 0, 0}, 0L, "a | b"));
        assertArrayEquals(new long[] {wide, wide + 1}, HostParallel.exclusiveScan(new long[] {1, 5}, wide, "plus"));
        assertEquals(0.75, HostParallel.reduce(new double[] {0.5, 0.25}, 0.0, "plus"));
        assertEquals(-2.5f, HostParallel.reduce(new float[] {0.5f, -2.5f}, 0f, "minimum"));
    }

    @Test
    void everyTypeIsSorted() {
        for (int count : COUNTS) {
            Random random = new Random(count);
            double[] doubles = random.doubles(count, -1e9, 1e9).toArray();
            double[] expected = doubles.clone();
            Arrays.sort(expected);
            HostParallel.sort(doubles, SortOrder.ASCENDING);
            assertArrayEquals(expected, doubles);
            long[] longs = random.longs(count).toArray();
            long[] expectedLongs = longs.clone();
            Arrays.sort(expectedLongs);
            HostParallel.sort(longs, "less");
            assertArrayEquals(expectedLongs, longs);
            byte[] bytes = new byte[count];
            random.nextBytes(bytes);
            byte[] expectedBytes = bytes.clone();
            Arrays.sort(expectedBytes);
            HostParallel.sort(bytes, SortOrder.ASCENDING);
            assertArrayEquals(expectedBytes, bytes);
        }
        short[] shorts = {3, -1, 2};
        HostParallel.sort(shorts, "a > b");
        assertArrayEquals(new short[] {3, 2, -1}, shorts);
    }

    @Test
    void valuesMoveWithTheirKeys() {
        float[] keys = {2, 1, 2, -1};
        long[] values = {10, 11, 12, 13};
        HostParallel.sortByKey(keys, values, SortOrder.DESCENDING);
        assertArrayEquals(new float[] {2, 2, 1, -1}, keys);
        assertArrayEquals(new long[] {10, 12, 11, 13}, values);
        HostParallel.sortByKey(keys, values, "less");
        assertArrayEquals(new long[] {13, 11, 10, 12}, values);
        assertThrows(InvalidArgumentException.class,
                () -> HostParallel.sortByKey(keys, new int[3], SortOrder.ASCENDING));
    }

    @Test
    void elementsAreTransformedAndFound() {
        int[] data = IntStream.range(-1000, 1000).toArray();
        assertArrayEquals(Arrays.stream(data).map(x -> -x).toArray(), HostParallel.transform(data, "negate"));
        assertArrayEquals(Arrays.stream(data).map(x -> 2 * x).toArray(), HostParallel.transform(data, data, "a + b"));
        double[] halves = new double[2];
        HostParallel.transform(new int[] {1, 2}, new int[] {2, 2}, "multiplies", halves);
        assertArrayEquals(new double[] {2, 4}, halves);
        HostParallel.transform(new int[] {1, 2}, "negate", halves);
        assertArrayEquals(new double[] {-1, -2}, halves);
        HostParallel.scan(ScanKind.INCLUSIVE_WITH_INIT, new int[] {1, 2}, Value.of(0.5), "plus", halves);
        assertArrayEquals(new double[] {1.5, 3.5}, halves);
        assertEquals(Value.of(true),
                HostParallel.reduce(new boolean[] {false, true}, Value.of(false), "logical_or"));
        assertEquals(0, HostParallel.argmin(data));
        assertEquals(1999, HostParallel.argmax(data));
        assertEquals(2, HostParallel.argmax(new float[] {1, 5, Float.NaN}));
        assertEquals(-1, HostParallel.argmin(new double[0]));
    }

    @Test
    void whatItCannotDoIsRefused() {
        UnsupportedException error = assertThrows(
                UnsupportedException.class, () -> HostParallel.reduce(new int[] {1}, 0, "a * 2 + b"));
        assertTrue(error.getMessage().contains("'a * 2 + b'"));
        assertThrows(UnsupportedException.class, () -> HostParallel.reduce(new float[] {1}, 0f, "minus"));
        assertThrows(IllegalArgumentException.class, () -> HostParallel.argmin(new char[1]));
        assertThrows(IllegalArgumentException.class, () -> HostParallel.sort(null, SortOrder.ASCENDING));
    }
}
