// Kernels in a row, each of which may start before the one in front has finished (programmatic dependent launch).
// usage: mono DependentLaunch.exe

using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class DependentLaunch {
    private const string Source = @"
extern ""C"" __global__ void add_one(float* values, int n) {
#if __CUDA_ARCH__ >= 900
    asm volatile(""griddepcontrol.wait;"" ::: ""memory"");  // for the results of the kernel in front
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}
";
    private const int N = 100000;
    private const int Block = 256;
    private const int Kernels = 10;

    private static int Main() {
        var device = new Device(0);
        LaunchConfig first = LaunchConfig.ForNumElements(N, Block);
        var dependent = new LaunchConfig(first.Grid, first.Block, programmaticStreamSerialization: true);
        int wrong = 0;
        using (var program = new Program(Source, new ProgramOptions { Name = "add_one.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel addOne = code.GetKernel("add_one"))
        using (Stream stream = device.CreateStream())
        using (Buffer values = device.Allocate(N * sizeof(float))) {
            var result = new float[N];
            values.CopyFrom(result);
            stream.Launch(first, addOne, values, N);
            for (int i = 1; i < Kernels; ++i) {
                stream.Launch(dependent, addOne, values, N);
            }
            stream.Sync();
            values.CopyTo(result);
            foreach (float value in result) {
                wrong += value == Kernels ? 0 : 1;
            }
        }
        Console.WriteLine("{0} kernels in a row on {1}: {2} of {3} values wrong", Kernels, device.Name, wrong, N);
        return wrong == 0 ? 0 : 1;
    }
}
