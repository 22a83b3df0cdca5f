// Arg-min and arg-max: the first extreme element and where it is, over an array and on the device.
// usage: mono ParallelArgReduce.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelArgReduce {
    private static int Main() {
        int[] data = Enumerable.Range(5000, 10000).Select(i => (int)(i * 7919L % 10007)).ToArray();
        long smallest = Parallel.ArgMin(data);

        var device = new Device(0);
        var largest = new Indexed<int>[1];
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(sizeof(int) * (ulong)data.Length))
        using (Buffer output = device.Allocate(16))    // an Indexed<int>
        using (ElementIterator elements = ElementIterator.Of<int>(input))
        using (var find = new ArgReduce<int>(device, ArgKind.Maximum, elements)) {
            input.CopyFrom(data);
            find.Call(stream, elements, output, (ulong)data.Length);
            stream.Sync();
            output.CopyTo(largest);
        }
        bool ok = smallest == Array.IndexOf(data, data.Min()) && largest[0].Index == Array.IndexOf(data, data.Max())
            && largest[0].Value == data.Max();
        Console.WriteLine(
            "smallest at {0}, largest {1} at {2}: {3}", smallest, largest[0].Value, largest[0].Index,
            ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
