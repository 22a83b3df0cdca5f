// Binary search: which tax bracket each income is in, by the brackets' lower limits.
// usage: mono ParallelBinarySearch.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelBinarySearch {
    private static int Main() {
        int[] limits = { 0, 12000, 50000, 120000 };
        int[] incomes = { 49999, 50000, 0, 300000, 12001 };
        var brackets = new int[incomes.Length];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer deviceLimits = device.Allocate(sizeof(int) * (ulong)limits.Length))
        using (Buffer deviceIncomes = device.Allocate(sizeof(int) * (ulong)incomes.Length))
        using (ElementIterator data = ElementIterator.Of<int>(deviceLimits))
        using (ElementIterator values = ElementIterator.Of<int>(deviceIncomes))
        using (var less = new Operator(OpKind.Less))
        using (var search = new BinarySearch<int, int>(device, Bound.Upper, data, values, less)) {
            deviceLimits.CopyFrom(limits);
            deviceIncomes.CopyFrom(incomes);
            // How many limits are at most the income; written over the incomes.
            search.Call(stream, data, (ulong)limits.Length, values, deviceIncomes, (ulong)incomes.Length);
            stream.Sync();
            deviceIncomes.CopyTo(brackets);
        }
        bool ok = brackets.SequenceEqual(new[] { 2, 3, 1, 4, 2 });
        Console.WriteLine("brackets {0} {1}", string.Join(" ", brackets), ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
