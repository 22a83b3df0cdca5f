package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Execution;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Parallel;
import io.cuprum.ScanKind;
import io.cuprum.SortOrder;
import io.cuprum.UnsupportedException;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The parallel algorithms on the host's own cores, against Java's own library. */
final class HostExecutionTest {
    private static final int[] COUNTS = {0, 1, 2, 1000, 200003};

    @Test
    void intsAreReducedAndScanned() {
        for (int count : COUNTS) {
            int[] data = new Random(count).ints(count).toArray();
            assertEquals(Arrays.stream(data).sum() + 7, Parallel.reduce(data, 7, "a + b", Execution.HOST));
            assertEquals(Arrays.stream(data).reduce(5, (a, b) -> a ^ b),
                    Parallel.reduce(data, 5, "bit_xor", Execution.HOST));
            assertEquals(
                    Arrays.stream(data).reduce(5, Math::max), Parallel.reduce(data, 5, "maximum", Execution.HOST));
            int[] sums = data.clone();
            Arrays.parallelPrefix(sums, Integer::sum);
            assertArrayEquals(sums, Parallel.inclusiveScan(data, "plus", Execution.HOST));
            int[] before = Parallel.exclusiveScan(data, 3, "plus", Execution.HOST);
            for (int i = 0; i < count; ++i) {
                assertEquals((i == 0 ? 0 : sums[i - 1]) + 3, before[i]);
            }
        }
    }

    @Test
    void wideNumbersKeepAllTheirBits() {
        long wide = 0xFFFFFFFF00000001L;
        assertEquals(wide, Parallel.reduce(new long[] {wide, 0, 0}, 0L, "a | b", Execution.HOST));
        assertArrayEquals(new long[] {wide, wide + 1},
                Parallel.exclusiveScan(new long[] {1, 5}, wide, "plus", Execution.HOST));
        assertEquals(0.75, Parallel.reduce(new double[] {0.5, 0.25}, 0.0, "plus", Execution.HOST));
        assertEquals(-2.5f, Parallel.reduce(new float[] {0.5f, -2.5f}, 0f, "minimum", Execution.HOST));
    }

    @Test
    void everyTypeIsSorted() {
        for (int count : COUNTS) {
            Random random = new Random(count);
            double[] doubles = random.doubles(count, -1e9, 1e9).toArray();
            double[] expected = doubles.clone();
            Arrays.sort(expected);
            Parallel.sort(doubles, SortOrder.ASCENDING, Execution.HOST);
            assertArrayEquals(expected, doubles);
            long[] longs = random.longs(count).toArray();
            long[] expectedLongs = longs.clone();
            Arrays.sort(expectedLongs);
            Parallel.sort(longs, "less", Execution.HOST);
            assertArrayEquals(expectedLongs, longs);
            byte[] bytes = new byte[count];
            random.nextBytes(bytes);
            byte[] expectedBytes = bytes.clone();
            Arrays.sort(expectedBytes);
            Parallel.sort(bytes, SortOrder.ASCENDING, Execution.HOST);
            assertArrayEquals(expectedBytes, bytes);
        }
        short[] shorts = {3, -1, 2};
        Parallel.sort(shorts, "a > b", Execution.HOST);
        assertArrayEquals(new short[] {3, 2, -1}, shorts);
    }

    @Test
    void valuesMoveWithTheirKeys() {
        float[] keys = {2, 1, 2, -1};
        long[] values = {10, 11, 12, 13};
        Parallel.sortByKey(keys, values, SortOrder.DESCENDING, Execution.HOST);
        assertArrayEquals(new float[] {2, 2, 1, -1}, keys);
        assertArrayEquals(new long[] {10, 12, 11, 13}, values);
        Parallel.sortByKey(keys, values, "less", Execution.HOST);
        assertArrayEquals(new long[] {13, 11, 10, 12}, values);
        assertThrows(InvalidArgumentException.class,
                () -> Parallel.sortByKey(keys, new int[3], SortOrder.ASCENDING, Execution.HOST));
    }

    @Test
    void elementsAreTransformedAndFound() {
        int[] data = IntStream.range(-1000, 1000).toArray();
        assertArrayEquals(
                Arrays.stream(data).map(x -> -x).toArray(), Parallel.transform(data, "negate", Execution.HOST));
        assertArrayEquals(Arrays.stream(data).map(x -> 2 * x).toArray(),
                Parallel.transform(data, data, "a + b", Execution.HOST));
        double[] halves = new double[2];
        Parallel.transform(new int[] {1, 2}, new int[] {2, 2}, "multiplies", halves, Execution.HOST);
        assertArrayEquals(new double[] {2, 4}, halves);
        Parallel.transform(new int[] {1, 2}, "negate", halves, Execution.HOST);
        assertArrayEquals(new double[] {-1, -2}, halves);
        Parallel.scan(ScanKind.INCLUSIVE_WITH_INIT, new int[] {1, 2}, Value.of(0.5), "plus", halves, Execution.HOST);
        assertArrayEquals(new double[] {1.5, 3.5}, halves);
        assertEquals(Value.of(true),
                Parallel.reduce(new boolean[] {false, true}, Value.of(false), "logical_or", Execution.HOST));
        assertEquals(0, Parallel.argmin(data, Execution.HOST));
        assertEquals(1999, Parallel.argmax(data, Execution.HOST));
        assertEquals(2, Parallel.argmax(new float[] {1, 5, Float.NaN}, Execution.HOST));
        assertEquals(-1, Parallel.argmin(new double[0], Execution.HOST));
    }

    @Test
    void elementsAreSelected() {
        assertArrayEquals(new int[] {3, -5}, Parallel.select(new int[] {0, 3, 0, -5}, "identity", Execution.HOST));
        assertArrayEquals(new double[0], Parallel.select(new double[0], "identity", Execution.HOST));
        for (int count : COUNTS) {
            int[] data = new Random(count).ints(count, 0, 3).toArray();
            int[] expected = Arrays.stream(data).filter(x -> x != 0).toArray();
            assertArrayEquals(expected, Parallel.select(data, "identity", Execution.HOST));
        }
        assertThrows(UnsupportedException.class, () -> Parallel.select(new int[1], "a % 2", Execution.HOST));
    }

    @Test
    void whatItCannotDoIsRefused() {
        UnsupportedException error = assertThrows(
                UnsupportedException.class, () -> Parallel.reduce(new int[] {1}, 0, "a * 2 + b", Execution.HOST));
        assertTrue(error.getMessage().contains("'a * 2 + b'"));
        assertThrows(UnsupportedException.class, () -> Parallel.reduce(new float[] {1}, 0f, "minus", Execution.HOST));
        assertThrows(IllegalArgumentException.class, () -> Parallel.argmin(new char[1], Execution.HOST));
        assertThrows(IllegalArgumentException.class, () -> Parallel.sort(null, SortOrder.ASCENDING, Execution.HOST));
    }
}
