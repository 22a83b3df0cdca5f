// A partition: the readings of warm days, and behind them the others, backwards.
// usage: mono ParallelPartition.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelPartition {
    private static int Main() {
        int[] hostReadings = { 21, 35, -4, 18, 40, 2, 31, -1 };
        var foundParts = new int[8];
        var foundCount = new ulong[1];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer readings = device.Allocate(8 * sizeof(int)))
        using (Buffer parts = device.Allocate(8 * sizeof(int)))
        using (Buffer count = device.Allocate(1 * sizeof(ulong)))
        using (ElementIterator inReadings = ElementIterator.Of<int>(readings))
        using (var isWarm = new Operator(a => a > 20))
        using (var algorithm = new Partition<int>(device, inReadings, isWarm)) {
            readings.CopyFrom(hostReadings);
            algorithm.Call(stream, inReadings, parts, count, (ulong)hostReadings.Length);
            stream.Sync();
            parts.CopyTo(foundParts);
            count.CopyTo(foundCount);
        }
        bool ok = foundParts.SequenceEqual(new int[] { 21, 35, 40, 31, -1, 2, 18, -4 })
            && foundCount.SequenceEqual(new ulong[] { 4 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
