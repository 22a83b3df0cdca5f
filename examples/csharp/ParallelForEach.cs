// A call for each position: how often each remainder occurs, counted through an address in the operator's state.
// usage: mono ParallelForEach.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelForEach {
    private struct Target {
        public ulong counts;
    }

    private static int Main() {
        var found = new int[4];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer counts = device.Allocate(4 * sizeof(int)))
        using (ElementIterator positions = ElementIterator.Counting(0))
        using (Operator countRemainder = Operator.WithState(
            "atomicAdd(reinterpret_cast<int*>(counts) + a % 4, 1)", new Target { counts = counts.Handle }))
        using (var algorithm = new ForEach<int>(device, positions, countRemainder)) {
            counts.CopyFrom(new int[4]);
            algorithm.Call(stream, positions, 1000);
            stream.Sync();
            counts.CopyTo(found);
        }
        bool ok = found.SequenceEqual(new[] { 250, 250, 250, 250 });
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
