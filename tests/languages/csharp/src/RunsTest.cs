using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Runs of equal elements: reduced, counted and found.</summary>
[TestFixture]
public class RunsTest {
    private static readonly int[] keys = { 5, 5, 5, 2, 7, 7, 5, 5 };

    [Test]
    public void FunctionsCombineAndCompareOnADevice() {
        const int count = 10000;
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer keysOut = device.Allocate(4 * count))
        using (Buffer sums = device.Allocate(8 * count))
        using (Buffer runCount = device.Allocate(8))
        using (ElementIterator counting = ElementIterator.Counting(0))
        using (ElementIterator ones = ElementIterator.Constant(1L))
        using (var add = new Operator((a, b) => a + b))
        using (var isSameHundred = new Operator((a, b) => a / 100 == b / 100))
        using (var reduce = new ReduceByKey<int, long>(device, counting, ones, add, isSameHundred)) {
            reduce.Call(stream, counting, ones, keysOut, sums, runCount, count);
            stream.Sync();
            var first = new int[count];
            var found = new long[count];
            var runs = new ulong[1];
            keysOut.CopyTo(first);
            sums.CopyTo(found);
            runCount.CopyTo(runs);
            Assert.AreEqual(100, runs[0]);
            Assert.AreEqual(Enumerable.Range(0, 100).Select(i => 100 * i), first.Take(100));
            Assert.AreEqual(Enumerable.Repeat(100L, 100), found.Take(100));
        }
    }

    [Test]
    public void RunsAreFoundOnTheHostsCores() {
        using (ElementIterator numbers = ElementIterator.Of<int>())
        using (var plus = new Operator(OpKind.Plus))
        using (var isEqual = new Operator(OpKind.EqualTo))
        using (var reduce = new ReduceByKey<int, int>(Execution.Host, numbers, numbers, plus, isEqual))
        using (var encode = new RunLengthEncode<int, int>(Execution.Host, numbers, isEqual))
        using (var find = new NonTrivialRuns<int, long>(Execution.Host, numbers, isEqual)) {
            var kept = new int[8];
            var sums = new int[8];
            Assert.AreEqual(4, reduce.Call(keys, keys, kept, sums));
            Assert.AreEqual(new[] { 5, 2, 7, 5, 0, 0, 0, 0 }, kept);
            Assert.AreEqual(new[] { 15, 2, 14, 10, 0, 0, 0, 0 }, sums);
            Assert.AreEqual(4, encode.Call(keys, kept, sums));
            Assert.AreEqual(new[] { 3, 1, 2, 2 }, sums.Take(4));
            var offsets = new long[8];
            var lengths = new long[8];
            Assert.AreEqual(3, find.Call(keys, offsets, lengths));
            Assert.AreEqual(new[] { 0L, 4, 6 }, offsets.Take(3));
            Assert.AreEqual(new[] { 3L, 2, 2 }, lengths.Take(3));
            Assert.Throws<InvalidArgumentException>(() => find.Call(keys, new long[7], lengths));
            Assert.Throws<InvalidArgumentException>(
                () => new NonTrivialRuns<int, float>(Execution.Host, numbers, isEqual));
        }
    }
}
