using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;

/// <summary>The parallel algorithms on the host's own cores, against C#'s own library.</summary>
[TestFixture]
public class HostParallelTest {
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
            Assert.AreEqual(data.Sum() + 7, HostParallel.Reduce(data, 7, "a + b"));
            Assert.AreEqual(data.Sum(x => (long)x) + (1L << 40), HostParallel.Reduce(data, 1L << 40, "plus"));
            Assert.AreEqual(data.Aggregate(5, Math.Max), HostParallel.Reduce(data, 5, "maximum"));
            Assert.AreEqual(data.Sum() + 0.5, HostParallel.Reduce(data, 0.5, "plus"));
            int sum = 0;
            int[] sums = data.Select(x => sum += x).ToArray();
            Assert.AreEqual(sums, HostParallel.InclusiveScan(data, "plus"));
            long before = 3;
            long[] expected = data.Select(x => (before += x) - x).ToArray();
            Assert.AreEqual(expected, HostParallel.ExclusiveScan(data, 3L, "plus"));
        }
        Assert.AreEqual(new[] { 1.5, 3.5 }, HostParallel.InclusiveScan(new[] { 1, 2 }, 0.5, "plus"));
        Assert.AreEqual(true, HostParallel.Reduce(new[] { false, true }, false, "logical_or"));
        ulong wide = 0xFFFFFFFF00000001UL;
        Assert.AreEqual(wide, HostParallel.Reduce(new[] { wide, 0UL }, 0UL, "a | b"));
    }

    [Test]
    public void ArraysAreSortedInPlace() {
        foreach (int count in counts) {
            double[] data = Random(count).Select(x => x / 8.0).ToArray();
            double[] copy = (double[])data.Clone();
            HostParallel.Sort(copy);
            Assert.AreEqual(data.OrderBy(x => x), copy);
            HostParallel.Sort(copy, "a > b");
            Assert.AreEqual(data.OrderByDescending(x => x), copy);
            var values = Enumerable.Range(0, count).Select(i => new Twelve { Position = i, X = i }).ToArray();
            double[] keys = (double[])data.Clone();
            HostParallel.SortByKey(keys, values, SortOrder.Descending);
            int[] positions = Enumerable.Range(0, count).OrderByDescending(i => data[i]).ToArray();  // stable
            Assert.AreEqual(positions, values.Select(value => value.Position).ToArray());
            Assert.AreEqual(positions.Select(i => data[i]), keys);
        }
        var byComparison = new[] { 2, 9, 2 };
        var moved = new[] { 0, 1, 2 };
        HostParallel.SortByKey(byComparison, moved, "greater");
        Assert.AreEqual(new[] { 1, 0, 2 }, moved);
        Assert.Throws<InvalidArgumentException>(() => HostParallel.SortByKey(new int[3], new int[4]));
    }

    [Test]
    public void ElementsAreTransformedAndFound() {
        int[] data = Random(5000);
        Assert.AreEqual(data.Select(x => -(double)x), HostParallel.Transform<int, double>(data, "negate"));
        Assert.AreEqual(data.Select(x => 2 * x), HostParallel.Transform<int, int, int>(data, data, "plus"));
        Assert.AreEqual(Array.IndexOf(data, data.Min()), HostParallel.ArgMin(data));
        Assert.AreEqual(Array.IndexOf(data, data.Max()), HostParallel.ArgMax(data));
        Assert.AreEqual(1, HostParallel.ArgMin(new[] { 1f, float.NaN, 0f }));
        Assert.AreEqual(-1, HostParallel.ArgMin(new float[0]));
    }

    [Test]
    public void WhatItCannotDoIsRefused() {
        var error = Assert.Throws<UnsupportedException>(() => HostParallel.Reduce(new[] { 1 }, 0, "a * 2 + b"));
        StringAssert.Contains("'a * 2 + b'", error.Message);
        Assert.Throws<UnsupportedException>(() => HostParallel.Reduce(new[] { 1f }, 0f, "minus"));
        Assert.Throws<UnsupportedException>(() => HostParallel.Sort(new Twelve[2], "less"));
    }
}
