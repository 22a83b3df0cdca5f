// Algorithms over data that is spread over several devices: each has a shard of it. With one device it has all.
// usage: mono ParallelSeveralDevices.exe

using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum;

internal static class ParallelSeveralDevices {
    private const int Each = 5000;

    // As many numbers on each device, in memory of that device.
    private static Shard[] Allocate(IEnumerable<Device> devices, ulong count) {
        return devices.Select(device => Shard.Of<int>(device.Allocate(count * sizeof(int)))).ToArray();
    }

    private static int Main() {
        IReadOnlyList<Device> devices = Device.GetAllDevices();
        int n = devices.Count * Each;
        // n - 1, n - 2, ... 0
        Shard[] numbers = Allocate(devices, Each);
        for (int rank = 0; rank < numbers.Length; ++rank) {
            numbers[rank].Memory.CopyFrom(
                Enumerable.Range(rank * Each, Each).Select(number => n - 1 - number).ToArray());
        }
        Shard[] maxima = Allocate(devices, 1);

        using (var communicator = new Communicator(devices))
        using (var maximum = new Operator(OpKind.Maximum))
        using (var reduce = new Distributed.Reduce<int, int>(communicator, maximum))
        using (var sort = new Distributed.RadixSort<int>(communicator, SortOrder.Ascending)) {
            reduce.Call(numbers, maxima);
            sort.Call(numbers, numbers);    // in place
        }

        bool ok = true;
        for (int rank = 0; rank < numbers.Length; ++rank) {
            var shard = new int[Each];
            var largest = new int[1];
            numbers[rank].Memory.CopyTo(shard);
            maxima[rank].Memory.CopyTo(largest);
            ok = ok && largest[0] == n - 1 && shard.SequenceEqual(Enumerable.Range(rank * Each, Each));
            numbers[rank].Memory.Dispose();
            maxima[rank].Memory.Dispose();
        }
        Console.WriteLine("{0} numbers sorted by {1} device(s): {2}", n, devices.Count, ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
