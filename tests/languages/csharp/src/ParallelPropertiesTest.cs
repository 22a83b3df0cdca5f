using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;

/// <summary>
/// Random elements against plain loops: every algorithm x type x operator that the host has, and on the device a choice,
/// because each is compiled: the types and operators of Java's test, and traced functions.
/// </summary>
[TestFixture]
public class ParallelPropertiesTest {
    private static readonly Numbers<long> int64 = new Numbers<long>(x => x, x => x);
    private static readonly Numbers<ushort> uint16 = new Numbers<ushort>(x => (ushort)x, x => x);
    private static readonly Numbers<double> float64 = new Numbers<double>(x => x, x => (long)x);

    private static int[] Counts<T>(Numbers<T> numbers) where T : struct {
        return numbers.IsNarrow ? new[] { 0, 1, 2, 30 } : new[] { 0, 1, 2, 30, 1009 };
    }

    private static long[] Scanned(ScanKind kind, long[] elements, long init, Func<long, long, long> op) {
        var results = new long[elements.Length];
        long before = init;
        for (int i = 0; i < elements.Length; ++i) {
            long upTo = kind == ScanKind.Inclusive && i == 0 ? elements[0] : op(before, elements[i]);
            results[i] = kind == ScanKind.Exclusive ? before : upTo;
            before = upTo;
        }
        return results;
    }

    private static int[] Positions<T>(Numbers<T> numbers, long[] keys, int sign) where T : struct {
        return Enumerable.Range(0, keys.Length)
            .OrderBy(i => keys[i], System.Collections.Generic.Comparer<long>.Create(
                (left, right) => sign * numbers.Compare(left, right)))
            .ToArray();
    }

    [Test]
    public void TheHostHasEveryAlgorithmForEveryType() {
        Check(new Numbers<sbyte>(x => (sbyte)x, x => x));
        Check(new Numbers<short>(x => (short)x, x => x));
        Check(new Numbers<int>(x => (int)x, x => x));
        Check(int64);
        Check(new Numbers<byte>(x => (byte)x, x => x));
        Check(uint16);
        Check(new Numbers<uint>(x => (uint)x, x => x));
        Check(new Numbers<ulong>(x => (ulong)x, x => (long)x));
        Check(new Numbers<Float16>(x => (Float16)x, x => (long)(float)x));
        Check(new Numbers<BFloat16>(x => (BFloat16)x, x => (long)(float)x));
        Check(new Numbers<float>(x => x, x => (long)x));
        Check(float64);
    }

    private static void Check<T>(Numbers<T> numbers) where T : struct {
        var random = new Random(17);
        foreach (string name in numbers.AssociativeOperators) {
            CheckReductionsAndScans(numbers, name, random);
        }
        CheckTheOthers(numbers, random);
    }

    private static void CheckReductionsAndScans<T>(Numbers<T> numbers, string name, Random random) where T : struct {
        Func<long, long, long> op = numbers.Operator(name);
        using (ElementIterator input = ElementIterator.Of<T>())
        using (var combine = new Operator(name))
        using (var reduce = new Reduce<T>(Execution.Host, input, combine))
        using (var segments = new SegmentedReduce<T, long>(Execution.Host, input, combine)) {
            foreach (int count in Counts(numbers)) {
                string where = numbers + " " + name + " " + count;
                long[] elements = numbers.Random(random, count, name);
                long init = numbers.Random(random, 1, name)[0];
                T[] data = numbers.Make(elements);
                Assert.AreEqual(
                    elements.Aggregate(init, op), numbers.Read(reduce.Call(data, numbers.Make(init))), where);
                var parts = new T[2];
                int third = count / 3;
                segments.Call(data, parts, new long[] { 0, third }, new long[] { third, count }, numbers.Make(init));
                Assert.AreEqual(
                    new[] { elements.Take(third).Aggregate(init, op), elements.Skip(third).Aggregate(init, op) },
                    numbers.Read(parts), where);
                foreach (ScanKind kind in Enum.GetValues(typeof(ScanKind))) {
                    var output = new T[count];
                    using (var scan = new Scan<T>(Execution.Host, kind, input, combine)) {
                        if (kind == ScanKind.Inclusive) {
                            scan.Call(data, output);
                        } else {
                            scan.Call(data, output, numbers.Make(init));
                        }
                    }
                    Assert.AreEqual(Scanned(kind, elements, init, op), numbers.Read(output), where + " " + kind);
                }
            }
        }
    }

