// A histogram of ranges: how many people are children, of working age, and older.
// usage: mono ParallelHistogramRange.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelHistogramRange {
    private static int Main() {
        int[] hostAges = { 3, 70, 35, 17, 18, 64, 65, 40 };
        int[] hostLevels = { 0, 18, 65, 150 };
        var foundPeople = new int[3];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer ages = device.Allocate(8 * sizeof(int)))
        using (Buffer levels = device.Allocate(4 * sizeof(int)))
        using (Buffer people = device.Allocate(3 * sizeof(int)))
        using (ElementIterator inAges = ElementIterator.Of<int>(ages))
        using (var algorithm = new HistogramRange<int, int, int>(device, inAges)) {
            ages.CopyFrom(hostAges);
            levels.CopyFrom(hostLevels);
            algorithm.Call(stream, inAges, levels, people, 3, 8);
            stream.Sync();
            people.CopyTo(foundPeople);
        }
        bool ok = foundPeople.SequenceEqual(new int[] { 2, 4, 2 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
