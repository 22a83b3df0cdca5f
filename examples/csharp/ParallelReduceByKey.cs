// A reduction by key: the readings of each sensor, added.
// usage: mono ParallelReduceByKey.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelReduceByKey {
    private static int Main() {
        int[] hostSensors = { 1, 1, 1, 4, 4, 7, 8, 8 };
        float[] hostReadings = { 0.5f, 0.5f, 1.0f, 2.5f, 2.0f, 3.5f, 4.0f, 4.5f };
        var foundKeys = new int[8];
        var foundSums = new float[8];
        var foundCount = new ulong[1];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer sensors = device.Allocate(8 * sizeof(int)))
        using (Buffer readings = device.Allocate(8 * sizeof(float)))
        using (Buffer keys = device.Allocate(8 * sizeof(int)))
        using (Buffer sums = device.Allocate(8 * sizeof(float)))
        using (Buffer count = device.Allocate(1 * sizeof(ulong)))
        using (ElementIterator inSensors = ElementIterator.Of<int>(sensors))
        using (ElementIterator inReadings = ElementIterator.Of<float>(readings))
        using (var plus = new Operator(OpKind.Plus))
        using (var isSame = new Operator(OpKind.EqualTo))
        using (var algorithm = new ReduceByKey<int, float>(device, inSensors, inReadings, plus, isSame)) {
            sensors.CopyFrom(hostSensors);
            readings.CopyFrom(hostReadings);
            algorithm.Call(stream, inSensors, inReadings, keys, sums, count, (ulong)hostSensors.Length);
            stream.Sync();
            keys.CopyTo(foundKeys);
            sums.CopyTo(foundSums);
            count.CopyTo(foundCount);
        }
        bool ok = foundKeys.Take(4).SequenceEqual(new int[] { 1, 4, 7, 8 })
            && foundSums.Take(4).SequenceEqual(new float[] { 2.0f, 4.5f, 3.5f, 8.5f })
            && foundCount.SequenceEqual(new ulong[] { 4 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
