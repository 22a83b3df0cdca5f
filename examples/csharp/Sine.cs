// The sine of an array, in single and in double precision: one template, two instantiations, named as in C++.
// usage: mono Sine.exe

using System;
using System.Globalization;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class Sine {
    private const string Source = @"
template <typename Value> __global__ void sine(const Value* input, Value* output, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = sin(input[i]);
}
";
    private const int N = 1000000;
    private const int Block = 256;

    private static int Main() {
        var device = new Device(0);
        var floats = new float[N];
        var floatSines = new float[N];
        var doubles = new double[N];
        var doubleSines = new double[N];
        for (int i = 0; i < N; ++i) {
            doubles[i] = (double)i / N * 20 - 10;
            floats[i] = (float)doubles[i];
        }
        using (var program = new Program(Source, new ProgramOptions { Name = "sine.cu" }))
        using (ObjectCode code = program.Compile(CodeType.Native, "sine<float>", "sine<double>")) {
            Run(device, code, "sine<float>", floats, floatSines, sizeof(float));
            Run(device, code, "sine<double>", doubles, doubleSines, sizeof(double));
        }
        double maxFloatError = 0;
        double maxDoubleError = 0;
        for (int i = 0; i < N; ++i) {
            maxFloatError = Math.Max(maxFloatError, Math.Abs(Math.Sin(floats[i]) - floatSines[i]));
            maxDoubleError = Math.Max(maxDoubleError, Math.Abs(Math.Sin(doubles[i]) - doubleSines[i]));
        }
        // CUDA's sine is within 2 units in the last place; float.Epsilon is something else.
        bool ok = maxFloatError <= 2 * Math.Pow(2, -23) && maxDoubleError <= 2 * Math.Pow(2, -52);
        Console.WriteLine(string.Format(CultureInfo.InvariantCulture,
                                        "sines of {0} values on {1}: max error {2:0.0e+00} (float), {3:0.0e+00} (double): {4}",
                                        N, device.Name, maxFloatError, maxDoubleError, ok ? "ok" : "WRONG"));
        return ok ? 0 : 1;
    }

    // result = sin(values), by the instantiation of that name.
    private static void Run<T>(Device device, ObjectCode code, string name, T[] values, T[] result, int width)
        where T : struct {
        using (Kernel kernel = code.GetKernel(name))
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate((long)N * width, stream))
        using (Buffer output = device.Allocate((long)N * width, stream)) {
            input.CopyFrom(values, stream);
            stream.Launch(new LaunchConfig((N + Block - 1) / Block, Block), kernel, input, output, N);
            output.CopyTo(result, stream);
            stream.Sync();
        }
    }
}
