using System;
using System.Diagnostics;
using Cuprum;

/// <summary>What a reduction and a sort over host data cost in C#, in one call.</summary>
internal static class OneShotCost {
    private static void Main() {
        Console.WriteLine("# C#");
        foreach (int count in new[] { 1000, 1 << 16, 1 << 20 }) {
            var data = new float[count];
            for (int i = 0; i < count; ++i) {
                data[i] = i;
            }
            int calls = count <= 1 << 16 ? 50 : 5;
            using (var plus = new Operator(OpKind.Plus)) {
                Print("reduce, C#", count, Microseconds(calls, () => Parallel.Reduce(data, 0f, plus)));
            }
            Print("sort, C#", count, Microseconds(calls, () => Parallel.Sort(data)));
        }
    }

    /// <summary>Of the fastest batch. The first call builds.</summary>
    private static double Microseconds(int calls, Action call) {
        double least = double.PositiveInfinity;
        for (int batch = 0; batch < 15; ++batch) {
            var watch = Stopwatch.StartNew();
            for (int i = 0; i < calls; ++i) {
                call();
            }
            least = Math.Min(least, watch.Elapsed.TotalMilliseconds * 1e3 / calls);
        }
        return least;
    }

    private static void Print(string what, int count, double cost) {
        Console.WriteLine(what + "\t" + count + "\t" + cost.ToString("0.0") + " us");
    }
}
