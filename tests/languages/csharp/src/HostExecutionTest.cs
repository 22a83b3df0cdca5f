using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;

/// <summary>The parallel algorithms on the host's own cores, against C#'s own library.</summary>
[TestFixture]
public class HostExecutionTest {
    private struct Twelve {
        public int Position;
        public float X, Y;
    }

    private static readonly int[] counts = { 0, 1, 2, 1000, 200003 };

    private static int[] Random(int count) {
        var random = new Random(count);
        return Enumerable.Range(0, count).Select(i => random.Next(-1000, 1000)).ToArray();
    }

    [Test]
    public void NumbersAreReducedAndScanned() {
        foreach (int count in counts) {
            int[] data = Random(count);
            Assert.AreEqual(data.Sum() + 7, Parallel.Reduce(data, 7, "a + b", Execution.Host));
            Assert.AreEqual(
                data.Sum(x => (long)x) + (1L << 40), Parallel.Reduce(data, 1L << 40, "plus", Execution.Host));
            Assert.AreEqual(data.Aggregate(5, Math.Max), Parallel.Reduce(data, 5, "maximum", Execution.Host));
            Assert.AreEqual(data.Sum() + 0.5, Parallel.Reduce(data, 0.5, "plus", Execution.Host));
            int sum = 0;
            int[] sums = data.Select(x => sum += x).ToArray();
            Assert.AreEqual(sums, Parallel.InclusiveScan(data, "plus", Execution.Host));
            long before = 3;
            long[] expected = data.Select(x => (before += x) - x).ToArray();
            Assert.AreEqual(expected, Parallel.ExclusiveScan(data, 3L, "plus", Execution.Host));
        }
        Assert.AreEqual(new[] { 1.5, 3.5 }, Parallel.InclusiveScan(new[] { 1, 2 }, 0.5, "plus", Execution.Host));
        Assert.AreEqual(true, Parallel.Reduce(new[] { false, true }, false, "logical_or", Execution.Host));
        ulong wide = 0xFFFFFFFF00000001UL;
        Assert.AreEqual(wide, Parallel.Reduce(new[] { wide, 0UL }, 0UL, "a | b", Execution.Host));
    }

    [Test]
    public void ArraysAreSortedInPlace() {
        foreach (int count in counts) {
            double[] data = Random(count).Select(x => x / 8.0).ToArray();
            double[] copy = (double[])data.Clone();
            Parallel.Sort(copy, execution: Execution.Host);
            Assert.AreEqual(data.OrderBy(x => x), copy);
            Parallel.Sort(copy, "a > b", Execution.Host);
            Assert.AreEqual(data.OrderByDescending(x => x), copy);
            var values = Enumerable.Range(0, count).Select(i => new Twelve { Position = i, X = i }).ToArray();
            double[] keys = (double[])data.Clone();
            Parallel.SortByKey(keys, values, SortOrder.Descending, Execution.Host);
            int[] positions = Enumerable.Range(0, count).OrderByDescending(i => data[i]).ToArray();  // stable
            Assert.AreEqual(positions, values.Select(value => value.Position).ToArray());
            Assert.AreEqual(positions.Select(i => data[i]), keys);
        }
        var byComparison = new[] { 2, 9, 2 };
        var moved = new[] { 0, 1, 2 };
        Parallel.SortByKey(byComparison, moved, "greater", Execution.Host);
        Assert.AreEqual(new[] { 1, 0, 2 }, moved);
        Assert.Throws<InvalidArgumentException>(
            () => Parallel.SortByKey(new int[3], new int[4], execution: Execution.Host));
    }

    [Test]
    public void ElementsAreTransformedAndFound() {
        int[] data = Random(5000);
        Assert.AreEqual(data.Select(x => -(double)x), Parallel.Transform<int, double>(data, "negate", Execution.Host));
        Assert.AreEqual(data.Select(x => 2 * x), Parallel.Transform<int, int, int>(data, data, "plus", Execution.Host));
        Assert.AreEqual(Array.IndexOf(data, data.Min()), Parallel.ArgMin(data, Execution.Host));
        Assert.AreEqual(Array.IndexOf(data, data.Max()), Parallel.ArgMax(data, Execution.Host));
        Assert.AreEqual(1, Parallel.ArgMin(new[] { 1f, float.NaN, 0f }, Execution.Host));
        Assert.AreEqual(-1, Parallel.ArgMin(new float[0], Execution.Host));
    }

    [Test]
    public void ElementsAreSelected() {
        Assert.AreEqual(new[] { 3, -5 }, Parallel.Select(new[] { 0, 3, 0, -5 }, "identity", Execution.Host));
        foreach (int count in counts) {
            int[] data = Random(count).Select(x => x % 3).ToArray();
            Assert.AreEqual(data.Where(x => x != 0), Parallel.Select(data, "identity", Execution.Host));
        }
        Assert.Throws<UnsupportedException>(() => Parallel.Select(new int[1], "a % 2", Execution.Host));
    }

    [Test]
    public void WhatItCannotDoIsRefused() {
        var error =
            Assert.Throws<UnsupportedException>(() => Parallel.Reduce(new[] { 1 }, 0, "a * 2 + b", Execution.Host));
        StringAssert.Contains("'a * 2 + b'", error.Message);
        Assert.Throws<UnsupportedException>(() => Parallel.Reduce(new[] { 1f }, 0f, "minus", Execution.Host));
        Assert.Throws<UnsupportedException>(() => Parallel.Sort(new Twelve[2], "less", Execution.Host));
    }
}
