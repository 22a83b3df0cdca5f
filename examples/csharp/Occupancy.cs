// What a kernel needs, and the launch that fills the device: its attributes, the best block size, and how many blocks
// run at once.
// usage: mono Occupancy.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class Occupancy {
    // Each block adds in shared memory, of which it needs as much as it has threads.
    private const string Source = @"
extern ""C"" __global__ void sum(const int* values, int n, int* result) {
    extern __shared__ int partial[];
    int own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += values[i];
    partial[threadIdx.x] = own;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < blockDim.x; ++i) own += partial[i];
        atomicAdd(result, own);
    }
}
";
    private const int N = 20000;
    private const int MostThreads = 128;    // one of them adds what the others have

    private static int Main() {
        return Run() ? 0 : 1;
    }

    private static bool Run() {
        var device = new Device(0);
        using (var program = new Program(Source, new ProgramOptions { Name = "sum.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel sum = code.GetKernel("sum"))
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(N * sizeof(int), stream))
        using (Buffer output = device.Allocate(sizeof(int), stream)) {
            sum.SetAttribute(device, KernelAttribute.PreferredSharedMemoryCarveout, 50);    // percent; a hint
            MaxPotentialBlockSizeOccupancyResult best =
                sum.MaxPotentialBlockSize(device, threads => (ulong)threads * sizeof(int), MostThreads);
            int block = best.MaxBlockSize;
            int sharedMemory = block * sizeof(int);
            int blocks = sum.MaxActiveBlocksPerMultiprocessor(device, block, (ulong)sharedMemory);

            input.CopyFrom(Enumerable.Range(0, N).ToArray(), stream);
            output.Fill(0, 4, stream);
            stream.Launch(new LaunchConfig(best.MinGridSize, block, sharedMemory), sum, input, N, output);
            var result = new int[1];
            output.CopyTo(result, stream);
            stream.Sync();

            bool right = result[0] == N / 2 * (N - 1) && block <= MostThreads && blocks > 0
                && best.MinGridSize <= blocks * device.Properties.MultiprocessorCount;
            Console.WriteLine("{0} registers, {1} blocks of {2} threads fill {3}, {4} on each multiprocessor: {5}",
                              sum.Attributes(device).NumRegs, best.MinGridSize, block, device.Name, blocks,
                              right ? "right" : "wrong");
            return right;
        }
    }
}
