// A polynomial whose coefficients are a kernel's __constant__ variable, in blocks of the size that fills the device.
// usage: mono ModuleGlobals.exe

using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ModuleGlobals {
    private const string Source = @"
extern ""C"" __constant__ float coefficients[3] = {0, 0, 0};
extern ""C"" __device__ unsigned int evaluations = 0;

extern ""C"" __global__ void polynomial(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = (coefficients[2] * x[i] + coefficients[1]) * x[i] + coefficients[0];
    atomicAdd(&evaluations, 1u);
}
";
    private const int N = 1000;

    private static int Main() {
        return Run() ? 0 : 1;
    }

    private static bool Run() {
        var device = new Device(0);
        // Variables are memory of the device: no kernel argument is needed.
        using (var program = new Program(Source))
        using (ObjectCode code = program.Compile())
        using (Kernel polynomial = code.GetKernel("polynomial"))
        using (GlobalVariable coefficients = code.GetGlobal(device, "coefficients"))
        using (GlobalVariable evaluations = code.GetGlobal(device, "evaluations"))
        using (Stream stream = device.CreateStream())
        using (Buffer x = device.Allocate((long)N * sizeof(float), stream)) {
            coefficients.SetValues(new float[] { 1, 2, 3 });
            int block = polynomial.MaxPotentialBlockSize(device, 0).MaxBlockSize;
            var values = new float[N];
            for (int i = 0; i < N; ++i) {
                values[i] = i;
            }
            x.CopyFrom(values, stream);
            stream.Launch(new LaunchConfig((N + block - 1) / block, block), polynomial, x, N);
            x.CopyTo(values, stream);
            uint count = evaluations.GetValue<uint>(stream);    // once the kernel is done

            bool ok = count == N;
            for (int i = 0; i < N; ++i) {
                float at = i;
                ok &= values[i] == (3 * at + 2) * at + 1;
            }
            Console.WriteLine("{0} values of a polynomial on {1}: {2}", count, device.Name, ok ? "ok" : "WRONG");
            return ok;
        }
    }
}
