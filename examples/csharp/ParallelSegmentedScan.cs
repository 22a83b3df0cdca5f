// A segmented scan: the running total of each account, whose bookings lie one after another.
// usage: mono ParallelSegmentedScan.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelSegmentedScan {
    private static int Main() {
        int[] hostAmounts = { 5, 10, -3, 7, 7, -4 };
        long[] hostBegins = { 0, 3, 3 };
        long[] hostEnds = { 3, 3, 6 };
        var foundBalances = new int[6];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer amounts = device.Allocate(6 * sizeof(int)))
        using (Buffer begins = device.Allocate(3 * sizeof(long)))
        using (Buffer ends = device.Allocate(3 * sizeof(long)))
        using (Buffer balances = device.Allocate(6 * sizeof(int)))
        using (ElementIterator inAmounts = ElementIterator.Of<int>(amounts))
        using (var plus = new Operator(OpKind.Plus))
        using (var algorithm = new SegmentedScan<int, long>(device, ScanKind.Inclusive, inAmounts, plus)) {
            amounts.CopyFrom(hostAmounts);
            begins.CopyFrom(hostBegins);
            ends.CopyFrom(hostEnds);
            algorithm.Call(stream, inAmounts, balances, 6, 3, begins, ends);
            stream.Sync();
            balances.CopyTo(foundBalances);
        }
        bool ok = foundBalances.SequenceEqual(new int[] { 5, 15, 12, 7, 14, 10 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
