// The sum of an array: each block sums its part in dynamic shared memory, the host sums the blocks.
// usage: mono ArraySum.exe

using System;
using System.Globalization;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ArraySum {
    private const string Source = @"
extern ""C"" __global__ void array_sum(const float* input, float* block_sums, int n) {
    extern __shared__ float partial[];
    int thread = threadIdx.x;
    int i = blockIdx.x * blockDim.x + thread;
    partial[thread] = i < n ? input[i] : 0.0f;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride) partial[thread] += partial[thread + stride];
        __syncthreads();
    }
    if (thread == 0) block_sums[blockIdx.x] = partial[0];
}
";
    private const int N = 100000;
    private const int Block = 256; // a power of two: the stride is halved down to one
    private const int Blocks = (N + Block - 1) / Block;
    private const double Tolerance = 1e-5; // relative

    private static int Main() {
        var device = new Device(0);
        var values = new float[N];
        var blockSums = new float[Blocks];
        double expected = 0;
        for (int i = 0; i < N; ++i) {
            values[i] = i % 1009 / 1009f;
            expected += values[i];
        }
        using (var program = new Program(Source, new ProgramOptions { Name = "array_sum.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel kernel = code.GetKernel("array_sum"))
        using (Stream stream = device.CreateStream())
        using (Buffer valuesDevice = device.Allocate((long)N * sizeof(float), stream))
        using (Buffer blockSumsDevice = device.Allocate((long)Blocks * sizeof(float), stream)) {
            var config = new LaunchConfig(Blocks, Block, shmemSize: Block * sizeof(float));
            valuesDevice.CopyFrom(values, stream);
            stream.Launch(config, kernel, valuesDevice, blockSumsDevice, N);
            blockSumsDevice.CopyTo(blockSums, stream);
            stream.Sync();
        }
        double result = 0;
        foreach (float blockSum in blockSums) {
            result += blockSum;
        }
        bool ok = Math.Abs(result - expected) <= Tolerance * expected;
        Console.WriteLine(string.Format(CultureInfo.InvariantCulture,
                                        "sum of {0} floats on {1}: {2:0.000}, expected {3:0.000}: {4}", N, device.Name,
                                        result, expected, ok ? "ok" : "WRONG"));
        return ok ? 0 : 1;
    }
}
