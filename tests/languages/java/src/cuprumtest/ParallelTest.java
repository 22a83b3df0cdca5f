package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Algorithm;
import io.cuprum.Buffer;
import io.cuprum.CompileException;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.ScanKind;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The parallel algorithms from Java, against its own library. */
final class ParallelTest {
    private static int[] random(int count) {
        return new Random(3).ints(count, -1000, 1000).toArray();
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
    void wideNumbersKeepAllTheirBits() {
        long wide = 0xFFFFFFFF00000001L;
        assertEquals(wide, Parallel.reduce(new long[] {wide, 0, 0}, 0L, "a | b"));
        assertArrayEquals(new long[] {wide, wide + 1}, Parallel.exclusiveScan(new long[] {1, 5}, wide, "plus"));
    }

    @Test
    void anAlgorithmIsBuiltOnceAndCalledManyTimes() {
        Device device = new Device(0);
        int[] data = random(5000);
        try (Stream stream = device.createStream();
                Buffer input = device.allocate(4L * data.length);
                Buffer output = device.allocate(8L * data.length);
                ElementIterator elements = ElementIterator.of(ElementType.INT32, input);
                Operator square = new Operator("(long long)a * a");
                ElementIterator squares = elements.transform(square, ElementType.INT64);
                Operator plus = new Operator("plus");
                Algorithm sum = Algorithm.reduction(device, squares, plus, ElementType.INT64);
                Algorithm scan = Algorithm.scan(device, ScanKind.INCLUSIVE, squares, plus, ElementType.INT64)) {
            input.copyFrom(java.nio.IntBuffer.wrap(data));
            long[] result = new long[1];
            for (long init : new long[] {0, 5}) {
                sum.reduce(stream, squares, output, data.length, init);
                stream.sync();
                output.copyTo(java.nio.LongBuffer.wrap(result));
                assertEquals(Arrays.stream(data).asLongStream().map(x -> x * x).sum() + init, result[0]);
            }
            scan.scan(stream, squares, output, data.length, null);
            stream.sync();
            long[] sums = new long[data.length];
            output.copyTo(java.nio.LongBuffer.wrap(sums));
            assertEquals(Arrays.stream(data).asLongStream().map(x -> x * x).sum(), sums[data.length - 1]);
            byte[] saved = sum.save();
            Algorithm.loadBuilds(device, saved);
            saved[saved.length / 2] ^= 1;
            assertThrows(InvalidArgumentException.class, () -> Algorithm.loadBuilds(device, saved));
            assertThrows(InvalidArgumentException.class,
                    () -> sum.scan(stream, squares, output, data.length, 0));
        }
    }

    @Test
    void textThatDoesNotCompileShowsItsOwnLines() {
        CompileException error =
                assertThrows(CompileException.class, () -> Parallel.reduce(new float[] {1}, 0, "a +\nnothing"));
        assertTrue(error.log().contains("operator(2)"), error.log());
    }
}
