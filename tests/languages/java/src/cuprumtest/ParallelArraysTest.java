package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.Device;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.HostArray;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Neighbour;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.SortOrder;
import io.cuprum.UnsupportedException;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The calls over arrays that read some and write others, against loops. */
final class ParallelArraysTest {
    private static final int[] SIZES = {0, 1, 3000};

    private static void everywhere(Consumer<Execution> check) {
        check.accept(new Device(0));
        check.accept(Execution.HOST);
    }

    private static int[] random(int count, int bound) {
        return new Random(count).ints(count, 0, bound).toArray();
    }

    private static int[] sorted(int[] data) {
        int[] result = data.clone();
        Arrays.sort(result);
        return result;
    }

    @Test
    void samplesAreCounted() {
        everywhere(execution -> {
            for (int size : SIZES) {
                int[] samples = random(size, 100);
                long[] even = new long[9];
                long[] ranges = new long[2];
                for (int each : samples) {
                    if (each < 90) {
                        ++even[each / 10];
                    }
                    if (each >= 5 && each < 99) {
                        ++ranges[each < 50 ? 0 : 1];
                    }
                }
                assertArrayEquals(even, Parallel.histogramEven(samples, 9, Value.of(0), Value.of(90), execution));
                assertArrayEquals(ranges, Parallel.histogramRange(samples, new double[] {5, 50, 99}, execution));
            }
            assertThrows(InvalidArgumentException.class,
                    () -> Parallel.histogramEven(new int[3], 4, Value.of(0), Value.of(1.0), execution));
            assertThrows(InvalidArgumentException.class,
                    () -> Parallel.histogramRange(new int[3], new int[0], execution));
        });
    }

    @Test
    void extremesAreFound() {
        everywhere(execution -> {
            for (int size : SIZES) {
                int[] keys = random(size, 1000);
                int[] sorted = sorted(keys);
                int k = size / 2;
                assertArrayEquals(Arrays.copyOf(sorted, k), sorted(Parallel.topkKeys(keys, k, execution)));
                assertArrayEquals(Arrays.copyOfRange(sorted, size - k, size),
                        sorted(Parallel.topkKeys(keys, k, SortOrder.DESCENDING, execution)));
                int[] top = new int[k];
                long[] places = new long[k];
                long[] all = IntStream.range(0, size).asLongStream().toArray();
                Parallel.topkPairs(keys, all, top, places, execution);
                for (int i = 0; i < k; ++i) {
                    assertEquals(keys[(int) places[i]], top[i]);
                }
                assertArrayEquals(Arrays.copyOf(sorted, k), sorted(top));
                if (size > 0) {
                    assertArrayEquals(
                            new int[] {sorted[0], sorted[size - 1]}, Parallel.minMax(keys, execution));
                }
            }
            assertThrows(InvalidArgumentException.class, () -> Parallel.minMax(new int[0], execution));
            assertThrows(InvalidArgumentException.class, () -> Parallel.topkKeys(new int[3], 4, execution));
        });
    }

