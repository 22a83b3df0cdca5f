// Both extremes in one sweep: between which temperatures a day was.
// usage: mono ParallelMinMax.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelMinMax {
    private static int Main() {
        float[] hostTemperatures = { 3.5f, -1.25f, 8.0f, 12.75f, 6.5f };
        var foundExtremes = new float[2];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer temperatures = device.Allocate(5 * sizeof(float)))
        using (Buffer extremes = device.Allocate(2 * sizeof(float)))
        using (ElementIterator inTemperatures = ElementIterator.Of<float>(temperatures))
        using (var algorithm = new MinMax<float>(device, inTemperatures)) {
            temperatures.CopyFrom(hostTemperatures);
            algorithm.Call(stream, inTemperatures, extremes, 5);
            stream.Sync();
            extremes.CopyTo(foundExtremes);
        }
        bool ok = foundExtremes.SequenceEqual(new float[] { -1.25f, 12.75f });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
