// A merge of sorted keys: the times of two logs in one order.
// usage: mono ParallelMergeKeys.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelMergeKeys {
    private static int Main() {
        int[] hostFirst = { 1, 4, 9, 12 };
        int[] hostSecond = { 2, 4, 20 };
        var foundMerged = new int[7];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer first = device.Allocate(4 * sizeof(int)))
        using (Buffer second = device.Allocate(3 * sizeof(int)))
        using (Buffer merged = device.Allocate(7 * sizeof(int)))
        using (ElementIterator inFirst = ElementIterator.Of<int>(first))
        using (ElementIterator inSecond = ElementIterator.Of<int>(second))
        using (var less = new Operator(OpKind.Less))
        using (var algorithm = new MergeKeys<int>(device, inFirst, inSecond, less)) {
            first.CopyFrom(hostFirst);
            second.CopyFrom(hostSecond);
            algorithm.Call(stream, inFirst, 4, inSecond, 3, merged);
            stream.Sync();
            merged.CopyTo(foundMerged);
        }
        bool ok = foundMerged.SequenceEqual(new int[] { 1, 2, 4, 4, 9, 12, 20 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
