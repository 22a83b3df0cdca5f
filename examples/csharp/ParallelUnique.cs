// The first of each run of equal elements: what a sensor that repeats itself has to say.
// usage: mono ParallelUnique.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelUnique {
    private static int Main() {
        int[] hostReadings = { 1, 1, 4, 4, 4, 1, 7, 7 };
        var foundKept = new int[8];
        var foundCount = new ulong[1];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer readings = device.Allocate(8 * sizeof(int)))
        using (Buffer kept = device.Allocate(8 * sizeof(int)))
        using (Buffer count = device.Allocate(1 * sizeof(ulong)))
        using (ElementIterator inReadings = ElementIterator.Of<int>(readings))
        using (var isSame = new Operator(OpKind.EqualTo))
        using (var algorithm = new Unique<int>(device, inReadings, isSame)) {
            readings.CopyFrom(hostReadings);
            algorithm.Call(stream, inReadings, kept, count, (ulong)hostReadings.Length);
            stream.Sync();
            kept.CopyTo(foundKept);
            count.CopyTo(foundCount);
        }
        bool ok = foundKept.Take(4).SequenceEqual(new int[] { 1, 4, 1, 7 })
            && foundCount.SequenceEqual(new ulong[] { 4 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
