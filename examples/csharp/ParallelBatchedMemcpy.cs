// A batch of copies: the parts of a text in another order, in one call.
// usage: mono ParallelBatchedMemcpy.exe

using System;
using System.Text;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelBatchedMemcpy {
    private static int Main() {
        byte[] text = Encoding.ASCII.GetBytes("world hello ");
        var found = new byte[text.Length];
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer from = device.Allocate((ulong)text.Length))
        using (Buffer to = device.Allocate((ulong)text.Length))
        using (Buffer sources = device.Allocate(2 * sizeof(ulong)))
        using (Buffer targets = device.Allocate(2 * sizeof(ulong)))
        using (Buffer sizes = device.Allocate(2 * sizeof(int)))
        using (ElementIterator inSources = ElementIterator.Of<ulong>(sources))
        using (ElementIterator inTargets = ElementIterator.Of<ulong>(targets))
        using (ElementIterator inSizes = ElementIterator.Of<int>(sizes))
        using (var algorithm = new BatchedMemcpy<int>(device, inSources, inTargets, inSizes)) {
            from.CopyFrom(text);
            sources.CopyFrom(new[] { from.Handle, from.Handle + 6 });
            targets.CopyFrom(new[] { to.Handle + 6, to.Handle });
            sizes.CopyFrom(new[] { 6, 6 });
            algorithm.Call(stream, inSources, inTargets, inSizes, 2);
            stream.Sync();
            to.CopyTo(found);
        }
        bool ok = Encoding.ASCII.GetString(found) == "hello world ";
        Console.WriteLine(ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
