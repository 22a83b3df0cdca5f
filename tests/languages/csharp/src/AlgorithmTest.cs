using System;
using System.Linq;
using System.Text;
using System.Threading;
using Cuprum;
using Cuprum.Bindings;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>
/// The algorithms over elements on the device, built once and called many times, against C#'s own library. Types and
/// operators are those of Java's AlgorithmTest, so that the two compile them once between them.
/// </summary>
[TestFixture]
public class AlgorithmTest {
    private const int Count = 5000;

    private struct Scale {
        public double factor;
    }

    private struct Limit {
        public int modulus;
    }

    private static readonly int[] Data = MakeData();

    private Device device;
    private Stream stream;
    private Buffer input;
    private Buffer output;
    private ElementIterator elements;
    private Operator plus;

    private static int[] MakeData() {
        var random = new Random(3);
        return Enumerable.Range(0, Count).Select(i => random.Next(-1000, 1000)).ToArray();
    }

    [SetUp]
    public void Open() {
        device = new Device(0);
        stream = device.CreateStream();
        input = device.Allocate(4 * Count);
        output = device.Allocate(8 * Count);
        input.CopyFrom(Data);
        elements = ElementIterator.Of<int>(input);
        plus = new Operator(OpKind.Plus);
    }

    [TearDown]
    public void Close() {
        plus.Dispose();
        elements.Dispose();
        output.Dispose();
        input.Dispose();
        stream.Dispose();
    }

    private T[] Output<T>(int count = Count) where T : struct {
        var result = new T[count];
        stream.Sync();
        output.CopyTo(result);
        return result;
    }

    private static long Sum() {
        return Data.Sum(x => (long)x);
    }

    [Test]
    public void AReductionIsBuiltOnceAndCalledManyTimes() {
        using (var square = new Operator("(long long)a * a"))
        using (ElementIterator squares = elements.Transform<long>(square))
        using (var reduce = new Reduce<long>(device, squares, plus)) {
            foreach (long init in new long[] { 0, 5 }) {
                reduce.Call(stream, squares, output, Count, init);
                Assert.AreEqual(Data.Sum(x => (long)x * x) + init, Output<long>(1)[0]);
            }
        }
    }

    [Test]
    public void AReductionWithoutAnInitialValueIsOfTheElementsAlone() {
        using (var larger = new Operator("a > b ? a : b"))
        using (ElementIterator negative = ElementIterator.Constant(-7L))
        using (var largest = new Reduce<long>(device, negative, larger))
        using (ElementIterator ints = ElementIterator.Of<int>())
        using (var minimum = new Operator(OpKind.Minimum))
        using (var smallest = new Reduce<int>(Execution.Host, ints, minimum)) {
            largest.Call(stream, negative, output, Count);
            Assert.AreEqual(-7, Output<long>(1)[0]);
            largest.Call(stream, negative, output, 0);
            Assert.AreEqual(-7, Output<long>(1)[0], "of no elements nothing is written");
            Assert.AreEqual(3, smallest.Call(new[] { 5, 3, 8 }));
        }
    }

    [Test]
    public void TemporaryStorageIsTheCallersOrRefusedWithWhatIsNeeded() {
        using (var reduce = new Reduce<long>(device, elements, plus)) {
            ulong needed = reduce.TempStorageBytes(Count);
            Assert.Greater(needed, 1);
            using (Buffer storage = device.Allocate(needed))
            using (Buffer small = device.Allocate(1)) {
                reduce.Call(stream, elements, output, Count, 2, null, storage);
                Assert.AreEqual(Sum() + 2, Output<long>(1)[0]);
                var error = Assert.Throws<InvalidArgumentException>(
                    () => reduce.Call(stream, elements, output, Count, 2, null, small));
                Fixtures.AssertMentions(error, needed.ToString(), "1 given");
            }
        }
    }

