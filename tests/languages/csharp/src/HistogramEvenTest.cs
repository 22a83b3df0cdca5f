using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Histograms against a plain loop.</summary>
[TestFixture]
public class HistogramEvenTest {
    private const int count = 20011;
    private static readonly int[] samples = Numbers();

    private static int[] Numbers() {
        var random = new Random(1);
        return Enumerable.Range(0, count).Select(i => random.Next(-10, 1100)).ToArray();
    }

    private static int[] Expected(int bins) {
        var counts = new int[bins];
        foreach (int sample in samples.Where(each => each >= 0 && each < 1000)) {
            ++counts[sample * bins / 1000];
        }
        return counts;
    }

    [Test]
    public void SamplesAreCountedOnADevice() {
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(4 * count))
        using (Buffer counts = device.Allocate(4 * 500))
        using (ElementIterator elements = ElementIterator.Of<int>(input))
        using (var histogram = new HistogramEven<int, long, int>(device, elements)) {
            input.CopyFrom(samples);
            foreach (int bins in new[] { 1, 20, 500 }) {
                var found = new int[bins];
                histogram.Call(stream, elements, counts, (ulong)bins, 0, 1000, count);
                stream.Sync();
                counts.CopyTo(found);
                Assert.AreEqual(Expected(bins), found);
            }
            Assert.Throws<InvalidArgumentException>(
                () => histogram.Call(stream, elements, counts, 501, 0, 1000, count));
            Assert.Throws<InvalidArgumentException>(
                () => histogram.Call(stream, elements, counts, 5, 1000, 1000, count));
        }
    }

    [Test]
    public void ArraysAreCountedOnTheHostsCores() {
        using (ElementIterator numbers = ElementIterator.Of<int>())
        using (var histogram = new HistogramEven<int, long, int>(Execution.Host, numbers)) {
            var found = new int[20];
            histogram.Call(samples, found, 0, 1000);
            Assert.AreEqual(Expected(20), found);
#if CUPRUM_SPAN
            histogram.Call(samples.AsSpan(), found.AsSpan(0, 10), 0, 1000);
            Assert.AreEqual(Expected(10), found.Take(10));
#endif
            Assert.Throws<InvalidArgumentException>(() => histogram.Call(samples, new int[0], 0, 1000));
        }
    }
}
