// A checkpoint of this process: while its GPU memory is in the host's, it holds no GPU, which others may use. A GPU's driver
// leaves that to another process; there this one says so.
// usage: mono Checkpoint.exe

using System;
using System.Diagnostics;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;
using ProcessState = Cuprum.ProcessState;

internal static class Checkpoint {
    private const int N = 1000;

    private static int Main() {
        var device = new Device(0);
        if (!device.IsSimulator) {
            Console.WriteLine("checkpoint on {0}: has to be made by another process", device.Name);
            return 0;
        }
        var values = new int[N];
        int wrong = 0;
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(sizeof(int) * (ulong)N, stream)) {
            buffer.Fill(42, 4, stream);
            stream.Sync();

            var process = new CheckpointProcess(Process.GetCurrentProcess().Id);
            process.Lock();    // from here on every other call of CUDA waits
            process.Checkpoint();    // the GPU is free
            wrong += process.State == ProcessState.Checkpointed ? 0 : 1;
            process.Restore();
            process.Unlock();

            buffer.CopyTo(values);
        }
        wrong += values.Count(each => each != 42);
        Console.WriteLine("checkpoint on {0}: {1} wrong", device.Name, wrong);
        return wrong == 0 ? 0 : 1;
    }
}
