// Prefix sums by key: what each customer has paid so far.
// usage: mono ParallelInclusiveScanByKey.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelInclusiveScanByKey {
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
        using (var algorithm = new InclusiveScanByKey<int, int>(device, inCustomers, inPayments, plus, isSame)) {
            customers.CopyFrom(hostCustomers);
            payments.CopyFrom(hostPayments);
            algorithm.Call(stream, inCustomers, inPayments, sums, (ulong)hostCustomers.Length);
            stream.Sync();
            sums.CopyTo(foundSums);
        }
        bool ok = foundSums.SequenceEqual(new int[] { 3, 4, 8, 1, 6, 9, 2, 8 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
