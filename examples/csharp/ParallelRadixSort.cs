// A radix sort by the bits of numbers: keys alone over an array, and on the device keys with values, largest first.
// usage: mono ParallelRadixSort.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelRadixSort {
    private static int Main() {
        int[] data = Enumerable.Range(0, 10000).Select(i => (int)(i * 7919L % 10007) - 5000).ToArray();
        var sorted = (int[])data.Clone();
        Parallel.Sort(sorted);

        var again = new int[data.Length];
        int[] positions = Enumerable.Range(0, data.Length).ToArray();
        ulong bytes = sizeof(int) * (ulong)data.Length;
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer keys = device.Allocate(bytes))
        using (Buffer keysOut = device.Allocate(bytes))
        using (Buffer values = device.Allocate(bytes))
        using (Buffer valuesOut = device.Allocate(bytes))
        using (var sort = new RadixSort<int, int>(device, SortOrder.Descending)) {
            keys.CopyFrom(data);
            values.CopyFrom(positions);
            sort.Call(stream, keys, keysOut, values, valuesOut, (ulong)data.Length);
            stream.Sync();
            valuesOut.CopyTo(positions);
            // Once more, between two buffers each: no other memory is needed for the keys and values.
            var between = new DoubleBuffer<Buffer>(values, valuesOut);
            sort.Call(stream, new DoubleBuffer<Buffer>(keys, keysOut), between, (ulong)data.Length);
            stream.Sync();
            between.Current.CopyTo(again);
        }
        bool ok = again.SequenceEqual(positions) && sorted.SequenceEqual(data.OrderBy(x => x))
            && positions.Select(i => data[i]).SequenceEqual(sorted.Reverse());
        Console.WriteLine("smallest {0}, largest {1}: {2}", sorted[0], sorted.Last(), ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
