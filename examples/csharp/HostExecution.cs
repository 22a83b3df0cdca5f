// The parallel algorithms on the host's own cores: real data, no GPU, no driver.
// usage: mono HostExecution.exe

using System;
using System.Linq;
using Cuprum;

public static class HostExecution {
    private static bool allOk = true;

    private static void Check(string what, bool ok) {
        Console.WriteLine("{0,-28} {1}", what, ok ? "ok" : "WRONG");
        allOk = allOk && ok;
    }

    public static int Main() {
        int[] data = Enumerable.Range(0, 1000000).Select(i => (int)(i * 7919L % 1000003)).ToArray();
        long sum = data.Sum(x => (long)x);
        Check("reduce", Parallel.Reduce(data, 0L, "a + b", Execution.Host) == sum);
        Check("argmax", data[Parallel.ArgMax(data, Execution.Host)] == data.Max());
        Check("exclusive scan", Parallel.ExclusiveScan(data, 0L, "plus", Execution.Host)[999999] + data[999999] == sum);
        int[] positions = Enumerable.Range(0, data.Length).ToArray();
        int[] keys = (int[])data.Clone();
        Parallel.SortByKey(keys, positions, SortOrder.Descending, Execution.Host);
        int[] sorted = data.OrderByDescending(x => x).ToArray();
        Check("sort by key", keys.SequenceEqual(sorted) && data[positions[0]] == sorted[0]);

        // Built once, called as often as wanted.
        var minima = new int[data.Length];
        using (ElementIterator ints = ElementIterator.Of<int>())
        using (var minimum = new Operator(OpKind.Minimum))
        using (var scan = new Scan<int>(Execution.Host, ScanKind.Inclusive, ints, minimum)) {
            scan.Call(data, minima);
            int smallest = int.MaxValue;
            Check("running minimum", data.Select(x => smallest = Math.Min(smallest, x)).SequenceEqual(minima));
            scan.Call(keys, minima);
            Check("of sorted elements", keys.SequenceEqual(minima));
        }
        return allOk ? 0 : 1;
    }
}