    private static void CheckTheOthers<T>(Numbers<T> numbers, Random random) where T : struct {
        using (ElementIterator input = ElementIterator.Of<T>())
        using (var less = new Operator("less"))
        using (var greater = new Operator("greater"))
        using (var minus = new Operator("minus"))
        using (var ascending = new RadixSort<T, int>(Execution.Host, SortOrder.Ascending))
        using (var descending = new RadixSort<T, int>(Execution.Host, SortOrder.Descending))
        using (var byLess = new MergeSort<T, int>(Execution.Host, less))
        using (var byGreater = new MergeSort<T, int>(Execution.Host, greater))
        using (var differences = new Transform<T>(Execution.Host, input, input, minus))
        using (var smallest = new ArgReduce<T>(Execution.Host, ArgKind.Minimum, input))
        using (var largest = new ArgReduce<T>(Execution.Host, ArgKind.Maximum, input)) {
            foreach (int count in Counts(numbers)) {
                string where = numbers + " " + count;
                long[] elements = numbers.Random(random, count, "less");
                T[] keys = numbers.Make(elements);
                int[] from = Enumerable.Range(0, count).ToArray();
                int[] up = Positions(numbers, elements, 1);
                int[] down = Positions(numbers, elements, -1);
                var sorts = new Action<T[], int[]>[] {
                    (sorted, moved) => ascending.Call(keys, sorted, from, moved),
                    (sorted, moved) => descending.Call(keys, sorted, from, moved),
                    (sorted, moved) => byLess.Call(keys, sorted, from, moved),
                    (sorted, moved) => byGreater.Call(keys, sorted, from, moved),
                };
                for (int sort = 0; sort < sorts.Length; ++sort) {
                    var sorted = new T[count];
                    var moved = new int[count];
                    sorts[sort](sorted, moved);
                    int[] expected = sort % 2 == 0 ? up : down;
                    Assert.AreEqual(expected, moved, where + " sort " + sort);
                    Assert.AreEqual(
                        expected.Select(i => elements[i]), numbers.Read(sorted), where + " sort " + sort);
                }
                long[] others = numbers.Random(random, count, "minus");
                var output = new T[count];
                differences.Call(keys, numbers.Make(others), output);
                Assert.AreEqual(elements.Zip(others, numbers.Operator("minus")), numbers.Read(output), where);
                Assert.AreEqual(count == 0 ? -1 : up[0], smallest.Call(keys).Index, where);
                Assert.AreEqual(count == 0 ? -1 : down[0], largest.Call(keys).Index, where);
            }
        }
    }

    [Test]
    public void TheDeviceGivesWhatPlainLoopsGive() {
        var random = new Random(19);
        for (int round = 0; round < 8; ++round) {
            int count = round == 0 ? 1 : random.Next(3000);
            string where = "round " + round + ", " + count + " elements";
            long[] wide = int64.Random(random, count, "maximum");
            long[] narrow = uint16.Random(random, count, "bit_xor");
            long[] exact = float64.Random(random, count, "plus");
            Assert.AreEqual(
                wide.Aggregate(long.MinValue, Math.Max), Parallel.Reduce(wide, long.MinValue, "a < b ? b : a"), where);
            Assert.AreEqual(
                wide.Aggregate(long.MaxValue, Math.Min),
                Parallel.Reduce(wide, long.MaxValue, (a, b) => Symbol.Min(a, b)), where);
            Assert.AreEqual(
                narrow.Aggregate(5L, (a, b) => a ^ b),
                Parallel.Reduce(uint16.Make(narrow), (ushort)5, "bit_xor"), where);
            Assert.AreEqual(
                Scanned(ScanKind.Exclusive, exact, 3, float64.Operator("plus")),
                float64.Read(Parallel.ExclusiveScan(float64.Make(exact), 3.0, "plus")), where);

            ushort[] keys = uint16.Make(narrow);
            int[] moved = Enumerable.Range(0, count).ToArray();
            Parallel.SortByKey(keys, moved, SortOrder.Descending);
            int[] down = Positions(uint16, narrow, -1);
            Assert.AreEqual(down, moved, where);
            Assert.AreEqual(down.Select(i => narrow[i]), uint16.Read(keys), where);
            var digits = (long[])wide.Clone();
            Parallel.Sort(digits, "a % 100 < b % 100");
            Assert.AreEqual(wide.OrderBy(x => x % 100), digits, where);

            int[] factors = Enumerable.Range(0, count).Select(i => random.Next(int.MinValue, int.MaxValue)).ToArray();
            Assert.AreEqual(
                wide.Zip(factors, (a, b) => unchecked(a * b - 1)),
                Parallel.Transform<long, int, long>(wide, factors, "a * b - 1"), where);
            Assert.AreEqual(factors.Where(x => x % 3 == 1), Parallel.Select(factors, "a % 3 == 1"), where);
        }
    }
}
