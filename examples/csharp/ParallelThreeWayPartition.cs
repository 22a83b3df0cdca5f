// A partition in three: hot, cold, and all other readings, each in their order.
// usage: mono ParallelThreeWayPartition.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelThreeWayPartition {
    private static int Main() {
        int[] readings = { 21, 35, -4, 18, 40, 2, 31, -1 };
        ulong size = sizeof(int) * (ulong)readings.Length;
        var hotReadings = new int[readings.Length];
        var counts = new ulong[2];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(size))
        using (Buffer hot = device.Allocate(size))
        using (Buffer cold = device.Allocate(size))
        using (Buffer mild = device.Allocate(size))
        using (Buffer deviceCounts = device.Allocate(2 * sizeof(ulong)))
        using (ElementIterator elements = ElementIterator.Of<int>(input))
        using (var isHot = new Operator(a => a > 30))
        using (var isCold = new Operator(a => a < 0))
        using (var partition = new ThreeWayPartition<int>(device, elements, isHot, isCold)) {
            input.CopyFrom(readings);
            partition.Call(stream, elements, hot, cold, mild, deviceCounts, (ulong)readings.Length);
            stream.Sync();
            hot.CopyTo(hotReadings);
            deviceCounts.CopyTo(counts);
        }
        bool ok = counts.SequenceEqual(new ulong[] { 3, 2 }) && hotReadings.Take(3).SequenceEqual(new[] { 35, 40, 31 });
        Console.WriteLine("{0} hot, {1} cold {2}", counts[0], counts[1], ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
