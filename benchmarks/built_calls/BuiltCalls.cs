using System;
using System.Diagnostics;
using System.Globalization;
using Cuprum;
using Buffer = Cuprum.Buffer;

/// <summary>Calls of built algorithms in C#, as built_calls.hpp says.</summary>
internal static class BuiltCalls {
    private const int Count = 1024;
    private const int Batches = 81;
    private const int Calls = 200;

    private static void Main() {
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(Count * sizeof(float)))
        using (Buffer output = device.Allocate(Count * sizeof(float)))
        using (ElementIterator elements = ElementIterator.Of<float>(input))
        using (var plus = new Operator(OpKind.Plus))
        using (var times = new Operator("a * a"))
        using (var reduce = new Reduce<float>(device, elements, plus))
        using (var scan = new Scan<float>(device, ScanKind.Inclusive, elements, plus))
        using (var square = new Transform<float>(device, elements, times))
        using (var sort = new RadixSort<float>(device, SortOrder.Ascending)) {
            input.CopyFrom(new float[Count]);
            Print("reduce", stream, () => reduce.Call(stream, elements, output, Count, 0f));
            Print("inclusive scan", stream, () => scan.Call(stream, elements, output, Count));
            Print("transform", stream, () => square.Call(stream, elements, output, Count));
            Print("radix sort", stream, () => sort.Call(stream, input, output, Count));
        }
    }

    private static void Print(string name, Stream stream, Action call) {
        double least = double.PositiveInfinity;
        for (int batch = 0; batch < Batches; ++batch) {
            var watch = Stopwatch.StartNew();
            for (int i = 0; i < Calls; ++i) {
                call();
            }
            least = Math.Min(least, watch.Elapsed.TotalMilliseconds * 1e3 / Calls);
            stream.Sync();
        }
        Console.WriteLine(name + "\t" + least.ToString("0.000", CultureInfo.InvariantCulture));
    }
}
