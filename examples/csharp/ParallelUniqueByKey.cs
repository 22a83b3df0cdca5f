// Unique by key: the first of each run of equal keys, with its value; over arrays in one call, and on the device.
// usage: mono ParallelUniqueByKey.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelUniqueByKey {
    private static int Main() {
        // Sorted keys: the first of each is at a multiple of 7.
        int[] keys = Enumerable.Range(0, 10000).Select(i => i / 7).ToArray();
        int[] positions = Enumerable.Range(0, 10000).ToArray();
        int unique = (int)Parallel.UniqueByKey(keys, positions);

        var device = new Device(0);
        const ulong count = 100000;
        var starts = new long[count];
        var hundreds = new long[count];
        var selected = new ulong[1];
        using (Stream stream = device.CreateStream())
        using (Buffer keysOut = device.Allocate(sizeof(long) * count))
        using (Buffer valuesOut = device.Allocate(sizeof(long) * count))
        using (Buffer selectedCount = device.Allocate(sizeof(ulong)))
        // 0, 1, 2 and so on, which are in no memory, are equal where they are of the same hundred.
        using (ElementIterator counting = ElementIterator.Counting(0L))
        using (var hundred = new Operator("a / 100"))
        using (ElementIterator values = counting.Transform<long>(hundred))
        using (var isSameHundred = new Operator((a, b) => a / 100 == b / 100))
        using (var algorithm = new UniqueByKey<long, long>(device, counting, values, isSameHundred)) {
            algorithm.Call(stream, counting, values, keysOut, valuesOut, selectedCount, count);
            stream.Sync();
            keysOut.CopyTo(starts);
            valuesOut.CopyTo(hundreds);
            selectedCount.CopyTo(selected);
        }
        bool ok = unique == 1429 && keys.Take(unique).SequenceEqual(Enumerable.Range(0, unique))
            && positions.Take(unique).SequenceEqual(Enumerable.Range(0, unique).Select(i => 7 * i))
            && starts.Take((int)selected[0]).SequenceEqual(Enumerable.Range(0, 1000).Select(i => 100L * i))
            && hundreds.Take((int)selected[0]).SequenceEqual(Enumerable.Range(0, 1000).Select(i => (long)i));
        Console.WriteLine("{0} keys, {1} hundreds: {2}", unique, selected[0], ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
