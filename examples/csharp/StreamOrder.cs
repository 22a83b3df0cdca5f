// Streams that call functions of the program between their work, and that wait for words of memory and write them.
// usage: mono StreamOrder.exe

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class StreamOrder {
    private const uint Rounds = 5;

    private static int Main() {
        var device = new Device(0);
        var seen = new List<int>();
        using (var pinned = new LegacyPinnedMemoryResource())
        using (Stream stream = device.CreateStream())
        using (Buffer memory = pinned.Allocate(2 * sizeof(uint), stream))
        using (HostMemoryView words = memory.AsHostMemory()) {
            // A counter, and what the stream answers.
            Marshal.WriteInt32(words.Address, 0);

            // The whole of it is put into the stream at once, before any of it runs.
            for (uint round = 1; round <= Rounds; ++round) {
                stream.WaitValue32(memory, 0, round);
                stream.WriteValue32(memory, sizeof(uint), 10 * round);
                stream.LaunchHostFunction(() => seen.Add(Marshal.ReadInt32(words.Address, sizeof(uint))));
            }
            for (int round = 1; round <= Rounds; ++round) {
                Marshal.WriteInt32(words.Address, round);
            }
            stream.Sync();
        }
        int wrong = seen.Count == Rounds ? 0 : 1;
        for (int i = 0; i < seen.Count; ++i) {
            wrong += seen[i] == 10 * (i + 1) ? 0 : 1;
        }
        Console.WriteLine("{0} rounds of a stream and the CPU on {1}: {2} wrong", Rounds, device.Name, wrong);
        return wrong == 0 ? 0 : 1;
    }
}
