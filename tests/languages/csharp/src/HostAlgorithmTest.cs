using System;
using System.Linq;
using System.Threading;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>
/// Algorithms that are built for the host's own cores, and called many times, against C#'s own library.
/// </summary>
[TestFixture]
public class HostAlgorithmTest {
    private const int Count = 20000;

    private struct Point {
        public float X;
    }

    private static readonly int[] Data = MakeData();

    private static int[] MakeData() {
        var random = new Random(5);
        return Enumerable.Range(0, Count).Select(i => random.Next(-1000, 1000)).ToArray();
    }

    private static int[] Sums() {
        int sum = 0;
        return Data.Select(x => sum += x).ToArray();
    }

    private static Reduce<TResult> Sum<T, TResult>() where T : struct where TResult : struct {
        using (ElementIterator input = ElementIterator.Of<T>())
        using (var plus = new Operator(OpKind.Plus)) {
            return new Reduce<TResult>(Execution.Host, input, plus);
        }
    }

    [Test]
    public void AReductionIsCalledOverArraysAndIterators() {
        var data = (int[])Data.Clone();
        using (Reduce<long> reduce = Sum<int, long>())
        using (ElementIterator elements = ElementIterator.Of(data)) {
            Assert.AreEqual(data.Sum(x => (long)x), reduce.Call(data, 0));
            Assert.AreEqual(data.Sum(x => (long)x) + 7, reduce.Call(elements, Count, 7));
            Assert.AreEqual(data[0] + 1, reduce.Call(elements, 1, 1));
            Assert.AreEqual(1, reduce.Call(new int[0], 1));
            data[0] += 5;    // in place: it sees what the array has now
            Assert.AreEqual(data.Sum(x => (long)x), reduce.Call(elements, Count, 0));
        }
    }

    [Test]
    public void AnIteratorsArrayStaysPinnedWhileGarbageIsCollected() {
        using (Reduce<long> reduce = Sum<int, long>())
        using (ElementIterator elements = FreshElements()) {
            for (int i = 0; i < 3; ++i) {
                GC.Collect();
                GC.KeepAlive(new byte[1 << 20]);
                Assert.AreEqual(Data.Sum(x => (long)x), reduce.Call(elements, Count, 0));
            }
        }
    }

    private static ElementIterator FreshElements() {
        return ElementIterator.Of((int[])Data.Clone());
    }

    [Test]
    public void IteratorsAreComposedOnTheHost() {
        using (var negate = new Operator(OpKind.Negate))
        using (var plus = new Operator("a + b"))
        using (ElementIterator elements = ElementIterator.Of(new[] { 1, 2, -10 }))
        using (ElementIterator negated = elements.Transform<double>(negate))
        using (ElementIterator counting = ElementIterator.Counting(1L << 40))
        using (ElementIterator constant = ElementIterator.Constant(2.5f))
        using (var ofNegated = new Reduce<double>(Execution.Host, negated, plus))
        using (var ofCounting = new Reduce<long>(Execution.Host, counting, plus))
        using (var ofConstant = new Reduce<float>(Execution.Host, constant, plus)) {
            elements.Dispose();    // the other one has its own hold of the array
            GC.Collect();
            Assert.AreEqual(7.5, ofNegated.Call(negated, 3, 0.5));
            Assert.AreEqual((1L << 40) * 4 + 6, ofCounting.Call(counting, 4, 0));
            Assert.AreEqual(250f, ofConstant.Call(constant, 100, 0));
        }
    }

    [Test]
    public void ScansWriteToArraysAlsoInPlaceAndLeaveWhatLiesBehind() {
        int[] sums = Sums();
        using (ElementIterator input = ElementIterator.Of(Data))
        using (var plus = new Operator(OpKind.Plus))
        using (var inclusive = new Scan<int>(Execution.Host, ScanKind.Inclusive, input, plus))
        using (var exclusive = new Scan<int>(Execution.Host, ScanKind.Exclusive, input, plus)) {
            int[] output = Enumerable.Repeat(77, Count + 2).ToArray();
            inclusive.Call(Data, output);
            Assert.AreEqual(sums.Concat(new[] { 77, 77 }), output);
            exclusive.Call(input, output, Count, 5);
            Assert.AreEqual(5 + sums[Count - 2], output[Count - 1]);
            Assert.AreEqual(77, output[Count]);
            var inPlace = (int[])Data.Clone();
            inclusive.Call(inPlace, inPlace);
            Assert.AreEqual(sums, inPlace);
            inclusive.Call(input, output, 3);
            Assert.AreEqual(sums[2], output[2]);
            Assert.Throws<InvalidArgumentException>(() => exclusive.Call(Data, output));
            Assert.Throws<InvalidArgumentException>(() => inclusive.Call(Data, output, 5));
        }
    }

