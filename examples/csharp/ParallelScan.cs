// Prefix sums: the running total before each element (exclusive), and the running maximum (inclusive).
// usage: mono ParallelScan.exe

using System;
using System.Linq;
using Cuprum;

internal static class ParallelScan {
    private static int Main() {
        int[] data = Enumerable.Range(0, 10000).Select(i => (int)(i * 7919L % 10007)).ToArray();
        long[] totals = Parallel.ExclusiveScan(data, 100L, (a, b) => a + b);
        int[] maxima = Parallel.InclusiveScan(data, (a, b) => Symbol.Max(a, b));

        bool ok = true;
        long total = 100;
        int maximum = 0;
        for (int i = 0; i < data.Length; ++i) {
            maximum = Math.Max(maximum, data[i]);
            ok = ok && totals[i] == total && maxima[i] == maximum;
            total += data[i];
        }
        Console.WriteLine(
            "total before the last {0}, maximum {1}: {2}", totals.Last(), maxima.Last(), ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
