// Virtual memory: a buffer grows, and what is in it stays without being copied.
// usage: mono VirtualMemory.exe

using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class VirtualMemory {
    private const string Source = @"
extern ""C"" __global__ void count_on(int* values, int from, int to) {
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < to) values[i] = i;
}
";
    private static readonly int[] Lengths = { 1000, 300000, 600000, 1500000 };

    private static int Main() {
        var device = new Device(0);
        int[] result;
        ulong unit;
        using (var program = new Program(Source, new ProgramOptions { Name = "count_on.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel countOn = code.GetKernel("count_on"))
        using (var resource = new VirtualMemoryResource(device))
        using (Stream stream = device.CreateStream()) {
            unit = resource.Granularity;
            result = Grow(resource, countOn, stream);
        }
        int wrong = 0;
        for (int i = 0; i < result.Length; ++i) {
            wrong += result[i] == i ? 0 : 1;
        }
        Console.WriteLine("a buffer that grew to {0} values, in units of {1} KiB, on {2}: {3} wrong", result.Length,
                          unit >> 10, device.Name, wrong);
        return wrong == 0 ? 0 : 1;
    }

    private static int[] Grow(VirtualMemoryResource resource, Kernel countOn, Stream stream) {
        Buffer values = resource.Allocate(0L, stream);
        try {
            int length = 0;
            foreach (int longer in Lengths) {
                values = resource.ModifyAllocation(values, (ulong)longer * sizeof(int));
                stream.Launch(LaunchConfig.ForNumElements(longer - length, 256), countOn, values, length, longer);
                length = longer;
            }
            var result = new int[length];
            values.CopyTo(result, stream);
            stream.Sync();
            return result;
        } finally {
            values.Dispose();
        }
    }
}
