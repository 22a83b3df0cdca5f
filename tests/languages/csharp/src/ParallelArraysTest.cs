using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;

/// <summary>The calls over arrays that read some and write others, against loops.</summary>
[TestFixture]
public class ParallelArraysTest {
    private static readonly int[] Sizes = { 0, 1, 3000 };

    private static Execution[] Everywhere => new Execution[] { new Device(0), Execution.Host };

    private static int[] Random(int count, int bound) {
        var random = new Random(count);
        return Enumerable.Range(0, count).Select(i => random.Next(bound)).ToArray();
    }

    private static T[] Sorted<T>(T[] data) => data.OrderBy(each => each).ToArray();

    [Test]
    public void SamplesAreCounted() {
        foreach (Execution execution in Everywhere) {
            foreach (int size in Sizes) {
                int[] samples = Random(size, 100);
                var even = new long[9];
                var ranges = new long[2];
                foreach (int each in samples) {
                    if (each < 90) {
                        ++even[each / 10];
                    }
                    if (each >= 5 && each < 99) {
                        ++ranges[each < 50 ? 0 : 1];
                    }
                }
                Assert.AreEqual(even, Parallel.HistogramEven(samples, 9, 0, 90, execution));
                Assert.AreEqual(ranges, Parallel.HistogramRange(samples, new[] { 5.0, 50, 99 }, execution));
            }
            Assert.Throws<InvalidArgumentException>(() => Parallel.HistogramEven(new int[3], 4, 1, 1, execution));
            Assert.Throws<InvalidArgumentException>(() => Parallel.HistogramRange(new int[3], new int[0], execution));
        }
    }

    [Test]
    public void ExtremesAreFound() {
        foreach (Execution execution in Everywhere) {
            foreach (int size in Sizes) {
                int[] keys = Random(size, 1000);
                int[] sorted = Sorted(keys);
                int k = size / 2;
                Assert.AreEqual(
                    sorted.Take(k), Sorted(Parallel.TopkKeys(keys, k, SortOrder.Ascending, execution)));
                Assert.AreEqual(
                    sorted.Skip(size - k), Sorted(Parallel.TopkKeys(keys, k, SortOrder.Descending, execution)));
                var top = new int[k];
                var places = new long[k];
                long[] all = Enumerable.Range(0, size).Select(i => (long)i).ToArray();
                Parallel.TopkPairs(keys, all, top, places, SortOrder.Ascending, execution);
                Assert.AreEqual(places.Select(place => keys[place]), top);
                Assert.AreEqual(sorted.Take(k), Sorted(top));
                if (size > 0) {
                    Assert.AreEqual(new[] { sorted[0], sorted[size - 1] }, Parallel.MinMax(keys, execution));
                }
            }
            Assert.Throws<InvalidArgumentException>(() => Parallel.MinMax(new int[0], execution));
            Assert.Throws<InvalidArgumentException>(
                () => Parallel.TopkKeys(new int[3], 4, SortOrder.Ascending, execution));
        }
    }

    [Test]
    public void RunsAreScannedAndReduced() {
        foreach (Execution execution in Everywhere) {
            foreach (int size in Sizes) {
                int[] keys = Random(size, 2);
                long[] values = Enumerable.Range(0, size).Select(i => (long)i).ToArray();
                var inclusive = new long[size];
                var exclusive = new long[size];
                for (int i = 0; i < size; ++i) {
                    bool begins = i == 0 || keys[i] != keys[i - 1];
                    exclusive[i] = begins ? 7 : exclusive[i - 1] + values[i - 1];
                    inclusive[i] = values[i] + (begins ? 0 : inclusive[i - 1]);
                }
                Assert.AreEqual(inclusive, Parallel.InclusiveScanByKey(keys, values, execution));
                Assert.AreEqual(inclusive, Parallel.InclusiveScanByKey(keys, values, "plus", "equal_to", execution));
                Assert.AreEqual(exclusive, Parallel.ExclusiveScanByKey(keys, values, 7L, "plus", execution));
            }
            Assert.Throws<InvalidArgumentException>(
                () => Parallel.InclusiveScanByKey(new int[3], new int[2], execution));
        }
        int[] tens = { 10, 19, 21, 25, 11 };
        int[] numbers = { 1, 2, 3, 4, 5 };
        Assert.AreEqual(
            new[] { 1, 3, 3, 7, 5 },
            Parallel.InclusiveScanByKey(tens, numbers, (a, b) => a + b, (a, b) => a / 10 == b / 10));
        Assert.AreEqual(3, Parallel.ReduceByKey(tens, numbers, "a + b", "a / 10 == b / 10"));
        Assert.AreEqual(new[] { 10, 21, 11 }, tens.Take(3));
        Assert.AreEqual(new[] { 3, 7, 5 }, numbers.Take(3));
    }

