// Sorting data in host memory that is larger than the device's memory that the sort may take: it goes through in pieces.
// usage: mono ParallelLargerThanMemory.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelLargerThanMemory {
    private const ulong Limit = 1 << 20;    // bytes
    private const int N = (int)(2 * Limit / sizeof(int));    // twice as much

    private static int Main() {
        var limit = new DeviceMemory(new Device(0), Limit);
        var largest = new int[1];
        var found = new int[N];
        // Page-locked, so that copies in both directions and kernels run at once.
        using (var pageLocked = new LegacyPinnedMemoryResource())
        using (Buffer numbers = pageLocked.Allocate(N * sizeof(int)))
        using (Buffer target = pageLocked.Allocate(N * sizeof(int)))
        using (var maximum = new Operator(OpKind.Maximum))
        using (var reduce = new OutOfCore.Reduce<int, int>(limit, maximum))
        using (var sort = new OutOfCore.RadixSort<int>(limit, SortOrder.Ascending)) {
            numbers.CopyFrom(Enumerable.Range(0, N).Select(i => N - 1 - i).ToArray());
            reduce.Call(numbers, largest);
            sort.Call(numbers, target, numbers);    // the sorted runs may overwrite the input
            target.CopyTo(found);
        }
        bool ok = largest[0] == N - 1 && found.SequenceEqual(Enumerable.Range(0, N));
        Console.WriteLine("{0} bytes sorted with {1} of the device: {2}", 4L * N, Limit, ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