    @Test
    void runsAreScannedAndReduced() {
        everywhere(execution -> {
            for (int size : SIZES) {
                int[] keys = random(size, 2);
                long[] values = IntStream.range(0, size).asLongStream().toArray();
                long[] inclusive = new long[size];
                long[] exclusive = new long[size];
                for (int i = 0; i < size; ++i) {
                    boolean begins = i == 0 || keys[i] != keys[i - 1];
                    exclusive[i] = begins ? 7 : exclusive[i - 1] + values[i - 1];
                    inclusive[i] = values[i] + (begins ? 0 : inclusive[i - 1]);
                }
                assertArrayEquals(inclusive, Parallel.inclusiveScanByKey(keys, values, execution));
                assertArrayEquals(inclusive, Parallel.inclusiveScanByKey(keys, values, "plus", "equal_to", execution));
                assertArrayEquals(
                        exclusive, Parallel.exclusiveScanByKey(keys, values, Value.of(7L), "plus", execution));
            }
            assertThrows(InvalidArgumentException.class,
                    () -> Parallel.inclusiveScanByKey(new int[3], new int[2], execution));
        });
        int[] keys = {10, 19, 21, 25, 11};
        int[] values = {1, 2, 3, 4, 5};
        assertArrayEquals(new int[] {1, 3, 3, 7, 5},
                Parallel.inclusiveScanByKey(keys, values, (a, b) -> a.plus(b),
                        (a, b) -> a.dividedBy(10).equalTo(b.dividedBy(10))));
        assertEquals(3, Parallel.reduceByKey(keys, values, "a + b", "a / 10 == b / 10"));
        assertArrayEquals(new int[] {10, 21, 11}, Arrays.copyOf(keys, 3));
        assertArrayEquals(new int[] {3, 7, 5}, Arrays.copyOf(values, 3));
        try (Operator plus = new Operator("plus");
                Operator always = new Operator("true")) {
            assertEquals(1, Parallel.reduceByKey(new int[] {1, 2}, new int[] {3, 4}, plus, always));
        }
    }

    @Test
    void sortedArraysAreMergedAndSearched() {
        everywhere(execution -> {
            for (int size : SIZES) {
                int[] first = sorted(random(size, 500));
                int[] second = sorted(random(size / 3 + 1, 500));
                int[] expected = sorted(IntStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray());
                assertArrayEquals(expected, Parallel.mergeKeys(first, second, execution));
                int[] keys = new int[expected.length];
                double[] values = new double[expected.length];
                double[] ones = new double[first.length];
                Arrays.fill(ones, 1);
                Parallel.mergePairs(first, ones, second, new double[second.length], keys, values, execution);
                assertArrayEquals(expected, keys);
                assertEquals(first.length, Arrays.stream(values).sum());
                long[] lower = Parallel.lowerBound(first, second, execution);
                long[] upper = Parallel.upperBound(first, second, execution);
                for (int i = 0; i < second.length; ++i) {
                    int value = second[i];
                    assertEquals(Arrays.stream(first).filter(each -> each < value).count(), lower[i]);
                    assertEquals(Arrays.stream(first).filter(each -> each <= value).count(), upper[i]);
                }
            }
        });
        assertArrayEquals(new int[] {9, 8, 4}, Parallel.mergeKeys(new int[] {9, 4}, new int[] {8}, "a > b"));
        assertThrows(InvalidArgumentException.class,
                () -> Parallel.<Object>mergeKeys(new int[2], new float[2], Execution.HOST));
        HostArray structs = new HostArray(ElementType.structure("K", ElementType.field("x", ElementType.INT32)), 1);
        structs.set(0, 5);
        assertEquals("K{x=5}", Parallel.mergeKeys(structs, structs, "a.x < b.x").get(1).toString());
    }

    @Test
    void elementsAreSelectedAndPartitioned() {
        everywhere(execution -> {
            for (int size : SIZES) {
                int[] data = random(size, 1000);
                byte[] flags = new byte[size];
                boolean[] truths = new boolean[size];
                for (int i = 0; i < size; ++i) {
                    truths[i] = data[i] % 3 == 0;
                    flags[i] = (byte) (truths[i] ? 2 : 0);
                }
                int[] kept = Arrays.stream(data).filter(each -> each % 3 == 0).toArray();
                int[] rest = Arrays.stream(data).filter(each -> each % 3 != 0).toArray();
                assertArrayEquals(kept, Parallel.selectFlagged(data, flags, execution));
                assertArrayEquals(kept, Parallel.selectFlagged(data, truths, execution));
                int[] parts = data.clone();
                assertEquals(kept.length, Parallel.partitionFlagged(parts, flags, execution));
                assertArrayEquals(kept, Arrays.copyOf(parts, kept.length));
                for (int i = 0; i < rest.length; ++i) {
                    assertEquals(rest[i], parts[size - 1 - i]);
                }
                byte[] three = flags.clone();
                long[] counts = Parallel.threeWayPartition(three, "logical_not", "identity", execution);
                assertArrayEquals(new long[] {rest.length, kept.length}, counts);
                for (int i = 0; i < size; ++i) {
                    assertEquals(i < rest.length ? 0 : 2, three[i]);
                }
            }
            assertThrows(InvalidArgumentException.class,
                    () -> Parallel.selectFlagged(new int[3], new byte[2], execution));
            assertThrows(InvalidArgumentException.class,
                    () -> Parallel.partitionFlagged(new int[3], new byte[2], execution));
        });
        int[] data = {5, -1, 8, 2, -3};
        assertArrayEquals(new long[] {2, 1},
                Parallel.threeWayPartition(data, a -> a.lessThan(0), a -> a.greaterThan(5)));
        assertArrayEquals(new int[] {-1, -3, 8, 5, 2}, data);
    }

