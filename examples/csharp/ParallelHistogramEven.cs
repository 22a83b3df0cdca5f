// A histogram: how many grades are in each fifth of the scale.
// usage: mono ParallelHistogramEven.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelHistogramEven {
    private static int Main() {
        float[] grades = { 12, 99, 55, 43, 60, 61, 0, 100, 38 };
        var counts = new int[5];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(sizeof(float) * (ulong)grades.Length))
        using (Buffer output = device.Allocate(sizeof(int) * (ulong)counts.Length))
        using (ElementIterator samples = ElementIterator.Of<float>(input))
        using (var histogram = new HistogramEven<float, float, int>(device, samples)) {
            input.CopyFrom(grades);
            // From 0 up to, but not including, 100.
            histogram.Call(stream, samples, output, (ulong)counts.Length, 0, 100, (ulong)grades.Length);
            stream.Sync();
            output.CopyTo(counts);
        }
        bool ok = counts.SequenceEqual(new[] { 2, 1, 2, 2, 1 });
        Console.WriteLine("grades {0} {1}", string.Join(" ", counts), ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
