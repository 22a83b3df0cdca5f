using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Histograms of ranges, calls for each element, batches of copies.</summary>
[TestFixture]
public class BatchesTest {
    [Test]
    public void PiecesAreCopiedOnADevice() {
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer from = device.Allocate(400))
        using (Buffer to = device.Allocate(400))
        using (Buffer sizes = device.Allocate(8))
        using (ElementIterator source = ElementIterator.Counting(from.Handle))
        using (ElementIterator target = ElementIterator.Counting(to.Handle))
        using (ElementIterator inSizes = ElementIterator.Of<long>(sizes))
        using (var copies = new BatchedMemcpy<long>(device, source, target, inSizes)) {
            int[] data = Enumerable.Range(0, 100).Select(i => i * i).ToArray();
            var found = new int[100];
            from.CopyFrom(data);
            to.CopyFrom(found);
            sizes.CopyFrom(new long[] { 400 });
            copies.Call(stream, source, target, inSizes, 1);
            stream.Sync();
            to.CopyTo(found);
            Assert.AreEqual(data, found);
        }
    }

    private struct Target {
        public ulong Numbers;
    }

    private struct Cell {
        public long Index;
        public long Row;
        public long Column;
    }

    [Test]
    public void AnOperatorIsCalledForEachPositionOfAnArray() {
        var device = new Device(0);
        var found = new int[12];
        using (Stream stream = device.CreateStream())
        using (Buffer numbers = device.Allocate(48))
        using (ElementIterator positions = ElementIterator.Coordinates<Cell>(3, 4))
        using (Operator store = Operator.WithState(
            "reinterpret_cast<int*>(Numbers)[a.Index] = 10 * a.Row + a.Column; return true;",
            new Target { Numbers = numbers.Handle }))
        using (var calls = new ForEach<Cell>(device, positions, store)) {
            calls.Call(stream, positions, 12);
            stream.Sync();
            numbers.CopyTo(found);
        }
        Assert.AreEqual(new[] { 0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23 }, found);
        Assert.Throws<InvalidArgumentException>(() => ElementIterator.Coordinates<Cell>());
        Assert.Throws<InvalidArgumentException>(() => ElementIterator.Coordinates<Cell>(1L << 40, 1L << 40));
    }

    [Test]
    public void SamplesAreCountedOnTheHostsCores() {
        using (ElementIterator numbers = ElementIterator.Of<int>())
        using (var negate = new Operator(OpKind.Negate))
        using (var histogram = new HistogramRange<int, double, long>(Execution.Host, numbers)) {
            var counts = new long[2];
            int[] samples = { 1, 5, 9, -3, 4 };
            histogram.Call(samples, new[] { 0.5, 4.5, 9 }, counts);
            Assert.AreEqual(new[] { 2L, 1L }, counts);
            Assert.Throws<InvalidArgumentException>(() => histogram.Call(samples, new[] { 0.5, 4.5 }, counts));
            Assert.Throws<UnsupportedException>(() => new ForEach<int>(Execution.Host, numbers, negate));
        }
    }
}