    [Test]
    public void ElementsAreSelectedAndPartitioned() {
        foreach (Execution execution in Everywhere) {
            foreach (int size in Sizes) {
                int[] data = Random(size, 1000);
                bool[] truths = data.Select(each => each % 3 == 0).ToArray();
                byte[] flags = truths.Select(each => (byte)(each ? 2 : 0)).ToArray();
                int[] kept = data.Where(each => each % 3 == 0).ToArray();
                int[] rest = data.Where(each => each % 3 != 0).ToArray();
                Assert.AreEqual(kept, Parallel.SelectFlagged(data, flags, execution));
                Assert.AreEqual(kept, Parallel.SelectFlagged(data, truths, execution));
                int[] parts = data.ToArray();
                Assert.AreEqual(kept.Length, Parallel.PartitionFlagged(parts, flags, execution));
                Assert.AreEqual(kept.Concat(rest.Reverse()), parts);
                byte[] three = flags.ToArray();
                ulong[] counts = Parallel.ThreeWayPartition(three, "logical_not", "identity", execution);
                Assert.AreEqual(new[] { rest.Length, kept.Length }, counts);
                Assert.AreEqual(flags.OrderBy(each => each), three);
            }
            Assert.Throws<InvalidArgumentException>(() => Parallel.SelectFlagged(new int[3], new byte[2], execution));
            Assert.Throws<InvalidArgumentException>(
                () => Parallel.PartitionFlagged(new int[3], new byte[2], execution));
        }
        int[] numbers = { 5, -1, 8, 2, -3 };
        Assert.AreEqual(new[] { 2, 1 }, Parallel.ThreeWayPartition(numbers, a => a < 0, a => a > 5));
        Assert.AreEqual(new[] { -1, -3, 8, 5, 2 }, numbers);
    }

    [Test]
    public void RunsAreFound() {
        foreach (Execution execution in Everywhere) {
            int[] data = { 1, 1, 2, 3, 3, 3, 4 };
            int[] offsets = { 9, 9, 9, 9, 9, 9, 9 };
            int[] lengths = offsets.ToArray();
            Assert.AreEqual(2, Parallel.NonTrivialRuns(data, offsets, lengths, execution));
            Assert.AreEqual(new[] { 0, 3, 9, 9, 9, 9, 9 }, offsets);
            Assert.AreEqual(new[] { 2, 3, 9, 9, 9, 9, 9 }, lengths);
            Assert.AreEqual(
                0, Parallel.NonTrivialRuns(new int[0], new long[0], new long[0], "equal_to", execution));
            Assert.Throws<InvalidArgumentException>(
                () => Parallel.NonTrivialRuns(data, offsets, new int[3], execution));
        }
        Assert.AreEqual(
            1, Parallel.NonTrivialRuns(
                new[] { 10, 19, 21 }, new long[3], new long[3], (a, b) => a / 10 == b / 10));
    }

    [Test]
    public void SamplesOfSeveralChannelsAreCounted() {
        foreach (Execution execution in Everywhere) {
            foreach (int size in Sizes) {
                int[] pixels = Random(3 * size, 100);
                var expected = new long[6];
                for (int i = 0; i < size; ++i) {
                    ++expected[pixels[3 * i] / 50];
                    ++expected[2 + pixels[3 * i + 1] / 30];
                }
                ulong[] bins = { 2, 4 };
                Assert.AreEqual(
                    expected,
                    Parallel.MultiHistogramEven(pixels, 3, bins, new[] { 0, 0 }, new[] { 100, 120 }, execution));
                Assert.AreEqual(
                    expected,
                    Parallel.MultiHistogramRange(
                        pixels, 3, bins, new[] { 0.0, 50, 100, 0, 30, 60, 90, 120 }, execution));
            }
            Assert.Throws<InvalidArgumentException>(
                () => Parallel.MultiHistogramEven(new int[4], 3, new[] { 1UL }, new int[1], new[] { 1 }, execution));
            Assert.Throws<InvalidArgumentException>(
                () => Parallel.MultiHistogramEven(
                    new int[3], 3, new ulong[] { ulong.MaxValue, 2 }, new int[2], new[] { 1, 1 }, execution));
        }
    }

    [Test]
    public void SeveralArraysAreTransformed() {
        foreach (int size in Sizes) {
            int[] first = Random(size, 100);
            int[] second = Random(size, 50);
            double[] third = first.Select(each => (double)each).ToArray();
            bool[] fourth = first.Select(each => each % 2 == 0).ToArray();
            double[] expected = first.Select((each, i) => each * second[i] + third[i]).ToArray();
            Array[] three = { first, second, third };
            Assert.AreEqual(expected, Parallel.Transform<double>(three, "a * b + c"));
            Assert.AreEqual(expected, Parallel.Transform<double>(three, x => x[0] * x[1] + x[2]));
            Assert.AreEqual(
                first.Select((each, i) => fourth[i] ? each : second[i]),
                Parallel.Transform<int>(new Array[] { fourth, first, second }, "a ? b : c"));
        }
        int[][] pair = { new[] { 1, 2 }, new[] { 3, 4 } };
        Assert.AreEqual(new[] { 4, 6 }, Parallel.Transform<int>(pair, "plus", Execution.Host));
        Assert.Throws<UnsupportedException>(
            () => Parallel.Transform<int>(new Array[] { pair[0], pair[0], pair[1] }, "a + b + c", Execution.Host));
        Assert.Throws<InvalidArgumentException>(() => Parallel.Transform<int>(new Array[0], "a"));
        Assert.Throws<InvalidArgumentException>(
            () => Parallel.Transform<int>(new Array[] { new int[1], new int[2] }, "a + b"));
    }

