// A partition by flags: the readings that another sensor has confirmed, and behind them the others, backwards.
// usage: mono ParallelPartitionFlagged.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelPartitionFlagged {
    private static int Main() {
        int[] hostReadings = { 21, 35, -4, 18, 40, 2, 31, -1 };
        int[] hostConfirmed = { 0, 1, 0, 1, 1, 0, 0, 1 };
        var foundParts = new int[8];
        var foundCount = new ulong[1];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer readings = device.Allocate(8 * sizeof(int)))
        using (Buffer confirmed = device.Allocate(8 * sizeof(int)))
        using (Buffer parts = device.Allocate(8 * sizeof(int)))
        using (Buffer count = device.Allocate(1 * sizeof(ulong)))
        using (ElementIterator inReadings = ElementIterator.Of<int>(readings))
        using (ElementIterator inConfirmed = ElementIterator.Of<int>(confirmed))
        using (var algorithm = new PartitionFlagged<int, int>(device, inReadings, inConfirmed)) {
            readings.CopyFrom(hostReadings);
            confirmed.CopyFrom(hostConfirmed);
            algorithm.Call(stream, inReadings, inConfirmed, parts, count, (ulong)hostReadings.Length);
            stream.Sync();
            parts.CopyTo(foundParts);
            count.CopyTo(foundCount);
        }
        bool ok = foundParts.SequenceEqual(new int[] { 35, 18, 40, -1, 31, 2, -4, 21 })
            && foundCount.SequenceEqual(new ulong[] { 4 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
