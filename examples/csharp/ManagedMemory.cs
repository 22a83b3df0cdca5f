// Managed memory: pages are moved ahead of their use, advice says how they are used, and content that nobody needs any
// more is dropped instead of moved.
// usage: mono ManagedMemory.exe

using System;
using System.Linq;
using System.Runtime.InteropServices;
using Cuprum;

internal static class ManagedMemory {
    private const string Source = @"
extern ""C"" __global__ void look_up(const int* table, int* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = table[i % 256];
}
";
    private const int N = 100000;
    private const int TableSize = 256;

    private static int Main() {
        var device = new Device(0);
        string advice;
        var result = new int[N];
        using (var program = new Program(Source, new ProgramOptions { Name = "look_up.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel lookUp = code.GetKernel("look_up"))
        using (Stream stream = device.CreateStream())
        using (var managed = new ManagedMemoryResource())
        using (ManagedBuffer table = managed.Allocate(TableSize * sizeof(int), stream))
        using (ManagedBuffer values = managed.Allocate(N * sizeof(int), stream))
        using (HostMemoryView entries = table.AsHostMemory())
        using (HostMemoryView found = values.AsHostMemory()) {
            stream.Sync();    // before the host uses what was allocated in the stream
            Marshal.Copy(Enumerable.Range(0, TableSize).Select(i => i * i).ToArray(), 0, entries.Address, TableSize);
            advice = Advise(table, device);

            Batch.Prefetch(stream, new[] { table, values }, device);    // one location for all
            stream.Launch(LaunchConfig.ForNumElements(N, 256), lookUp, table, values, N);
            table.Discard(stream);    // it need not come back
            values.Prefetch(MemoryLocation.Host, stream);
            stream.Sync();
            Marshal.Copy(found.Address, result, 0, N);
        }
        int wrong = 0;
        for (int i = 0; i < N; ++i) {
            int entry = i % TableSize;
            wrong += result[i] == entry * entry ? 0 : 1;
        }
        Console.WriteLine("{0} values in managed memory {1} on {2}: {3} wrong", N, advice, device.Name, wrong);
        return wrong == 0 ? 0 : 1;
    }

    // Advice is a matter of speed alone. Drivers of CUDA 13.0 refuse it for the memory of a pool.
    private static string Advise(ManagedBuffer table, Device device) {
        try {
            table.IsReadMostly = true;
            table.PreferredLocation = device;
            return "with advice";
        } catch (UnsupportedException) {
            return "without advice";
        }
    }
}
