// A histogram of ranges of several channels: red is dark or bright, green dark, medium or bright, blue not counted.
// usage: mono ParallelMultiHistogramRange.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelMultiHistogramRange {
    private static int Main() {
        byte[] hostPixels = { 255, 0, 10, 200, 64, 20, 0, 65, 30, 130, 255, 40 };
        int[] hostLevels = { 0, 128, 256, 0, 60, 200, 256 };
        ulong[] bins = { 2, 3 };
        var found = new int[5];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer pixels = device.Allocate(12))
        using (Buffer levels = device.Allocate(7 * sizeof(int)))
        using (Buffer counts = device.Allocate(5 * sizeof(int)))
        using (ElementIterator samples = ElementIterator.Of<byte>(pixels))
        using (var algorithm = new MultiHistogramRange<byte, int, int>(device, samples, 3, 2)) {
            pixels.CopyFrom(hostPixels);
            levels.CopyFrom(hostLevels);
            algorithm.Call(stream, samples, levels, counts, bins, 4);
            stream.Sync();
            counts.CopyTo(found);
        }
        bool ok = found.SequenceEqual(new[] { 1, 3, 1, 2, 1 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
