// A run-length encoding: what a sensor says, and how often it repeats that.
// usage: mono ParallelRunLengthEncode.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelRunLengthEncode {
    private static int Main() {
        int[] hostReadings = { 5, 5, 5, 2, 7, 7, 5, 5 };
        var foundKept = new int[8];
        var foundLengths = new int[8];
        var foundCount = new ulong[1];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer readings = device.Allocate(8 * sizeof(int)))
        using (Buffer kept = device.Allocate(8 * sizeof(int)))
        using (Buffer lengths = device.Allocate(8 * sizeof(int)))
        using (Buffer count = device.Allocate(1 * sizeof(ulong)))
        using (ElementIterator inReadings = ElementIterator.Of<int>(readings))
        using (var isSame = new Operator(OpKind.EqualTo))
        using (var algorithm = new RunLengthEncode<int, int>(device, inReadings, isSame)) {
            readings.CopyFrom(hostReadings);
            algorithm.Call(stream, inReadings, kept, lengths, count, (ulong)hostReadings.Length);
            stream.Sync();
            kept.CopyTo(foundKept);
            lengths.CopyTo(foundLengths);
            count.CopyTo(foundCount);
        }
        bool ok = foundKept.Take(4).SequenceEqual(new int[] { 5, 2, 7, 5 })
            && foundLengths.Take(4).SequenceEqual(new int[] { 3, 1, 2, 2 })
            && foundCount.SequenceEqual(new ulong[] { 4 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
