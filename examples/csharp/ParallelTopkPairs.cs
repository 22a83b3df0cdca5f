// The top key with its value: who is the cheapest.
// usage: mono ParallelTopkPairs.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelTopkPairs {
    private static int Main() {
        int[] hostPrices = { 70, 42, 31, 55 };
        int[] hostShops = { 1, 2, 3, 4 };
        var foundLowest = new int[1];
        var foundCheapest = new int[1];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer prices = device.Allocate(4 * sizeof(int)))
        using (Buffer shops = device.Allocate(4 * sizeof(int)))
        using (Buffer lowest = device.Allocate(1 * sizeof(int)))
        using (Buffer cheapest = device.Allocate(1 * sizeof(int)))
        using (ElementIterator inPrices = ElementIterator.Of<int>(prices))
        using (ElementIterator inShops = ElementIterator.Of<int>(shops))
        using (var algorithm = new TopkPairs<int, int>(device, SortOrder.Ascending, inPrices, inShops)) {
            prices.CopyFrom(hostPrices);
            shops.CopyFrom(hostShops);
            algorithm.Call(stream, inPrices, inShops, lowest, cheapest, 1, 4);
            stream.Sync();
            lowest.CopyTo(foundLowest);
            cheapest.CopyTo(foundCheapest);
        }
        bool ok = foundLowest.SequenceEqual(new int[] { 31 })
            && foundCheapest.SequenceEqual(new int[] { 3 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
