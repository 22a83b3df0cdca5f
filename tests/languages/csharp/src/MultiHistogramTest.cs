using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Histograms of several channels against plain loops.</summary>
[TestFixture]
public class MultiHistogramTest {
    private const int Pixels = 5000;
    private static readonly ulong[] bins = { 10, 300, 1 };
    private static readonly float[] lower = { -100, 0, 5 };
    private static readonly float[] upper = { 100, 75, 6 };

    /// <summary>Four channels; whole numbers from -100 to 99.</summary>
    private static short[] Samples() {
        var random = new Random(1);
        return Enumerable.Range(0, Pixels * 4).Select(i => (short)(random.Next(200) - 100)).ToArray();
    }

    private static int[] Expected(short[] pixels) {
        var counts = new int[311];
        for (int pixel = 0; pixel < Pixels; ++pixel) {
            int first = 0;
            for (int channel = 0; channel < bins.Length; ++channel) {
                float sample = pixels[pixel * 4 + channel];
                if (sample >= lower[channel] && sample < upper[channel]) {
                    float scale = (float)(bins[channel] / (upper[channel] - lower[channel]));
                    float place = (sample - lower[channel]) * scale;
                    ++counts[first + (int)place];
                }
                first += (int)bins[channel];
            }
        }
        return counts;
    }

    [Test]
    public void TheChannelsOfPixelsAreCountedOnADevice() {
        short[] pixels = Samples();
        var found = new int[311];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(2 * (ulong)pixels.Length))
        using (Buffer counts = device.Allocate(4 * (ulong)found.Length))
        using (ElementIterator samples = ElementIterator.Of<short>(input))
        using (var even = new MultiHistogramEven<short, float, int>(device, samples, 4, 3)) {
            input.CopyFrom(pixels);
            even.Call(stream, samples, counts, bins, lower, upper, Pixels);
            stream.Sync();
            counts.CopyTo(found);
            Assert.AreEqual(Expected(pixels), found);
            Fixtures.AssertMentions(
                Assert.Throws<InvalidArgumentException>(
                    () => even.Call(stream, samples, counts, new ulong[] { 1, 2 }, lower, upper, Pixels)), "2 given");
            Assert.Throws<InvalidArgumentException>(
                () => even.Call(stream, samples, counts, bins, new float[2], upper, Pixels));
            Assert.Throws<InvalidArgumentException>(
                () => even.Call(stream, samples, counts, bins, lower, upper, Pixels + 1));
            Assert.Throws<InvalidArgumentException>(
                () => even.Call(stream, samples, counts, new ulong[] { 10, 301, 1 }, lower, upper, Pixels));
            Assert.Throws<InvalidArgumentException>(
                () => new MultiHistogramEven<short, float, int>(device, samples, 5, 3));
        }
    }

    [Test]
    public void TheChannelsOfPixelsAreCountedOnTheHostsCores() {
        short[] pixels = Samples();
        var found = new int[311];
        using (ElementIterator samples = ElementIterator.Of<short>())
        using (var even = new MultiHistogramEven<short, float, int>(Execution.Host, samples, 4, 3)) {
            even.Call(pixels, found, bins, lower, upper, Pixels);
            Assert.AreEqual(Expected(pixels), found);
        }
    }

    [Test]
    public void EachChannelHasRangesOfItsOwn() {
        byte[] pixels = { 255, 0, 10, 200, 64, 20, 0, 65, 30, 130, 255, 40 };
        int[] levels = { 0, 128, 256, 0, 60, 200, 256 };
        ulong[] ofChannels = { 2, 3 };
        int[] expected = { 1, 3, 1, 2, 1 };
        var found = new int[5];
        using (ElementIterator samples = ElementIterator.Of<byte>())
        using (var ranges = new MultiHistogramRange<byte, int, int>(Execution.Host, samples, 3, 2)) {
            ranges.Call(pixels, levels, found, ofChannels, 4);
            Assert.AreEqual(expected, found);
        }
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(12))
        using (Buffer inLevels = device.Allocate(28))
        using (Buffer counts = device.Allocate(20))
        using (ElementIterator samples = ElementIterator.Of<byte>(input))
        using (var ranges = new MultiHistogramRange<byte, int, int>(device, samples, 3, 2)) {
            input.CopyFrom(pixels);
            inLevels.CopyFrom(levels);
            counts.CopyFrom(new int[5]);
            ranges.Call(stream, samples, inLevels, counts, ofChannels, 4);
            stream.Sync();
            counts.CopyTo(found);
            Assert.AreEqual(expected, found);
            Assert.Throws<InvalidArgumentException>(
                () => ranges.Call(stream, samples, inLevels, counts, new ulong[] { 2, 4 }, 4));
        }
    }
}
