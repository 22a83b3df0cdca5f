// A segmented reduction: the sum of each row of a matrix whose rows have different lengths.
// usage: mono ParallelSegmentedReduce.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelSegmentedReduce {
    private static int Main() {
        int[] data = Enumerable.Range(1, 10000).ToArray();
        long[] begins = { 0, 10, 10, 4000 };
        long[] ends = { 10, 10, 4000, 10000 };
        var sums = new long[begins.Length];

        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(sizeof(int) * (ulong)data.Length))
        using (Buffer deviceBegins = device.Allocate(sizeof(long) * (ulong)begins.Length))
        using (Buffer deviceEnds = device.Allocate(sizeof(long) * (ulong)ends.Length))
        using (Buffer output = device.Allocate(sizeof(long) * (ulong)sums.Length))
        using (ElementIterator elements = ElementIterator.Of<int>(input))
        using (var plus = new Operator(OpKind.Plus))
        using (var reduce = new SegmentedReduce<long, long>(device, elements, plus)) {
            input.CopyFrom(data);
            deviceBegins.CopyFrom(begins);
            deviceEnds.CopyFrom(ends);
            reduce.Call(stream, elements, output, (ulong)begins.Length, deviceBegins, deviceEnds, 0);
            stream.Sync();
            output.CopyTo(sums);
        }
        bool ok = true;
        for (int row = 0; row < sums.Length; ++row) {
            Console.WriteLine("row {0}: {1}", row, sums[row]);
            ok = ok && sums[row] == data.Skip((int)begins[row]).Take((int)(ends[row] - begins[row])).Sum();
        }
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
