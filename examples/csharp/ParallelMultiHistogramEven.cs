// A histogram of several channels: how bright red, green and blue are in a picture of four pixels with alpha.
// usage: mono ParallelMultiHistogramEven.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelMultiHistogramEven {
    private static int Main() {
        byte[] hostPixels = { 255, 0, 10, 1, 200, 64, 20, 1, 0, 65, 30, 0, 130, 255, 40, 0 };
        ulong[] bins = { 4, 2, 4 };
        var found = new int[10];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer pixels = device.Allocate(16))
        using (Buffer counts = device.Allocate(10 * sizeof(int)))
        using (ElementIterator samples = ElementIterator.Of<byte>(pixels))
        using (var algorithm = new MultiHistogramEven<byte, int, int>(device, samples, 4, 3)) {
            pixels.CopyFrom(hostPixels);
            algorithm.Call(stream, samples, counts, bins, new[] { 0, 0, 0 }, new[] { 256, 256, 256 }, 4);
            stream.Sync();
            counts.CopyTo(found);
        }
        bool ok = found.SequenceEqual(new[] { 1, 0, 1, 2, 3, 1, 4, 0, 0, 0 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
