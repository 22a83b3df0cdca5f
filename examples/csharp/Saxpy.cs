// y = a * x + y over n floats, compiled at run time. usage: mono Saxpy.exe [--row] [n]
// --row prints one tab-separated line: language, device, n, kernel milliseconds, largest error, ok.

using System;
using System.Globalization;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class Saxpy {
    private const string Source = @"
extern ""C"" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
";
    private const float A = 2.5f;
    private const int Block = 256;

    private static int Main(string[] arguments) {
        bool row = false;
        int n = 0;
        foreach (string argument in arguments) {
            if (argument == "--row") {
                row = true;
            } else {
                n = int.Parse(argument, CultureInfo.InvariantCulture);
            }
        }
        return Run(row, n) ? 0 : 1;
    }

    private static bool Run(bool row, int wantedSize) {
        var device = new Device(0);
        int n = wantedSize != 0 ? wantedSize : device.IsSimulator ? 1 << 20 : 1 << 26;
        long bytes = (long)n * sizeof(float);
        using (var program = new Program(Source, new ProgramOptions { Name = "saxpy.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel saxpy = code.GetKernel("saxpy"))
        using (Stream stream = device.CreateStream())
        using (Buffer x = device.Allocate(bytes))
        using (Buffer y = device.Allocate(bytes))
        using (Event start = device.CreateEvent(new EventOptions { TimingEnabled = true }))
        using (Event end = device.CreateEvent(new EventOptions { TimingEnabled = true })) {
            var hostX = new float[n];
            var hostY = new float[n];
            for (int i = 0; i < n; ++i) {
                hostX[i] = XOf(i);
                hostY[i] = YOf(i);
            }
            var config = new LaunchConfig((n + Block - 1) / Block, Block);

            // The first launch loads the code, so the second one is measured.
            x.CopyFrom(hostX, stream);
            y.CopyFrom(hostY, stream);
            stream.Launch(config, saxpy, A, x, y, n);
            y.CopyFrom(hostY, stream);
            stream.Record(start);
            stream.Launch(config, saxpy, A, x, y, n);
            stream.Record(end);
            stream.Sync();
            y.CopyTo(hostY, stream);
            stream.Sync();

            double maxError = 0;
            for (int i = 0; i < n; ++i) {
                double expected = (double)A * XOf(i) + YOf(i);
                maxError = Math.Max(maxError, Math.Abs(hostY[i] - expected));
            }
            bool ok = maxError <= 1e-5;
            string format = row ? "C#\t{0}\t{1}\t{2:0.000}\t{3:0.0e+00}\t{4}"
                                : "C# on {0}: saxpy over {1} floats took {2:0.000} ms, largest error {3:0.0e+00}: {4}";
            Console.WriteLine(string.Format(CultureInfo.InvariantCulture, format, device.Name, n, end - start, maxError,
                                            ok ? "ok" : "FAILED"));
            return ok;
        }
    }

    private static float XOf(int i) {
        return (i % 1000) * 0.5f;
    }

    private static float YOf(int i) {
        return i % 7;
    }
}