    [Test]
    public void SortsTakeValuesBitsAndComparisons() {
        int[] positions = Enumerable.Range(0, Count).ToArray();
        var keys = new int[Count];
        var values = new int[Count];
        using (var greater = new Operator("a > b"))
        using (var radix = new RadixSort<int>(Execution.Host, SortOrder.Ascending))
        using (var pairs = new RadixSort<int, int>(Execution.Host, SortOrder.Ascending))
        using (var merge = new MergeSort<int>(Execution.Host, greater))
        using (var mergePairs = new MergeSort<int, int>(Execution.Host, greater)) {
            radix.Call(Data, keys);
            Assert.AreEqual(Data.OrderBy(x => x), keys);
            pairs.Call(Data, keys, positions, values, new BitRange(0, 4));
            Assert.AreEqual(positions.OrderBy(i => Data[i] & 15), values);
            merge.Call(Data, keys);
            Assert.AreEqual(Data.OrderByDescending(x => x), keys);
            mergePairs.Call(Data, keys, positions, values);
            Assert.AreEqual(positions.OrderByDescending(i => Data[i]), values);
            Assert.Throws<InvalidArgumentException>(() => pairs.Call(Data, keys, new int[3], values));
        }
    }

    [Test]
    public void ElementsAreTransformedFoundAndReducedBySegments() {
        using (ElementIterator input = ElementIterator.Of(Data))
        using (ElementIterator counting = ElementIterator.Counting(0))
        using (var minus = new Operator(OpKind.Minus))
        using (var negate = new Operator(OpKind.Negate))
        using (var maximum = new Operator(OpKind.Maximum))
        using (var binary = new Transform<int>(Execution.Host, input, counting, minus))
        using (var pairwise = new Transform<long>(Execution.Host, input, input, minus))
        using (var unary = new Transform<double>(Execution.Host, input, negate))
        using (var largest = new ArgReduce<int>(Execution.Host, ArgKind.Maximum, input))
        using (var segments = new SegmentedReduce<long, int>(Execution.Host, input, maximum)) {
            var differences = new int[Count];
            binary.Call(input, counting, differences, Count);
            Assert.AreEqual(Data.Select((x, i) => x - i), differences);
            var zeros = Enumerable.Repeat(1L, Count).ToArray();
            pairwise.Call(Data, Data, zeros);
            Assert.AreEqual(new long[Count], zeros);
            var negated = new double[Count];
            unary.Call(Data, negated);
            Assert.AreEqual(Data.Select(x => -(double)x), negated);
            Indexed<int> found = largest.Call(Data);
            Assert.AreEqual(Data.Max(), found.Value);
            Assert.AreEqual(Array.IndexOf(Data, Data.Max()), found.Index);
            Assert.AreEqual(-1, largest.Call(new int[0]).Index);
            var results = new long[3];
            segments.Call(Data, results, new[] { 0, 10, 10 }, new[] { 10, 10, Count }, -5000);
            Assert.AreEqual(new long[] { Data.Take(10).Max(), -5000, Data.Skip(10).Max() }, results);
        }
    }

    [Test]
    public void SelectionReturnsHowManyThereAreAndLeavesTheRestOfTheOutput() {
        var data = new[] { 0, 3, 0, 5, 7, 0 };
        using (ElementIterator input = ElementIterator.Of(data))
        using (ElementIterator counting = ElementIterator.Counting(-1))
        using (var identity = new Operator(OpKind.Identity))
        using (var not = new Operator("!a"))
        using (var select = new Select<int>(Execution.Host, input, identity))
        using (var zeros = new Select<int>(Execution.Host, counting, not)) {
            var output = new[] { 9, 9, 9, 9, 9, 9 };
            Assert.AreEqual(3, select.Call(data, output));
            Assert.AreEqual(new[] { 3, 5, 7, 9, 9, 9 }, output);
            Assert.AreEqual(1, select.Call(input, output, 2));
            Assert.AreEqual(1, zeros.Call(counting, output, 5));
            Assert.AreEqual(new[] { 0, 5, 7, 9, 9, 9 }, output);
            Assert.Throws<InvalidArgumentException>(() => select.Call(data, new int[5]));
#if CUPRUM_SPAN
            Assert.AreEqual(2, select.Call(data.AsSpan(0, 4), output.AsSpan()));
            Assert.AreEqual(new[] { 3, 5, 7, 9, 9, 9 }, output);
#endif
        }
    }