    [Test]
    public void TheFirstExtremeElementIsFoundWithItsPosition() {
        using (var smallest = new ArgReduce<int>(device, ArgKind.Minimum, elements))
        using (var largest = new ArgReduce<int>(device, ArgKind.Maximum, elements)) {
            smallest.Call(stream, elements, output, Count);
            Indexed<int> found = Output<Indexed<int>>(1)[0];
            Assert.AreEqual(Data.Min(), found.Value);
            Assert.AreEqual(Array.IndexOf(Data, Data.Min()), found.Index);
            largest.Call(stream, elements, output, Count);
            Assert.AreEqual(Array.IndexOf(Data, Data.Max()), Output<Indexed<int>>(1)[0].Index);
            largest.Call(stream, elements, output, 0);
            Assert.AreEqual(-1, Output<Indexed<int>>(1)[0].Index);
        }
    }

    [Test]
    public void SegmentsAreReducedEachByItself() {
        CheckSegments(new[] { 0, 10, 10, 300, Count }, 4);
        CheckSegments(new[] { 0L, 10, 10, 300, Count }, 8);
    }

    private void CheckSegments<TOffset>(TOffset[] offsets, ulong size) where TOffset : struct {
        using (Buffer begins = device.Allocate(5 * size))
        using (Buffer ends = Buffer.FromHandle(device, begins.Handle + size, 4 * size))
        using (var reduce = new SegmentedReduce<long, TOffset>(device, elements, plus)) {
            begins.CopyFrom(offsets);
            reduce.Call(stream, elements, output, 4, begins, ends, 1000);
            int[] places = offsets.Select(offset => Convert.ToInt32(offset)).ToArray();
            Assert.AreEqual(
                Enumerable.Range(0, 4).Select(
                    i => 1000 + Data.Skip(places[i]).Take(places[i + 1] - places[i]).Sum(x => (long)x)),
                Output<long>(4));
            Assert.Throws<InvalidArgumentException>(
                () => reduce.Call(stream, elements, output, 5, begins, ends, 0));
        }
    }

    [Test]
    public void ScansTakeAnInitialValueOrNone() {
        using (var inclusive = new Scan<int>(device, ScanKind.Inclusive, elements, plus))
        using (var exclusive = new Scan<int>(device, ScanKind.Exclusive, elements, plus))
        using (var both = new Scan<int>(device, ScanKind.InclusiveWithInit, elements, plus))
        using (Buffer storage = device.Allocate(both.TempStorageBytes(Count))) {
            int[] sums = new int[Count];
            for (int i = 0; i < Count; ++i) {
                sums[i] = Data[i] + (i > 0 ? sums[i - 1] : 0);
            }
            inclusive.Call(stream, elements, output, Count);
            Assert.AreEqual(sums, Output<int>());
            exclusive.Call(stream, elements, output, Count, 7);
            Assert.AreEqual(new[] { 7 }.Concat(sums.Take(Count - 1).Select(x => x + 7)), Output<int>());
            both.Call(stream, elements, output, Count, 7, null, storage);
            Assert.AreEqual(sums.Select(x => x + 7), Output<int>());
            Assert.Throws<InvalidArgumentException>(() => exclusive.Call(stream, elements, output, Count));
            Assert.Throws<InvalidArgumentException>(() => inclusive.Call(stream, elements, output, Count, 7));
        }
    }

    [Test]
    public void RadixSortsTakeValuesOrdersAndBits() {
        int[] positions = Enumerable.Range(0, Count).ToArray();
        using (Buffer values = device.Allocate(4 * Count))
        using (Buffer sorted = device.Allocate(4 * Count))
        using (var keysAlone = new RadixSort<int>(device, SortOrder.Descending))
        using (var pairs = new RadixSort<uint, int>(device, SortOrder.Ascending)) {
            values.CopyFrom(positions);
            keysAlone.Call(stream, input, output, Count);
            Assert.AreEqual(Data.OrderByDescending(x => x), Output<int>());
            pairs.Call(stream, input, sorted, values, output, Count, new BitRange(0, 4));
            Assert.AreEqual(positions.OrderBy(i => Data[i] & 15), Output<int>());
            Assert.Throws<InvalidArgumentException>(
                () => pairs.Call(stream, input, sorted, null, output, Count));
        }
        Assert.Throws<ArgumentException>(() => new BitRange(4, 4));
    }

