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

    private struct Person {
        public int age;
        public float weight;
    }

    private struct Flagged {
        public int Number;
        public bool Flag;
    }

    private static int[] Random(int count) {
        var random = new Random(3);
        return Enumerable.Range(0, count).Select(i => random.Next(-1000, 1000)).ToArray();
    }

    [Test]
    public void StructsAreSortedByChosenFields() {
        foreach (Execution execution in new Execution[] { new Device(0), Execution.Host }) {
            var people = new[] {
                new Person { age = 3, weight = 0.5f }, new Person { age = 1, weight = 2.5f },
                new Person { age = 3, weight = 1.5f }, new Person { age = 1, weight = 2 },
                new Person { age = 2, weight = -1 },
            };
            int[] places = { 0, 1, 2, 3, 4 };
            using (Operator order = Operator.ByFields<Person>("-age, weight")) {
                Parallel.SortByKey(people, places, order, execution);
            }
            Assert.AreEqual(new[] { 0, 2, 4, 3, 1 }, places);
            Assert.AreEqual(new[] { 3, 3, 2, 1, 1 }, people.Select(each => each.age));
        }
        var unsorted = new[] {
            new Person { age = 3, weight = 0.5f }, new Person { age = 1, weight = 2.5f },
            new Person { age = 3, weight = 1.5f }, new Person { age = 1, weight = 2 },
        };
        var sorted = new Person[4];
        var moved = new int[4];
        using (var sort = new RadixSort<Person, int>(Execution.Host, "-age, weight")) {
            sort.Call(unsorted, sorted, new[] { 0, 1, 2, 3 }, moved);
        }
        Assert.AreEqual(new[] { 0, 2, 3, 1 }, moved);
        Assert.AreEqual(new[] { 0.5f, 1.5f, 2f, 2.5f }, sorted.Select(each => each.weight));
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(32))
        using (Buffer output = device.Allocate(32))
        using (var sort = new RadixSort<Person>(device, "-age, weight")) {
            input.CopyFrom(unsorted);
            sort.Call(stream, input, output, 4);
            stream.Sync();
            output.CopyTo(unsorted);
        }
        Assert.AreEqual(sorted, unsorted);
        Fixtures.AssertMentions(
            Assert.Throws<InvalidArgumentException>(() => new RadixSort<Person>(Execution.Host, "age, -age")),
            "named twice");
        Assert.Throws<InvalidArgumentException>(() => new RadixSort<Person>(Execution.Host, (string)null));
        Fixtures.AssertMentions(
            Assert.Throws<InvalidArgumentException>(() => Operator.ByFields<Person>("size")), "has age, weight");
    }

    [Test]
    public void RunsPartsAndWholeArraysAreTakenInPlace() {
        foreach (Execution execution in new Execution[] { new Device(0), Execution.Host }) {
            int[] keys = { 3, 3, 1, 1, 1, 3 };
            double[] values = { 1, 2, 3, 4, 5, 6 };
            Assert.AreEqual(3, Parallel.ReduceByKey(keys, values, execution));
            Assert.AreEqual(new[] { 3, 1, 3, 1, 1, 3 }, keys);
            Assert.AreEqual(new[] { 3.0, 12, 6, 4, 5, 6 }, values);
            Assert.AreEqual(3, Parallel.ReduceByKey(new[] { 3, 3, 1, 3 }, new long[4], "maximum", execution));
            int[] data = { 3, 3, 1, 1, 1, 3 };
            var lengths = new ulong[6];
            Assert.AreEqual(3, Parallel.RunLengthEncode(data, lengths, execution));
            Assert.AreEqual(new ulong[] { 2, 3, 1, 0, 0, 0 }, lengths);
            int[] parts = { 0, 7, 0, 8, 9 };
            Assert.AreEqual(3, Parallel.Partition(parts, "identity", execution));
            Assert.AreEqual(new[] { 7, 8, 9, 0, 0 }, parts);
            Assert.IsTrue(Parallel.Equal(parts, new[] { 7, 8, 9, 0, 0 }, execution));
            Assert.IsFalse(Parallel.Equal(parts, new[] { 7, 8, 9, 0, 1 }, execution));
            Assert.IsFalse(Parallel.Equal(parts, new[] { 7, 8 }, execution));
            Assert.IsTrue(Parallel.Equal(parts, new[] { 7, 8, 9, 0, 1 }, "less_equal", execution));
        }
        int[] some = { 5, 1, 9 };
        Assert.AreEqual(2, Parallel.Partition(some, a => a > 4));
        Assert.AreEqual(new[] { 5, 9, 1 }, some);
        Assert.Throws<InvalidArgumentException>(() => Parallel.ReduceByKey(new int[3], new int[2]));
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
    public void TheLastParameterOfEveryCallSaysWhereItRuns() {
        int[] data = Random(1000);
        int[] sorted = data.OrderBy(x => x).ToArray();
        int sum = 0;
        int[] sums = data.Select(x => sum += x).ToArray();
        foreach (Execution execution in new Execution[] { new Device(0), Execution.Host, null }) {
            Assert.AreEqual(sum + 5L, Parallel.Reduce(data, 5L, (a, b) => a + b, execution));
            using (var plus = new Operator("plus")) {
                Assert.AreEqual(sum + 1.5, Parallel.Reduce(data, 1.5, plus, execution));
            }
            Assert.AreEqual(sums, Parallel.InclusiveScan(data, "plus", execution));
            Assert.AreEqual(sum + (1L << 40), Parallel.InclusiveScan(data, 1L << 40, "plus", execution)[999]);
            Assert.AreEqual(sums[998] + 3, Parallel.ExclusiveScan(data, 3, "plus", execution)[999]);
            Assert.AreEqual(-data[7], Parallel.Transform<int, double>(data, "negate", execution)[7]);
            Assert.AreEqual(data[7] + sums[7], Parallel.Transform<int, int, int>(data, sums, "a + b", execution)[7]);
            var keys = (int[])data.Clone();
            var values = (int[])data.Clone();
            Parallel.SortByKey(keys, values, SortOrder.Ascending, execution);
            Assert.AreEqual(sorted, keys);
            Assert.AreEqual(sorted, values);
            Parallel.Sort(keys, "greater", execution);
            Assert.AreEqual(sorted[999], keys[0]);
            Assert.AreEqual(sorted[0], data[Parallel.ArgMin(data, execution)]);
        }
        Assert.Throws<InvalidArgumentException>(
            () => Parallel.Reduce(data, 0, "plus", Execution.AheadOfTime("compute_80")));
        Assert.Throws<UnsupportedException>(() => Parallel.Reduce(data, 0, (a, b) => 2 * a + b, Execution.Host));
    }

    [Test]
    public void ACallOfTwoArraysNeedsBoth() {
        var data = new[] { 1, 2 };
        Assert.Throws<ArgumentNullException>(() => Parallel.Transform<int, int, int>(data, null, "a + b"));
        Assert.Throws<ArgumentNullException>(() => Parallel.SortByKey<int, int>(data, null));
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
    public void ValuesMoveWithTheirKeys() {
        int[] keys = Random(3000);
        long[] positions = Enumerable.Range(0, 3000).Select(i => (long)i).ToArray();
        var sorted = (int[])keys.Clone();
        Parallel.SortByKey(sorted, positions, SortOrder.Descending);
        Assert.AreEqual(keys.OrderByDescending(x => x), sorted);
        Assert.AreEqual(Enumerable.Range(0, 3000).OrderByDescending(i => keys[i]), positions);
        Parallel.SortByKey(positions, sorted, "a < b");
        Assert.AreEqual(keys, sorted);
    }

    [Test]
    public void PairsAreTransformedAndScansTakeAnInitialValue() {
        int[] data = Random(1000);
        long[] differences = Parallel.Transform<int, int, long>(data, data.Reverse().ToArray(), (a, b) => a - b);
        Assert.AreEqual(data.Zip(data.Reverse(), (a, b) => (long)(a - b)), differences);
        Assert.AreEqual(
            new[] { 5L + int.MaxValue, 5L + 2L * int.MaxValue },
            Parallel.InclusiveScan(new[] { int.MaxValue, int.MaxValue }, 5L, "plus"));
    }

    [Test]
    public void EveryNumberIsAnElement() {
        var truths = new[] { false, true, false };
        Assert.AreEqual(true, Parallel.Reduce(truths, false, "logical_or"));
        Assert.AreEqual(new[] { true, false, true }, Parallel.Transform<bool, bool>(truths, "!a"));
        var bytes = new sbyte[] { 3, -1, 2 };
        Parallel.Sort(bytes);
        Assert.AreEqual(new sbyte[] { -1, 2, 3 }, bytes);
        var unsigned = new byte[] { 250, 253, 0 };
        Parallel.Sort(unsigned, SortOrder.Descending);
        Assert.AreEqual(new byte[] { 253, 250, 0 }, unsigned);
        Assert.AreEqual(new short[] { 3, 2, 4 }, Parallel.InclusiveScan(new short[] { 3, -1, 2 }, "plus"));
        var halves = new[] { (Float16)1.5f, (Float16)(-0.25f), (Float16)3f };
        Assert.AreEqual((Float16)4.25f, Parallel.Reduce(halves, (Float16)0f, "plus"));
        Assert.AreEqual(1, Parallel.ArgMin(halves));
        var narrow = new[] { (BFloat16)1.5f, (BFloat16)(-0.25f), (BFloat16)3f };
        Assert.AreEqual((BFloat16)4.25f, Parallel.Reduce(narrow, (BFloat16)0f, "plus"));
        Complex64 product = Parallel.Reduce(
            new[] { new Complex64(1, 2), new Complex64(3, -1) }, new Complex64(1, 0), "multiplies");
        Assert.AreEqual(new[] { 5f, 5f }, new[] { product.Real, product.Imaginary });
        System.Numerics.Complex wide = Parallel.Reduce(
            new[] { new System.Numerics.Complex(1, 2), new System.Numerics.Complex(3, -1) },
            System.Numerics.Complex.One, "multiplies");
        Assert.AreEqual(new System.Numerics.Complex(5, 5), wide);
    }

    [Test]
    public void ElementsAreSelectedFromArraysOfAnyType() {
        int[] data = Random(5000);
        Assert.AreEqual(data.Where(x => x % 3 == 0), Parallel.Select(data, "a % 3 == 0"));
        Assert.AreEqual(data.Where(x => x % 3 == 0 && x > 0), Parallel.Select(data, a => (a % 3 == 0) & (a > 0)));
        Assert.AreEqual(new int[0], Parallel.Select(new int[0], "a % 3 == 0"));
        var points = Enumerable.Range(0, 3).Select(i => new Point { X = i * 0.5f, Weight = i }).ToArray();
        Point[] selected = Parallel.Select(points, a => a["Weight"] != 1);
        Assert.AreEqual(new[] { 0, 1f }, selected.Select(point => point.X));
        Assert.Throws<CompileException>(() => Parallel.Select(data, "nothing"));
    }

    [Test]
    public void HalvesAreRoundedToTheNearestAndTiesToEven() {
        for (int bits = 0; bits < 0x7C00; bits += 7) {
            Float16 half = Float16.FromBits((ushort)bits);
            Assert.AreEqual(half, (Float16)(float)half);
            Assert.AreEqual(Float16.FromBits((ushort)(bits | 0x8000)), (Float16)(-(float)half));
        }
        Assert.AreEqual(1f, (float)(Float16)(1 + 1f / 2048));    // half way, to even
        Assert.AreEqual(1 + 1f / 512, (float)(Float16)(1 + 3f / 2048));
        Assert.AreEqual(65504f, (float)(Float16)65519f);
        Assert.AreEqual(float.PositiveInfinity, (float)(Float16)65520f);
        Assert.AreEqual(float.NaN, (float)(Float16)float.NaN);
        Assert.AreEqual(1f, (float)(BFloat16)(1 + 1f / 256));
        Assert.AreEqual(1 + 1f / 64, (float)(BFloat16)(1 + 3f / 256));
        Assert.AreEqual(float.NaN, (float)(BFloat16)float.NaN);
    }

    [Test]
    public void WhatCannotBeTracedOrCompiledIsSaid() {
        var decision = Assert.Throws<InvalidOperationException>(
            () => Parallel.Reduce(new[] { 1f }, 0f, (a, b) => a < b ? a : b));
        Fixtures.AssertMentions(decision, "Symbol.Where");
        var error = Assert.Throws<CompileException>(() => Parallel.Reduce(new[] { 1f }, 0f, "a +\nnothing"));
        StringAssert.Contains("operator(2)", error.Log);
        Fixtures.AssertMentions(
            Assert.Throws<ArgumentException>(() => Parallel.Sort(new Flagged[1], "a.Number < b.Number")),
            "Flagged", "structs of numbers");
    }
}
