// What a program does, for tools to see: ranges and marks of NVTX, which Nsight Systems and Cuprum's own trace show
// (cuprum trace -- mono ...); and how many objects are alive.
// usage: mono Ranges.exe

using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class Ranges {
    private const int N = 1000;

    // Whether that many streams and buffers more are alive.
    private static bool AreMore(IReadOnlyDictionary<string, ulong> before, ulong more) {
        IReadOnlyDictionary<string, ulong> now = CuprumLibrary.LiveObjects;
        return now["stream"] == before["stream"] + more && now["buffer"] == before["buffer"] + more;
    }

    private static int Main() {
        var device = new Device(0);
        var values = new int[N];
        int wrong = 0;
        IReadOnlyDictionary<string, ulong> before = CuprumLibrary.LiveObjects;
        using (Nvtx.Range("fill and copy"))
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(sizeof(int) * (ulong)N, stream)) {
            ulong copying = Nvtx.StartRange("copying");
            buffer.Fill(42, 4, stream);
            Nvtx.Mark("filled");
            stream.Sync();
            buffer.CopyTo(values);
            Nvtx.EndRange(copying);
            wrong += AreMore(before, 1) ? 0 : 1;
        }
        wrong += values.Count(each => each != 42);
        wrong += AreMore(before, 0) ? 0 : 1;
        Console.WriteLine("ranges on {0}: {1} wrong", device.Name, wrong);
        return wrong == 0 ? 0 : 1;
    }
}
