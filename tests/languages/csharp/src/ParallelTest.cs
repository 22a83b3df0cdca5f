using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>The parallel algorithms from C#, against its own library.</summary>
[TestFixture]
public class ParallelTest {
    private struct Point {
        public float X;
        public long Weight;
    }

    private struct Scale {
        public double Factor;
    }

    private static int[] Random(int count) {
        var random = new Random(3);
        return Enumerable.Range(0, count).Select(i => random.Next(-1000, 1000)).ToArray();
    }

    [Test]
    public void ArraysAreReducedScannedSortedAndTransformed() {
        int[] data = Random(5000);
        Assert.AreEqual(data.Sum() + 7, Parallel.Reduce(data, 7, (a, b) => a + b));
        Assert.AreEqual(data.Sum() + 0.5, Parallel.Reduce(data, 0.5, "plus"));
        int[] sums = Parallel.InclusiveScan(data, (a, b) => a + b);
        Assert.AreEqual(data.Sum(), sums[4999]);
        long[] before = Parallel.ExclusiveScan(data, 1L, (a, b) => Symbol.Max(a, b));
        Assert.AreEqual(1, before[0]);
        Assert.AreEqual(Math.Max(1, data.Take(4999).Max()), before[4999]);
        double[] roots = Parallel.Transform<int, double>(
            data, a => Symbol.Where(a > 0, Symbol.Sqrt(a * 1.0), -0.5) + a % 7 * 2f);
        for (int i = 0; i < data.Length; ++i) {
            Assert.AreEqual((data[i] > 0 ? Math.Sqrt(data[i]) : -0.5) + data[i] % 7 * 2f, roots[i], 1e-12);
        }
        int[] sorted = data.OrderBy(x => x).ToArray();
        int[] copy = (int[])data.Clone();
        Parallel.Sort(copy);
        Assert.AreEqual(sorted, copy);
        Parallel.Sort(copy, (a, b) => Symbol.Abs(a) < Symbol.Abs(b));
        Assert.AreEqual(data.Select(Math.Abs).OrderBy(x => x), copy.Select(Math.Abs));
        Assert.AreEqual(sorted[0], data[Parallel.ArgMin(data)]);
        Assert.AreEqual(sorted[4999], data[Parallel.ArgMax(data)]);
        Assert.AreEqual(-1, Parallel.ArgMin(new float[0]));
    }

    [Test]
    public void StructsHaveTheirFieldsInOperators() {
        var points = Random(1000).Select((x, i) => new Point { X = x, Weight = i }).ToArray();
        Point result = Parallel.Reduce(
            points, new Point { X = -1e9f, Weight = 5 },
            (a, b) => Symbol.Cpp("Point{{{0}, {1}}}", Symbol.Max(a["X"], b["X"]), a["Weight"] + b["Weight"]));
        Assert.AreEqual(points.Max(point => point.X), result.X);
        Assert.AreEqual(points.Sum(point => point.Weight) + 5, result.Weight);
    }

    [Test]
    public void WideNumbersKeepAllTheirBits() {
        Assert.AreEqual(Fixtures.Wide, Parallel.Reduce(new ulong[] { Fixtures.Wide, 0 }, 0UL, (a, b) => a | b));
        Assert.AreEqual(
            new[] { Fixtures.Wide + 1 }, Parallel.Transform<ulong, ulong>(new ulong[] { 1 }, a => a + Fixtures.Wide));
    }

    [Test]
    public void AnAlgorithmIsBuiltOnceAndCalledManyTimes() {
        var device = new Device(0);
        int[] data = Random(5000);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(4 * 5000))
        using (Buffer output = device.Allocate(8 * 5000))
        using (ElementIterator elements = ElementIterator.Of<int>(input))
        using (Operator scaled = Operator.WithState("a * Factor", new Scale { Factor = 1 }))
        using (Operator halved = Operator.WithState("a * Factor", new Scale { Factor = 0.5 }))
        using (var plus = new Operator("plus"))
        using (Algorithm transformation = Algorithm.Transformation<double>(device, elements, scaled))
        using (Algorithm sum = Algorithm.Reduction<long>(device, elements, plus)) {
            input.CopyFrom(data);
            transformation.Transform(stream, elements, output, 5000, null, halved);
            stream.Sync();
            var halves = new double[5000];
            output.CopyTo(halves);
            Assert.AreEqual(data.Select(x => x * 0.5), halves);
            var result = new long[1];
            foreach (long init in new long[] { 0, 5 }) {
                sum.Reduce(stream, elements, output, 5000, init);
                stream.Sync();
                output.CopyTo(result);
                Assert.AreEqual(data.Sum() + init, result[0]);
            }
            byte[] saved = sum.Save();
            Algorithm.LoadBuilds(device, saved);
            saved[saved.Length / 2] ^= 1;
            Assert.Throws<InvalidArgumentException>(() => Algorithm.LoadBuilds(device, saved));
            Assert.Throws<InvalidArgumentException>(() => sum.Scan(stream, elements, output, 5000));
        }
    }

    [Test]
    public void WhatCannotBeTracedOrCompiledIsSaid() {
        var decision = Assert.Throws<InvalidOperationException>(
            () => Parallel.Reduce(new[] { 1f }, 0f, (a, b) => a < b ? a : b));
        Fixtures.AssertMentions(decision, "Symbol.Where");
        var error = Assert.Throws<CompileException>(() => Parallel.Reduce(new[] { 1f }, 0f, "a +\nnothing"));
        StringAssert.Contains("operator(2)", error.Log);
    }
}
