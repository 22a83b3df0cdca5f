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
