// Two sources, compiled apart and linked: the kernel of one calls the __device__ function of the other.
// usage: mono Link.exe

using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class Link {
    private const string KernelSource = @"
__device__ int square(int x);  // defined in the other source

extern ""C"" __global__ void squares(int* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = square(values[i]);
}
";
    private const string FunctionSource = @"
__device__ int square(int x) { return x * x; }
";
    private const int N = 1000;

    private static int Main() {
        return Run() ? 0 : 1;
    }

    // Code that others are linked with is compiled as relocatable device code.
    private static ObjectCode Compile(string source, string name) {
        using (var program = new Program(source, new ProgramOptions { Name = name, RelocatableDeviceCode = true })) {
            return program.Compile(CodeType.Ptx);
        }
    }

    private static bool Run() {
        var device = new Device(0);
        using (ObjectCode kernel = Compile(KernelSource, "squares.cu"))
        using (ObjectCode function = Compile(FunctionSource, "square.cu"))
        using (var linker = new Linker(kernel, function))
        using (ObjectCode code = linker.Link(CodeType.Cubin))
        using (Kernel squares = code.GetKernel("squares"))
        using (Stream stream = device.CreateStream())
        using (Buffer valuesDevice = device.Allocate((long)N * sizeof(int), stream)) {
            var values = new int[N];
            for (int i = 0; i < N; ++i) {
                values[i] = i;
            }
            valuesDevice.CopyFrom(values, stream);
            stream.Launch(new LaunchConfig((N + 255) / 256, 256), squares, valuesDevice, N);
            valuesDevice.CopyTo(values, stream);
            stream.Sync();

            bool ok = true;
            for (int i = 0; i < N; ++i) {
                ok &= values[i] == i * i;
            }
            Console.WriteLine("{0} squares by a linked kernel on {1}: {2}", N, device.Name, ok ? "ok" : "WRONG");
            return ok;
        }
    }
}
