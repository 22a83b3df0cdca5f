// Sum and product of two arrays: two kernels of one program, every copy and launch in the order of one stream.
// usage: mono Elementwise.exe

using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class Elementwise {
    private const string Source = @"
extern ""C"" __global__ void add(const float* a, const float* b, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = a[i] + b[i];
}
extern ""C"" __global__ void multiply(const float* a, const float* b, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = a[i] * b[i];
}
";
    private const int N = 1000000;
    private const int Block = 256;

    private static int Main() {
        var device = new Device(0);
        var a = new float[N];
        var b = new float[N];
        var sum = new float[N];
        var product = new float[N];
        for (int i = 0; i < N; ++i) {
            a[i] = i % 1009 / 1009f;
            b[i] = i % 2003 / 2003f - 0.5f;
        }
        using (var program = new Program(Source, new ProgramOptions { Name = "elementwise.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel add = code.GetKernel("add"))
        using (Kernel multiply = code.GetKernel("multiply"))
        using (Stream stream = device.CreateStream())
        using (Buffer aDevice = device.Allocate((long)N * sizeof(float), stream))
        using (Buffer bDevice = device.Allocate((long)N * sizeof(float), stream))
        using (Buffer resultDevice = device.Allocate((long)N * sizeof(float), stream)) {
            var config = new LaunchConfig((N + Block - 1) / Block, Block);
            aDevice.CopyFrom(a, stream);
            bDevice.CopyFrom(b, stream);
            stream.Launch(config, add, aDevice, bDevice, resultDevice, N);
            resultDevice.CopyTo(sum, stream);
            stream.Launch(config, multiply, aDevice, bDevice, resultDevice, N);
            resultDevice.CopyTo(product, stream);
            stream.Sync();
        }
        bool ok = true;
        for (int i = 0; i < N; ++i) {
            // The casts: C# may keep more precision than float has.
            ok &= sum[i] == (float)(a[i] + b[i]) && product[i] == (float)(a[i] * b[i]);
        }
        Console.WriteLine($"{N} sums and products on {device.Name}: {(ok ? "ok" : "WRONG")}");
        return ok ? 0 : 1;
    }
}
