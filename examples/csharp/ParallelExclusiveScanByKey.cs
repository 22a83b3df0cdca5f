// Prefix sums by key, without the element itself: what each customer had paid before, and 100 of credit.
// usage: mono ParallelExclusiveScanByKey.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelExclusiveScanByKey {
    private static int Main() {
        int[] hostCustomers = { 1, 1, 1, 4, 4, 7, 8, 8 };
        int[] hostPayments = { 3, 1, 4, 1, 5, 9, 2, 6 };
        var foundSums = new int[8];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer customers = device.Allocate(8 * sizeof(int)))
        using (Buffer payments = device.Allocate(8 * sizeof(int)))
        using (Buffer sums = device.Allocate(8 * sizeof(int)))
        using (ElementIterator inCustomers = ElementIterator.Of<int>(customers))
        using (ElementIterator inPayments = ElementIterator.Of<int>(payments))
        using (var plus = new Operator(OpKind.Plus))
        using (var isSame = new Operator(OpKind.EqualTo))
        using (var algorithm = new ExclusiveScanByKey<int, int>(device, inCustomers, inPayments, plus, isSame)) {
            customers.CopyFrom(hostCustomers);
            payments.CopyFrom(hostPayments);
            algorithm.Call(stream, inCustomers, inPayments, sums, (ulong)hostCustomers.Length, 100);
            stream.Sync();
            sums.CopyTo(foundSums);
        }
        bool ok = foundSums.SequenceEqual(new int[] { 100, 103, 104, 100, 101, 100, 100, 102 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
