// C = A * B with one thread for each element of C, in a two-dimensional grid. usage: mono MatrixMultiply.exe

using System;
using System.Globalization;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class MatrixMultiply {
    private const string Source = @"
extern ""C"" __global__ void matrix_multiply(const float* a, const float* b, float* c,
                                           int rows, int inner, int columns) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || column >= columns) return;
    float sum = 0;
    for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
    c[row * columns + column] = sum;
}
";
    // No multiples of the block: its edges are tested too.
    private const int Rows = 1000;
    private const int Inner = 1000;
    private const int Columns = 1000;
    private const int Block = 16;
    private const double Tolerance = 1e-2; // Inner roundings of sums of about 250

    private static int Main() {
        var device = new Device(0);
        var a = new float[Rows * Inner];
        var b = new float[Inner * Columns];
        var c = new float[Rows * Columns];
        for (int i = 0; i < a.Length; ++i) {
            a[i] = i % 1009 / 1009f;
        }
        for (int i = 0; i < b.Length; ++i) {
            b[i] = i % 2003 / 2003f;
        }
        using (var program = new Program(Source, new ProgramOptions { Name = "matrix_multiply.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel kernel = code.GetKernel("matrix_multiply"))
        using (Stream stream = device.CreateStream())
        using (Buffer aDevice = device.Allocate((long)a.Length * sizeof(float), stream))
        using (Buffer bDevice = device.Allocate((long)b.Length * sizeof(float), stream))
        using (Buffer cDevice = device.Allocate((long)c.Length * sizeof(float), stream)) {
            var config = new LaunchConfig(new Dimensions((Columns + Block - 1) / Block, (Rows + Block - 1) / Block),
                                          new Dimensions(Block, Block));
            aDevice.CopyFrom(a, stream);
            bDevice.CopyFrom(b, stream);
            stream.Launch(config, kernel, aDevice, bDevice, cDevice, Rows, Inner, Columns);
            cDevice.CopyTo(c, stream);
            stream.Sync();
        }
        double maxError = 0;
        // Every ninth row, so that all positions in a block are met.
        for (int row = 0; row < Rows; row += 9) {
            for (int column = 0; column < Columns; ++column) {
                double expected = 0;
                for (int k = 0; k < Inner; ++k) {
                    expected += (double)a[row * Inner + k] * b[k * Columns + column];
                }
                maxError = Math.Max(maxError, Math.Abs(expected - c[row * Columns + column]));
            }
        }
        bool ok = maxError <= Tolerance;
        Console.WriteLine(string.Format(CultureInfo.InvariantCulture,
                                        "{0}x{1} times {1}x{2} on {3}: max error {4:0.0e+00}: {5}", Rows, Inner, Columns,
                                        device.Name, maxError, ok ? "ok" : "WRONG"));
        return ok ? 0 : 1;
    }
}