    [Test]
    public void MergeSortsAreStableAndTakeTheirOwnComparison() {
        int[] positions = Enumerable.Range(0, Count).ToArray();
        using (Operator compare = Operator.WithState("a % modulus < b % modulus", new Limit { modulus = 10 }))
        using (Operator byHundred = Operator.WithState("a % modulus < b % modulus", new Limit { modulus = 100 }))
        using (Buffer values = device.Allocate(4 * Count))
        using (Buffer sorted = device.Allocate(4 * Count))
        using (var pairs = new MergeSort<int, int>(device, compare))
        using (var keysAlone = new MergeSort<int>(device, compare)) {
            values.CopyFrom(positions);
            pairs.Call(stream, input, sorted, values, output, Count);
            Assert.AreEqual(positions.OrderBy(i => Data[i] % 10), Output<int>());
            pairs.Call(stream, input, sorted, values, output, Count, byHundred);
            Assert.AreEqual(positions.OrderBy(i => Data[i] % 100), Output<int>());
            keysAlone.Call(stream, input, output, Count);
            Assert.AreEqual(Data.OrderBy(x => x % 10), Output<int>());
        }
    }

    [Test]
    public void TheElementsThatFulfilAConditionAreSelectedInTheirOrder() {
        using (Operator light = Operator.WithState("a < factor", new Scale { factor = 100 }))
        using (Operator none = Operator.WithState("a < factor", new Scale { factor = -5000 }))
        using (Buffer selectedCount = device.Allocate(8))
        using (Buffer small = device.Allocate(4))
        using (var select = new Select<int>(device, elements, light))
        using (Buffer storage = device.Allocate(select.TempStorageBytes(Count))) {
            var count = new ulong[1];
            select.Call(stream, elements, output, selectedCount, Count);
            int[] expected = Data.Where(x => x < 100).ToArray();
            Assert.AreEqual(expected, Output<int>(expected.Length));
            selectedCount.CopyTo(count);
            Assert.AreEqual(expected.Length, count[0]);
            select.Call(stream, elements, output, selectedCount, Count, none, storage);
            stream.Sync();
            selectedCount.CopyTo(count);
            Assert.AreEqual(0, count[0]);
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(
                    () => select.Call(stream, elements, input, selectedCount, Count)), "overlap");
            Assert.Throws<InvalidArgumentException>(() => select.Call(stream, elements, output, small, Count));
            Assert.Throws<InvalidArgumentException>(() => select.Call(stream, elements, small, selectedCount, Count));
            Assert.Throws<InvalidArgumentException>(() => new Select<long>(device, elements, light));
        }
    }

    [Test]
    public void AnOperatorsStateIsGivenPerCall() {
        using (Operator scale = Operator.WithState("a * factor", new Scale { factor = 1 }))
        using (Operator half = Operator.WithState("a * factor", new Scale { factor = 0.5 }))
        using (ElementIterator second = ElementIterator.Counting(1))
        using (var minus = new Operator(OpKind.Minus))
        using (var unary = new Transform<double>(device, elements, scale))
        using (var binary = new Transform<int>(device, elements, second, minus)) {
            unary.Call(stream, elements, output, Count, half);
            Assert.AreEqual(Data.Select(x => x * 0.5), Output<double>());
            unary.Call(stream, elements, output, Count);
            Assert.AreEqual(Data.Select(x => (double)x), Output<double>());
            binary.Call(stream, elements, second, output, Count);
            Assert.AreEqual(Data.Select((x, i) => x - 1 - i), Output<int>());
        }
    }

    [Test]
    public void TransformationsTakeManyInputs() {
        using (ElementIterator counting = ElementIterator.Counting(1L))
        using (ElementIterator constant = ElementIterator.Constant(0.5))
        using (ElementIterator results = ElementIterator.Of<double>(output))
        using (ElementIterator backwards = results.Reverse(Count - 1))
        using (var formula = new Operator(3, x => x[0] * x[1] + x[2]))
        using (var text = new Operator("a + 0 * b - c"))
        using (var product = new Operator("a * b"))
        using (var sum = new Operator(3, x => x[0] + x[1]))
        using (var pair = new Operator(2, x => x[0] - x[1]))
        using (var three = new Transform<double>(device, new[] { elements, counting, constant }, formula))
        using (var written = new Transform<double>(device, new[] { elements, counting, constant }, text, backwards))
        using (var ofTwo = new Transform<double>(device, new[] { elements, counting, constant }, product))
        using (var sumOfTwo = new Transform<double>(device, new[] { elements, counting, constant }, sum))
        using (var two = new Transform<double>(device, new[] { elements, constant }, pair)) {
            ofTwo.Call(stream, new[] { elements, counting, constant }, output, Count);
            Assert.AreEqual(Data.Select((x, i) => x * (1.0 + i)), Output<double>());
            sumOfTwo.Call(stream, new[] { elements, counting, constant }, output, Count);
            Assert.AreEqual(Data.Select((x, i) => x + 1.0 + i), Output<double>());
            three.Call(stream, new[] { elements, counting, constant }, output, Count);
            Assert.AreEqual(Data.Select((x, i) => x * (1.0 + i) + 0.5), Output<double>());
            written.Call(stream, new[] { elements, counting, constant }, backwards, Count);
            Assert.AreEqual(Data.Select(x => x - 0.5).Reverse(), Output<double>());
            two.Call(stream, elements, constant, output, Count);
            Assert.AreEqual(Data.Select(x => x - 0.5), Output<double>());
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(
                    () => three.Call(stream, new[] { elements, counting }, output, Count)), "built for 3");
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(
                    () => new Transform<double>(device, Enumerable.Repeat(counting, 9).ToArray(), text)),
                "8 operands");
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => new Operator(9, x => x[0])), "expected 1 to 8");
        }
    }

    [Test]
    public void IteratorsAreComposed() {
        using (ElementIterator constant = ElementIterator.Constant(2.5))
        using (ElementIterator counting = ElementIterator.Counting(1L << 40))
        using (var minus = new Operator("a - (1LL << 40)"))
        using (ElementIterator numbers = counting.Transform<long>(minus))
        using (var odd = new Operator("2 * a + 1"))
        using (ElementIterator odds = numbers.Transform<long>(odd))
        using (var constants = new Reduce<double>(device, constant, plus))
        using (var squares = new Reduce<long>(device, odds, plus)) {
            constants.Call(stream, constant, output, 1000, 0.5);
            Assert.AreEqual(2500.5, Output<double>(1)[0]);
            squares.Call(stream, odds, output, 100, 0);
            Assert.AreEqual(10000, Output<long>(1)[0]);
        }
    }

    [Test]
    public void CountsGoBeyond32Bits() {
        if (device.IsSimulator) {
            Assert.Ignore("4 billion elements are for a GPU");
        }
        ulong count = (1UL << 32) + 12345;
        using (ElementIterator ones = ElementIterator.Constant<sbyte>(1))
        using (var reduce = new Reduce<long>(device, ones, plus)) {
            reduce.Call(stream, ones, output, count, 0);
            Assert.AreEqual(count, Output<long>(1)[0]);
        }
    }

    [Test]
    public void CallsAreCapturedInAGraph() {
        using (var reduce = new Reduce<long>(device, elements, plus))
        using (Buffer storage = device.Allocate(reduce.TempStorageBytes(Count))) {
            reduce.Call(stream, elements, output, Count, 0, null, storage);    // loads the kernels
            stream.Sync();
            var handle = new IntPtr((long)stream.Handle);
            IntPtr graph;
            IntPtr executable;
            device.SetCurrent();    // the driver makes graphs in the current context
            Assert.AreEqual(Driver.CUresult.CUDA_SUCCESS, Driver.cuStreamBeginCapture(
                handle, Driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
            reduce.Call(stream, elements, output, Count, 9, null, storage);
            Assert.IsTrue(stream.IsCapturing);
            Assert.AreEqual(Driver.CUresult.CUDA_SUCCESS, Driver.cuStreamEndCapture(handle, out graph));
            Assert.IsFalse(stream.IsCapturing);
            Assert.AreEqual(Driver.CUresult.CUDA_SUCCESS, Driver.cuGraphInstantiate(out executable, graph, 0));
            output.CopyFrom(new long[] { 0 });
            Assert.AreEqual(Driver.CUresult.CUDA_SUCCESS, Driver.cuGraphLaunch(executable, handle));
            Assert.AreEqual(Sum() + 9, Output<long>(1)[0]);
            Driver.cuGraphExecDestroy(executable);
            Driver.cuGraphDestroy(graph);
        }
    }

    [Test]
    public void OneAlgorithmIsCalledFromManyThreads() {
        using (var reduce = new Reduce<long>(device, elements, plus)) {
            int right = 0;
            Thread[] threads = Enumerable.Range(0, 4).Select(i => new Thread(() => {
                using (Stream own = device.CreateStream())
                using (Buffer result = device.Allocate(8)) {
                    for (int call = 0; call < 5; ++call) {
                        var value = new long[1];
                        reduce.Call(own, elements, result, Count, call);
                        own.Sync();
                        result.CopyTo(value);
                        if (value[0] == Sum() + call) {
                            Interlocked.Increment(ref right);
                        }
                    }
                }
            })).ToArray();
            foreach (Thread thread in threads) {
                thread.Start();
            }
            foreach (Thread thread in threads) {
                thread.Join();
            }
            Assert.AreEqual(20, right);
        }
    }

    [Test]
    public void BuildsAreMadeAheadOfTimeSavedAndLoaded() {
        byte[] saved;
        using (ElementIterator numbers = ElementIterator.Of<int>())
        using (var ahead = new Reduce<long>(Execution.AheadOfTime("compute_80"), numbers, plus)) {
            saved = ahead.Save();
            Assert.Throws(
                Is.InstanceOf<CuprumException>(), () => ahead.Call(stream, elements, output, Count, 0));
        }
        Algorithm.LoadBuilds(device, saved);
        saved[saved.Length / 2] ^= 1;
        Assert.Throws<InvalidArgumentException>(() => Algorithm.LoadBuilds(device, saved));
        Assert.Throws<ArgumentException>(() => Execution.AheadOfTime());
    }

    [Test]
    public void SavedBuildsThatAreDamagedOrForOthersAreRefused() {
        byte[] saved;
        byte[] foreign;
        using (ElementIterator numbers = ElementIterator.Of<int>())
        using (var ahead = new Reduce<long>(Execution.AheadOfTime("compute_80"), numbers, plus))
        using (var turing = new Reduce<long>(Execution.AheadOfTime("sm_75"), numbers, plus)) {
            saved = ahead.Save();
            foreign = turing.Save();
        }
        foreach (int length in new[] { 0, 16, 30, saved.Length / 2, saved.Length - 1 }) {
            Assert.Throws<InvalidArgumentException>(
                () => Algorithm.LoadBuilds(device, saved.Take(length).ToArray()), "cut to " + length);
        }
        foreach (int at in new[] { 60, saved.Length / 2, saved.Length - 1 }) {
            var changed = (byte[])saved.Clone();
            changed[at] ^= 1;
            Assert.Throws<InvalidArgumentException>(() => Algorithm.LoadBuilds(device, changed), "byte " + at);
        }
        Encoding bytes = Encoding.GetEncoding("iso-8859-1");
        byte[] older = bytes.GetBytes(bytes.GetString(saved).Replace(CuprumLibrary.Version, "0.0.9"));
        Fixtures.AssertMentions(
            Assert.Throws<UnsupportedException>(() => Algorithm.LoadBuilds(device, older)), "0.0.9");
        Fixtures.AssertMentions(
            Assert.Throws<UnsupportedException>(() => Algorithm.LoadBuilds(device, foreign)), "sm_75");
    }

    [Test]
    public void NoElementsAndOneAreAsManyAsOthers() {
        using (Operator light = Operator.WithState("a < factor", new Scale { factor = 5000 }))
        using (Buffer count = device.Allocate(8))
        using (var reduce = new Reduce<long>(device, elements, plus))
        using (var scan = new Scan<int>(device, ScanKind.Inclusive, elements, plus))
        using (var radix = new RadixSort<int>(device, SortOrder.Descending))
        using (var select = new Select<int>(device, elements, light)) {
            for (int n = 0; n <= 1; ++n) {
                reduce.Call(stream, elements, output, (ulong)n, 7);
                Assert.AreEqual(7 + n * Data[0], Output<long>(1)[0]);
                int expected = n == 0 ? 77 : Data[0];
                output.CopyFrom(new[] { 77 });
                scan.Call(stream, elements, output, (ulong)n);
                Assert.AreEqual(expected, Output<int>(1)[0]);
                output.CopyFrom(new[] { 77 });
                radix.Call(stream, input, output, (ulong)n);
                Assert.AreEqual(expected, Output<int>(1)[0]);
                output.CopyFrom(new[] { 77 });
                select.Call(stream, elements, output, count, (ulong)n);
                Assert.AreEqual(expected, Output<int>(1)[0]);
                var selected = new long[1];
                count.CopyTo(selected);
                Assert.AreEqual(n, selected[0]);
            }
        }
    }

    [Test]
    public void NaNsHaveTheirPlaces() {
        float negative = OfBits(0xFFC00000);
        float positive = OfBits(0x7FC00000);    // float.NaN is a negative one
        float minusZero = OfBits(0x80000000);
        float[] data = { 2, positive, minusZero, negative, float.NegativeInfinity, 0f };
        float[] expected = { negative, float.NegativeInfinity, minusZero, 0f, 2, positive };
        input.CopyFrom(data);
        using (ElementIterator floats = ElementIterator.Of<float>(input))
        using (var radix = new RadixSort<float>(device, SortOrder.Ascending))
        using (var largest = new ArgReduce<float>(device, ArgKind.Maximum, floats)) {
            radix.Call(stream, input, output, (ulong)data.Length);
            Assert.AreEqual(expected.Select(Bits), Output<int>(data.Length));
            largest.Call(stream, floats, output, (ulong)data.Length);
            Assert.AreEqual(1, Output<Indexed<float>>(1)[0].Index);    // the first NaN
        }
    }

    private static float OfBits(uint bits) {
        return BitConverter.ToSingle(BitConverter.GetBytes(bits), 0);
    }

    private static int Bits(float value) {
        return BitConverter.ToInt32(BitConverter.GetBytes(value), 0);
    }

    [Test]
    public void MemoryThatIsNoneOrOverlapsIsRefused() {
        using (var reduce = new Reduce<long>(device, elements, plus))
        using (var radix = new RadixSort<int>(device, SortOrder.Descending))
        using (ElementIterator nothing = ElementIterator.Of<int>())
        using (Buffer odd = Buffer.FromHandle(device, input.Handle + 1, 4 * Count - 4))
        using (Buffer later = Buffer.FromHandle(device, input.Handle + 4, 4 * Count - 4)) {
            Assert.Throws<InvalidArgumentException>(() => reduce.Call(stream, nothing, output, 1, 0));
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => Buffer.FromHandle(device, 0, 4)), "null");
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => radix.Call(stream, input, later, Count - 1)), "overlap");
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(() => radix.Call(stream, odd, output, Count - 1)), "aligned");
        }
    }

    [Test]
    public void WhatDoesNotFitIsRefusedBeforeAnythingRuns() {
        using (var reduce = new Reduce<long>(device, elements, plus))
        using (ElementIterator other = ElementIterator.Constant(1))
        using (Buffer small = device.Allocate(4)) {
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(
                    () => reduce.Call(stream, elements, output, Count + 1, 0)), "5000 elements");
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(
                    () => reduce.Call(stream, elements, small, Count, 0)), "output");
            Assert.Throws<InvalidArgumentException>(() => reduce.Call(stream, other, output, Count, 0));
        }
        using (var wrong = new Operator("a +\nnothing")) {
            var error = Assert.Throws<CompileException>(() => new Reduce<long>(device, elements, wrong));
            StringAssert.Contains("operator(2)", error.Log);
        }
    }
}