    [Test]
    public void OneAlgorithmIsCalledFromManyThreads() {
        using (Reduce<long> reduce = Sum<int, long>()) {
            long expected = Data.Sum(x => (long)x);
            int right = 0;
            Thread[] threads = Enumerable.Range(0, 4).Select(i => new Thread(() => {
                for (int call = 0; call < 50; ++call) {
                    if (reduce.Call(Data, call) == expected + call) {
                        Interlocked.Increment(ref right);
                    }
                }
            })).ToArray();
            foreach (Thread thread in threads) {
                thread.Start();
            }
            foreach (Thread thread in threads) {
                thread.Join();
            }
            Assert.AreEqual(200, right);
        }
    }

    [Test]
    public void ComplexNumbersAndTruthsAreElements() {
        var numbers = new[] { new System.Numerics.Complex(1, 2), new System.Numerics.Complex(3, -1) };
        using (ElementIterator input = ElementIterator.Of(numbers))
        using (var times = new Operator("multiplies"))
        using (var product = new Reduce<System.Numerics.Complex>(Execution.Host, input, times))
        using (ElementIterator truths = ElementIterator.Of<bool>())
        using (var or = new Operator(OpKind.LogicalOr))
        using (var any = new Reduce<bool>(Execution.Host, truths, or)) {
            Assert.AreEqual(new System.Numerics.Complex(5, 5), product.Call(numbers, System.Numerics.Complex.One));
            Assert.AreEqual(true, any.Call(new[] { false, true }, false));
            Assert.AreEqual(false, any.Call(new[] { false, false }, false));
            Assert.Throws<ArgumentException>(() => ElementIterator.Of(new bool[1]));
        }
    }

    [Test]
    public void WhatTheHostHasNotIsRefusedWhenItIsBuilt() {
        using (ElementIterator input = ElementIterator.Of<int>())
        using (ElementIterator points = ElementIterator.Of<Point>())
        using (var own = new Operator("a * 2 + b"))
        using (var traced = new Operator((a, b) => a + 2 * b))
        using (var plus = new Operator(OpKind.Plus))
        using (var odd = new Operator("a % 2")) {
            Fixtures.AssertMentions(
                Assert.Throws<UnsupportedException>(() => new Reduce<int>(Execution.Host, input, own)), "'a * 2 + b'");
            Assert.Throws<UnsupportedException>(() => new Reduce<int>(Execution.Host, input, traced));
            Assert.Throws<UnsupportedException>(() => new Reduce<Point>(Execution.Host, points, plus));
            Assert.Throws<UnsupportedException>(() => new MergeSort<int>(Execution.Host, own));
            Assert.Throws<UnsupportedException>(() => new Select<int>(Execution.Host, input, odd));
            using (Reduce<int> built = Sum<int, int>()) {
                Assert.Throws<UnsupportedException>(() => built.Save());
            }
        }
    }

