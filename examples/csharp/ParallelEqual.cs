// A comparison: whether two readings are the same but for a small error.
// usage: mono ParallelEqual.exe

using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelEqual {
    private static int Main() {
        int[] hostFirst = { 100, 205, 298 };
        int[] hostSecond = { 101, 204, 300 };
        var isSame = new byte[1];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer first = device.Allocate(3 * sizeof(int)))
        using (Buffer second = device.Allocate(3 * sizeof(int)))
        using (Buffer result = device.Allocate(1))
        using (ElementIterator inFirst = ElementIterator.Of<int>(first))
        using (ElementIterator inSecond = ElementIterator.Of<int>(second))
        using (var isNear = new Operator("abs(a - b) <= 2"))
        using (var algorithm = new Equal<int>(device, inFirst, inSecond, isNear)) {
            first.CopyFrom(hostFirst);
            second.CopyFrom(hostSecond);
            algorithm.Call(stream, inFirst, inSecond, result, 3);
            stream.Sync();
            result.CopyTo(isSame);
        }
        Console.WriteLine(isSame[0] == 1 ? "ok" : "WRONG");
        return isSame[0] == 1 ? 0 : 1;
    }
}
