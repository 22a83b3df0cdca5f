// Many copies in one call: pieces of the program's own memory, which is page-locked where it lies, go to a device and
// come back.
// usage: mono CopyBatches.exe

using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class CopyBatches {
    private const int Pieces = 20;
    private const int Unit = 1000;    // piece i has (i + 1) * Unit numbers
    private const int N = Pieces * (Pieces + 1) / 2 * Unit;

    private static int Main() {
        var device = new Device(0);
        int[] values = Enumerable.Range(0, N).ToArray();
        var result = new int[N];
        using (Buffer source = Buffer.RegisterHostMemory(values))
        using (Buffer target = Buffer.RegisterHostMemory(result))
        using (Stream stream = device.CreateStream()) {
            List<Buffer> from = PiecesOf(source, device);
            List<Buffer> to = PiecesOf(target, device);
            List<Buffer> onDevice = from.Select(piece => device.Allocate(piece.Size, stream)).ToList();

            Batch.Copy(stream, from, onDevice);
            Batch.Copy(stream, onDevice, to, new CopyOptions { PreferOverlapWithCompute = true });
            stream.Sync();

            foreach (Buffer buffer in onDevice.Concat(to).Concat(from)) {
                buffer.Dispose();
            }
        }
        bool right = result.SequenceEqual(values);
        Console.WriteLine("{0} buffers copied in one call on {1}: {2}", Pieces, device.Name, right ? "right" : "wrong");
        return right ? 0 : 1;
    }

    private static List<Buffer> PiecesOf(Buffer memory, Device device) {
        var found = new List<Buffer>();
        ulong offset = 0;
        for (int i = 1; i <= Pieces; ++i) {
            ulong size = (ulong)i * Unit * sizeof(int);
            found.Add(Buffer.FromHandle(device, memory.Handle + offset, size));
            offset += size;
        }
        return found;
    }
}
