// The top keys: the three best scores, which come in no particular order.
// usage: mono ParallelTopkKeys.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelTopkKeys {
    private static int Main() {
        int[] hostScores = { 7, 42, 3, 42, 19, 42 };
        var foundBest = new int[3];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer scores = device.Allocate(6 * sizeof(int)))
        using (Buffer best = device.Allocate(3 * sizeof(int)))
        using (ElementIterator inScores = ElementIterator.Of<int>(scores))
        using (var algorithm = new TopkKeys<int>(device, SortOrder.Descending, inScores)) {
            scores.CopyFrom(hostScores);
            algorithm.Call(stream, inScores, best, 3, 6);
            stream.Sync();
            best.CopyTo(foundBest);
        }
        bool ok = foundBest.SequenceEqual(new int[] { 42, 42, 42 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