    [Test]
    public void MemoryThatDoesNotFitIsRefused() {
        using (ElementIterator input = ElementIterator.Of(Data))
        using (ElementIterator nothing = ElementIterator.Of<int>())
        using (var plus = new Operator(OpKind.Plus))
        using (Reduce<int> reduce = Sum<int, int>())
        using (var scan = new Scan<int>(Execution.Host, ScanKind.Inclusive, input, plus)) {
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => reduce.Call(input, Count + 1, 0)), "20000 elements");
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => scan.Call(Data, new int[Count - 1])), "output");
            Assert.Throws<InvalidArgumentException>(() => reduce.Call(new float[4], 0));
            Assert.Throws<InvalidArgumentException>(() => reduce.Call(nothing, 1, 0));
        }
    }

    [Test]
    public void TheHostAndADeviceDoNotTakeEachOthersMemory() {
        var device = new Device(0);
        var memory = new int[4];
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(16))
        using (ElementIterator onDevice = ElementIterator.Of<int>(buffer))
        using (ElementIterator onHost = ElementIterator.Of(memory))
        using (var plus = new Operator(OpKind.Plus))
        using (var negate = new Operator(OpKind.Negate))
        using (ElementIterator negated = onHost.Transform<int>(negate))
        using (Reduce<int> host = Sum<int, int>())
        using (var built = new Reduce<long>(device, onDevice, plus)) {
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => host.Call(onDevice, 4, 0)), "device memory");
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => host.Call(stream, onDevice, buffer, 4, 0)), "stream");
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => built.Call(memory, 0)), "built for a device");
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => built.Call(stream, onHost, buffer, 4, 0)), "host memory");
            Assert.Throws<InvalidArgumentException>(() => built.Call(stream, negated, buffer, 4, 0));
        }
    }

#if CUPRUM_SPAN
    [Test]
    public void SpansAreReadAndWrittenInPlace() {
        Span<int> some = Data.AsSpan(100, 1000);
        int[] expected = Data.Skip(100).Take(1000).ToArray();
        using (ElementIterator input = ElementIterator.Of<int>())
        using (var plus = new Operator(OpKind.Plus))
        using (var negate = new Operator(OpKind.Negate))
        using (var less = new Operator(OpKind.Less))
        using (Reduce<long> reduce = Sum<int, long>())
        using (var exclusive = new Scan<long>(Execution.Host, ScanKind.Exclusive, input, plus))
        using (var inclusive = new Scan<long>(Execution.Host, ScanKind.Inclusive, input, plus))
        using (var unary = new Transform<int>(Execution.Host, input, negate))
        using (var binary = new Transform<int>(Execution.Host, input, input, plus))
        using (var smallest = new ArgReduce<int>(Execution.Host, ArgKind.Minimum, input))
        using (var segments = new SegmentedReduce<long, int>(Execution.Host, input, plus))
        using (var radix = new RadixSort<int>(Execution.Host, SortOrder.Descending))
        using (var pairs = new RadixSort<int, int>(Execution.Host, SortOrder.Ascending))
        using (var merge = new MergeSort<int>(Execution.Host, less))
        using (var mergePairs = new MergeSort<int, int>(Execution.Host, less)) {
            Assert.AreEqual(expected.Sum(x => (long)x) + 3, reduce.Call<int>(some, 3));
            var sums = new long[1001];
            exclusive.Call<int>(some, sums, 4);
            Assert.AreEqual(4, sums[0]);
            Assert.AreEqual(4 + expected.Take(999).Sum(x => (long)x), sums[999]);
            inclusive.Call<int>(some, sums);
            Assert.AreEqual(expected.Sum(x => (long)x), sums[999]);
            Assert.AreEqual(0, sums[1000]);
            var results = new int[1000];
            unary.Call<int>(some, results);
            Assert.AreEqual(expected.Select(x => -x), results);
            binary.Call<int, int>(some, some, results);
            Assert.AreEqual(expected.Select(x => 2 * x), results);
            Assert.AreEqual(Array.IndexOf(expected, expected.Min()), smallest.Call(some).Index);
            segments.Call<int>(some, sums.AsSpan(0, 2), new[] { 0, 500 }, new[] { 500, 1000 }, 1);
            Assert.AreEqual(1 + expected.Take(500).Sum(x => (long)x), sums[0]);
            radix.Call(some, results);
            Assert.AreEqual(expected.OrderByDescending(x => x), results);
            merge.Call(some, results);
            Assert.AreEqual(expected.OrderBy(x => x), results);
            int[] positions = Enumerable.Range(0, 1000).ToArray();
            foreach (bool byBits in new[] { true, false }) {
                var moved = new int[1000];
                if (byBits) {
                    pairs.Call(some, results, positions, moved);
                } else {
                    mergePairs.Call(some, results, positions, moved);
                }
                Assert.AreEqual(positions.OrderBy(i => expected[i]), moved);
            }
            Assert.Throws<InvalidArgumentException>(() => unary.Call<int>(new int[2], new int[1].AsSpan()));
        }
    }
#endif
}