    [Test]
    public void NumbersBelowZeroAreRefused() {
        foreach (Execution execution in Everywhere) {
            Assert.Throws<InvalidArgumentException>(
                () => Parallel.TopkKeys(new int[3], -1, SortOrder.Ascending, execution));
            Assert.Throws<InvalidArgumentException>(() => Parallel.HistogramEven(new int[3], -1, 0, 1, execution));
        }
    }

    [Test]
    public void SortedArraysAreMergedAndSearched() {
        foreach (Execution execution in Everywhere) {
            foreach (int size in Sizes) {
                int[] first = Sorted(Random(size, 500));
                int[] second = Sorted(Random(size / 3 + 1, 500));
                int[] expected = Sorted(first.Concat(second).ToArray());
                Assert.AreEqual(expected, Parallel.MergeKeys(first, second, execution));
                var keys = new int[expected.Length];
                var values = new double[expected.Length];
                double[] ones = Enumerable.Repeat(1.0, first.Length).ToArray();
                Parallel.MergePairs(first, ones, second, new double[second.Length], keys, values, execution);
                Assert.AreEqual(expected, keys);
                Assert.AreEqual(first.Length, values.Sum());
                long[] lower = Parallel.LowerBound(first, second, execution);
                long[] upper = Parallel.UpperBound(first, second, execution);
                Assert.AreEqual(second.Select(value => first.LongCount(each => each < value)), lower);
                Assert.AreEqual(second.Select(value => first.LongCount(each => each <= value)), upper);
            }
        }
        Assert.AreEqual(new[] { 9, 8, 4 }, Parallel.MergeKeys(new[] { 9, 4 }, new[] { 8 }, "a > b"));
        Assert.Throws<InvalidArgumentException>(
            () => Parallel.MergePairs(new[] { 1 }, new[] { 1 }, new[] { 2 }, new[] { 2 }, new int[2], new int[1]));
    }

    [Test]
    public void NeighboursAreCombined() {
        foreach (Execution execution in Everywhere) {
            foreach (int size in Sizes) {
                int[] data = Random(size, 1000);
                var left = (int[])data.Clone();
                var right = (int[])data.Clone();
                for (int i = 1; i < size; ++i) {
                    left[i] = data[i] - data[i - 1];
                    right[i - 1] = data[i - 1] - data[i];
                }
                Assert.AreEqual(left, Parallel.AdjacentDifference(data, Neighbour.Left, execution));
                Assert.AreEqual(right, Parallel.AdjacentDifference(data, Neighbour.Right, "minus", execution));
            }
        }
    }

    [Test]
    public void SegmentsAreReducedScannedAndSorted() {
        int[] begins = { 0, 5, 9 };
        int[] ends = { 4, 5, 12 };
        foreach (Execution execution in Everywhere) {
            int[] data = Random(12, 1000);
            var sums = new long[3];
            var inclusive = new int[12];
            var exclusive = new long[12];
            var sorted = (int[])data.Clone();
            for (int segment = 0; segment < 3; ++segment) {
                long sum = 2;
                for (int i = begins[segment]; i < ends[segment]; ++i) {
                    exclusive[i] = sum;
                    sum += data[i];
                    inclusive[i] = (int)sum - 2;
                }
                sums[segment] = sum;
                Array.Sort(sorted, begins[segment], ends[segment] - begins[segment]);
            }
            Assert.AreEqual(sums, Parallel.SegmentedReduce(data, begins, ends, 2L, execution));
            Assert.AreEqual(inclusive, Parallel.InclusiveSegmentedScan(data, begins, ends, execution));
            Assert.AreEqual(exclusive, Parallel.ExclusiveSegmentedScan(data, begins, ends, 2L, "plus", execution));
            var keys = (int[])data.Clone();
            Parallel.SegmentedSort(keys, begins, ends, SortOrder.Ascending, execution);
            Assert.AreEqual(sorted, keys);
            var again = (int[])data.Clone();
            var moved = (int[])data.Clone();
            Parallel.SegmentedSortByKey(again, moved, begins, ends, SortOrder.Ascending, execution);
            Assert.AreEqual(sorted, moved);
            Assert.Throws<InvalidArgumentException>(
                () => Parallel.SegmentedSort(new int[3], begins, ends, SortOrder.Ascending, execution));
            Assert.Throws<InvalidArgumentException>(
                () => Parallel.SegmentedReduce(data, begins, new[] { 4, 5 }, 2L, execution));
            Assert.AreEqual(
                new long[0], Parallel.SegmentedReduce(new int[0], new int[0], new int[0], 2L, execution));
        }
    }
}
