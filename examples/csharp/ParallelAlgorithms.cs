// CUB's algorithms with lambdas as operators: over arrays in one call, and on the device, built once.
// usage: mono ParallelAlgorithms.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelAlgorithms {
    private static bool allOk = true;

    private static void Check(string what, bool ok) {
        Console.WriteLine("{0,-28} {1}", what, ok ? "ok" : "WRONG");
        allOk = allOk && ok;
    }

    private static void OnArrays() {
        int[] data = Enumerable.Range(0, 10000).Select(i => (int)(i * 7919L % 10007)).ToArray();
        Check("reduce", Parallel.Reduce(data, 0L, (a, b) => a + b) == data.Sum(x => (long)x));
        Check("argmin", Parallel.ArgMin(data) == 0);
        long[] sums = Parallel.ExclusiveScan(data, 0L, (a, b) => a + b);
        Check("exclusive scan", sums[9999] + data[9999] == data.Sum(x => (long)x));
        double[] roots = Parallel.Transform<int, double>(data, a => Symbol.Sqrt(a * 1.0));
        Check("transform", Math.Abs(roots[1] - Math.Sqrt(7919)) < 1e-9);
        Parallel.Sort(data, SortOrder.Descending);
        Check("radix sort", data.SequenceEqual(data.OrderByDescending(x => x)));
        Parallel.Sort(data, (a, b) => a % 100 < b % 100);
        Check("merge sort", data.SequenceEqual(data.OrderBy(x => x % 100)));
    }

    private static void OnTheDevice() {
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer output = device.Allocate(sizeof(long), stream))
        using (var plus = new Operator((a, b) => a + b))
        using (var square = new Operator("(long long)a * a"))
        using (ElementIterator counter = ElementIterator.Counting(1))
        using (ElementIterator squares = counter.Transform<long>(square))
        using (Algorithm sum = Algorithm.Reduction<long>(device, squares, plus)) {
            var result = new long[1];
            sum.Reduce(stream, squares, output, 1000, 0L);
            stream.Sync();
            output.CopyTo(result);
            Check("transform-reduce", result[0] == 333833500);
        }
    }

    private static int Main() {
        Console.WriteLine("on " + new Device(0).Name);
        OnArrays();
        OnTheDevice();
        return allOk ? 0 : 1;
    }
}
