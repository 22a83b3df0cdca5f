// A merge of sorted keys with their values: two logs as one, by their times.
// usage: mono ParallelMergePairs.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelMergePairs {
    private static int Main() {
        int[] hostFirstTimes = { 1, 4, 9 };
        int[] hostFirstEvents = { 10, 11, 12 };
        int[] hostSecondTimes = { 2, 4 };
        int[] hostSecondEvents = { 20, 21 };
        var foundTimes = new int[5];
        var foundEvents = new int[5];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer firstTimes = device.Allocate(3 * sizeof(int)))
        using (Buffer firstEvents = device.Allocate(3 * sizeof(int)))
        using (Buffer secondTimes = device.Allocate(2 * sizeof(int)))
        using (Buffer secondEvents = device.Allocate(2 * sizeof(int)))
        using (Buffer times = device.Allocate(5 * sizeof(int)))
        using (Buffer events = device.Allocate(5 * sizeof(int)))
        using (ElementIterator inFirstTimes = ElementIterator.Of<int>(firstTimes))
        using (ElementIterator inFirstEvents = ElementIterator.Of<int>(firstEvents))
        using (ElementIterator inSecondTimes = ElementIterator.Of<int>(secondTimes))
        using (ElementIterator inSecondEvents = ElementIterator.Of<int>(secondEvents))
        using (var less = new Operator(OpKind.Less))
        using (var algorithm = new MergePairs<int, int>(device, inFirstTimes, inFirstEvents, inSecondTimes, inSecondEvents, less)) {
            firstTimes.CopyFrom(hostFirstTimes);
            firstEvents.CopyFrom(hostFirstEvents);
            secondTimes.CopyFrom(hostSecondTimes);
            secondEvents.CopyFrom(hostSecondEvents);
            algorithm.Call(stream, inFirstTimes, inFirstEvents, 3, inSecondTimes, inSecondEvents, 2, times, events);
            stream.Sync();
            times.CopyTo(foundTimes);
            events.CopyTo(foundEvents);
        }
        bool ok = foundTimes.SequenceEqual(new int[] { 1, 2, 4, 4, 9 })
            && foundEvents.SequenceEqual(new int[] { 10, 20, 11, 21, 12 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
