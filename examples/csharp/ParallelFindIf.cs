// A search: when a level was first exceeded.
// usage: mono ParallelFindIf.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelFindIf {
    private static int Main() {
        int[] hostLevels = { 3, 5, 8, 12, 7, 15 };
        var foundFirst = new int[1];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer levels = device.Allocate(6 * sizeof(int)))
        using (Buffer first = device.Allocate(1 * sizeof(int)))
        using (ElementIterator inLevels = ElementIterator.Of<int>(levels))
        using (var isHigh = new Operator("a > 10"))
        using (var algorithm = new FindIf<int, int>(device, inLevels, isHigh)) {
            levels.CopyFrom(hostLevels);
            algorithm.Call(stream, inLevels, first, 6);
            stream.Sync();
            first.CopyTo(foundFirst);
        }
        bool ok = foundFirst.SequenceEqual(new int[] { 3 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
