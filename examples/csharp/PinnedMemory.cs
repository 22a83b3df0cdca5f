// Page-locked host memory: the host fills it in place, copies in a stream return at once, and kernels use it too.
// usage: mono PinnedMemory.exe

using System;
using System.Runtime.InteropServices;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class PinnedMemory {
    private const string Source = @"
extern ""C"" __global__ void twice(float* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 2;
}
";
    private const int N = 100000;
    private const int Block = 256;

    private static int Main() {
        var device = new Device(0);
        var config = new LaunchConfig((N + Block - 1) / Block, Block);
        int wrong = 0;
        using (var program = new Program(Source, new ProgramOptions { Name = "twice.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel twice = code.GetKernel("twice"))
        using (var pinned = new LegacyPinnedMemoryResource())
        using (Stream stream = device.CreateStream())
        using (Buffer input = pinned.Allocate(N * sizeof(float), stream))
        using (Buffer output = pinned.Allocate(N * sizeof(float), stream))
        using (Buffer onDevice = device.Allocate(N * sizeof(float), stream))
        using (HostMemoryView values = input.AsHostMemory())
        using (HostMemoryView result = output.AsHostMemory()) {
            // Where there is Span<T>: values.AsSpan<float>().
            var numbers = new float[N];
            for (int i = 0; i < N; ++i) {
                numbers[i] = i;
            }
            Marshal.Copy(numbers, 0, values.Address, N);
            // None of these four waits for another, and this thread could do other work now.
            onDevice.CopyFrom(input, stream);
            stream.Launch(config, twice, onDevice, N);
            output.CopyFrom(onDevice, stream);
            stream.Launch(config, twice, output, N);    // on the host's memory itself
            stream.Sync();

            Marshal.Copy(result.Address, numbers, 0, N);
            for (int i = 0; i < N; ++i) {
                wrong += numbers[i] == 4.0f * i ? 0 : 1;
            }
        }
        Console.WriteLine("{0} values in page-locked memory on {1}: {2} wrong", N, device.Name, wrong);
        return wrong == 0 ? 0 : 1;
    }
}
