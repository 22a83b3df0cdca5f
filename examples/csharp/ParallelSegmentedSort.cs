// A segmented sort: the scores of each group in descending order, and whose they are.
// usage: mono ParallelSegmentedSort.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelSegmentedSort {
    private static int Main() {
        int[] scores = { 12, 40, 31, 7, 25, 18, 3 };
        int[] players = { 0, 1, 2, 3, 4, 5, 6 };
        ulong count = (ulong)scores.Length;
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer keys = device.Allocate(sizeof(int) * count))
        using (Buffer values = device.Allocate(sizeof(int) * count))
        using (Buffer best = device.Allocate(sizeof(int) * count))
        using (Buffer whose = device.Allocate(sizeof(int) * count))
        using (Buffer begins = device.Allocate(2 * sizeof(long)))
        using (Buffer ends = device.Allocate(2 * sizeof(long)))
        using (var sort = new SegmentedSort<int, int, long>(device, SortOrder.Descending)) {
            keys.CopyFrom(scores);
            values.CopyFrom(players);
            begins.CopyFrom(new long[] { 0, 3 });
            ends.CopyFrom(new long[] { 3, 7 });
            sort.Call(stream, keys, best, values, whose, count, 2, begins, ends);
            stream.Sync();
            best.CopyTo(scores);
            whose.CopyTo(players);
        }
        bool ok = scores.SequenceEqual(new[] { 40, 31, 12, 25, 18, 7, 3 })
            && players.SequenceEqual(new[] { 1, 2, 0, 4, 5, 3, 6 });
        Console.WriteLine("scores {0} {1}", string.Join(" ", scores), ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
