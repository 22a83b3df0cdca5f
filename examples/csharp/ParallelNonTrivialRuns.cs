// Runs of two and more equal elements: where a sensor begins to repeat itself, and how often it does.
// usage: mono ParallelNonTrivialRuns.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelNonTrivialRuns {
    private static int Main() {
        int[] hostReadings = { 5, 5, 5, 2, 7, 7, 5, 5 };
        var foundOffsets = new int[8];
        var foundLengths = new int[8];
        var foundCount = new ulong[1];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer readings = device.Allocate(8 * sizeof(int)))
        using (Buffer offsets = device.Allocate(8 * sizeof(int)))
        using (Buffer lengths = device.Allocate(8 * sizeof(int)))
        using (Buffer count = device.Allocate(1 * sizeof(ulong)))
        using (ElementIterator inReadings = ElementIterator.Of<int>(readings))
        using (var isSame = new Operator(OpKind.EqualTo))
        using (var algorithm = new NonTrivialRuns<int, int>(device, inReadings, isSame)) {
            readings.CopyFrom(hostReadings);
            algorithm.Call(stream, inReadings, offsets, lengths, count, (ulong)hostReadings.Length);
            stream.Sync();
            offsets.CopyTo(foundOffsets);
            lengths.CopyTo(foundLengths);
            count.CopyTo(foundCount);
        }
        bool ok = foundOffsets.Take(3).SequenceEqual(new int[] { 0, 4, 6 })
            && foundLengths.Take(3).SequenceEqual(new int[] { 3, 2, 2 })
            && foundCount.SequenceEqual(new ulong[] { 3 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
