// Differences of neighbours: how much a meter has counted between two readings.
// usage: mono ParallelAdjacentDifference.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelAdjacentDifference {
    private static int Main() {
        int[] hostReadings = { 3, 5, 10, 10, 18, 20 };
        var foundDifferences = new int[6];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer readings = device.Allocate(6 * sizeof(int)))
        using (Buffer differences = device.Allocate(6 * sizeof(int)))
        using (ElementIterator inReadings = ElementIterator.Of<int>(readings))
        using (var minus = new Operator(OpKind.Minus))
        using (var algorithm = new AdjacentDifference<int>(device, Neighbour.Left, inReadings, minus)) {
            readings.CopyFrom(hostReadings);
            algorithm.Call(stream, inReadings, differences, (ulong)hostReadings.Length);
            stream.Sync();
            differences.CopyTo(foundDifferences);
        }
        bool ok = foundDifferences.SequenceEqual(new int[] { 3, 2, 5, 0, 8, 2 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