    @Test
    void runsAreFound() {
        everywhere(execution -> {
            int[] data = {1, 1, 2, 3, 3, 3, 4};
            int[] offsets = {9, 9, 9, 9, 9, 9, 9};
            int[] lengths = offsets.clone();
            assertEquals(2, Parallel.nonTrivialRuns(data, offsets, lengths, execution));
            assertArrayEquals(new int[] {0, 3, 9, 9, 9, 9, 9}, offsets);
            assertArrayEquals(new int[] {2, 3, 9, 9, 9, 9, 9}, lengths);
            assertEquals(0, Parallel.nonTrivialRuns(new int[0], new long[0], new long[0], "equal_to", execution));
            assertThrows(InvalidArgumentException.class,
                    () -> Parallel.nonTrivialRuns(data, offsets, new int[3], execution));
            assertThrows(InvalidArgumentException.class,
                    () -> Parallel.nonTrivialRuns(data, offsets, new long[7], execution));
        });
        assertEquals(1, Parallel.nonTrivialRuns(new int[] {10, 19, 21}, new long[3], new long[3],
                (a, b) -> a.dividedBy(10).equalTo(b.dividedBy(10))));
    }

    @Test
    void samplesOfSeveralChannelsAreCounted() {
        everywhere(execution -> {
            for (int size : SIZES) {
                int[] pixels = random(3 * size, 100);
                long[] expected = new long[6];
                for (int i = 0; i < size; ++i) {
                    ++expected[pixels[3 * i] / 50];
                    ++expected[2 + pixels[3 * i + 1] / 30];
                }
                long[] bins = {2, 4};
                assertArrayEquals(expected, Parallel.multiHistogramEven(
                        pixels, 3, bins, new int[2], new int[] {100, 120}, execution));
                assertArrayEquals(expected, Parallel.multiHistogramRange(
                        pixels, 3, bins, new double[] {0, 50, 100, 0, 30, 60, 90, 120}, execution));
            }
            assertThrows(InvalidArgumentException.class, () -> Parallel.multiHistogramEven(
                    new int[4], 3, new long[] {1}, new int[1], new int[] {1}, execution));
            assertThrows(InvalidArgumentException.class, () -> Parallel.multiHistogramEven(
                    new int[3], 3, new long[] {-1, 2}, new int[2], new int[] {1, 1}, execution));
        });
    }

    @Test
    void severalArraysAreTransformed() {
        for (int size : SIZES) {
            int[] first = random(size, 100);
            int[] second = random(size, 50);
            double[] third = Arrays.stream(first).asDoubleStream().toArray();
            double[] expected = new double[size];
            for (int i = 0; i < size; ++i) {
                expected[i] = first[i] * second[i] + third[i];
            }
            double[] sums = new double[size];
            try (Operator op = Operator.of(3, x -> x[0].times(x[1]).plus(x[2]))) {
                Parallel.transform(new Object[] {first, second, third}, op, sums);
                assertArrayEquals(expected, sums);
            }
            int[][] three = {first, second, first};
            int[] sum = Parallel.transform(three, "a + b + c");
            for (int i = 0; i < size; ++i) {
                assertEquals(2 * first[i] + second[i], sum[i]);
            }
        }
        int[][] pair = {{1, 2}, {3, 4}};
        assertArrayEquals(new int[] {4, 6}, Parallel.transform(pair, "plus", Execution.HOST));
        assertThrows(UnsupportedException.class,
                () -> Parallel.transform(new int[3][2], "a + b + c", Execution.HOST));
        assertThrows(InvalidArgumentException.class, () -> Parallel.transform(new int[0][], "a"));
        assertThrows(InvalidArgumentException.class, () -> Parallel.transform(new int[][] {{1}, {1, 2}}, "a + b"));
    }

    @Test
    void numbersBelowZeroAreRefused() {
        everywhere(execution -> {
            assertThrows(InvalidArgumentException.class, () -> Parallel.topkKeys(new int[3], -1, execution));
            assertThrows(InvalidArgumentException.class,
                    () -> Parallel.histogramEven(new int[3], -1, Value.of(0), Value.of(1), execution));
        });
    }

    @Test
    void neighboursAreCombined() {
        everywhere(execution -> {
            for (int size : SIZES) {
                int[] data = random(size, 1000);
                int[] left = data.clone();
                int[] right = data.clone();
                for (int i = 1; i < size; ++i) {
                    left[i] = data[i] - data[i - 1];
                    right[i - 1] = data[i - 1] - data[i];
                }
                assertArrayEquals(left, Parallel.adjacentDifference(data, Neighbour.LEFT, execution));
                assertArrayEquals(right, Parallel.adjacentDifference(data, Neighbour.RIGHT, "minus", execution));
            }
        });
    }

    @Test
    void segmentsAreReducedScannedAndSorted() {
        int[] begins = {0, 5, 9};
        int[] ends = {4, 5, 12};
        everywhere(execution -> {
            int[] data = random(12, 1000);
            long[] wide = Arrays.stream(data).asLongStream().toArray();
            long[] sums = new long[3];
            long[] inclusive = new long[12];
            long[] exclusive = new long[12];
            int[] sorted = data.clone();
            for (int segment = 0; segment < 3; ++segment) {
                long sum = 2;
                for (int i = begins[segment]; i < ends[segment]; ++i) {
                    exclusive[i] = sum;
                    sum += data[i];
                    inclusive[i] = sum - 2;
                }
                sums[segment] = sum;
                Arrays.sort(sorted, begins[segment], ends[segment]);
            }
            assertArrayEquals(sums, Parallel.segmentedReduce(wide, begins, ends, Value.of(2L), execution));
            assertArrayEquals(inclusive, Parallel.inclusiveSegmentedScan(wide, begins, ends, execution));
            assertArrayEquals(
                    exclusive, Parallel.exclusiveSegmentedScan(wide, begins, ends, Value.of(2L), "plus", execution));
            int[] keys = data.clone();
            Parallel.segmentedSort(keys, begins, ends, execution);
            assertArrayEquals(sorted, keys);
            int[] again = data.clone();
            int[] moved = data.clone();
            Parallel.segmentedSortByKey(again, moved, begins, ends, SortOrder.ASCENDING, execution);
            assertArrayEquals(sorted, moved);
            assertThrows(InvalidArgumentException.class,
                    () -> Parallel.segmentedSort(new int[3], begins, ends, execution));
            assertThrows(InvalidArgumentException.class,
                    () -> Parallel.segmentedReduce(wide, begins, new int[] {4, 5}, Value.of(2L), execution));
            assertThrows(InvalidArgumentException.class,
                    () -> Parallel.segmentedReduce(wide, begins, ends, Value.of(2), execution));
            assertArrayEquals(new long[0],
                    Parallel.segmentedReduce(new long[0], new int[0], new int[0], Value.of(2L), execution));
        });
    }
}
