// A cooperative launch: all blocks of the kernel run at once, and wait for each other halfway. And clusters of blocks,
// where the device has them.
// usage: mono CooperativeLaunch.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class CooperativeLaunch {
    private const string Source = @"
extern ""C"" __global__ void reverse_twice(int* middle, int* result, unsigned int* arrived, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    middle[i] = 2 * i;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {  // a barrier for the whole grid
        atomicAdd(arrived, 1u);
        while (*(volatile unsigned int*)arrived < gridDim.x) {}
        __threadfence();
    }
    __syncthreads();
    result[i] = ((volatile int*)middle)[n - 1 - i];  // which another block has written
}

extern ""C"" __global__ void rank_in_cluster(int* ranks) {
    unsigned int rank = 0;
#if __CUDA_ARCH__ >= 900
    asm(""mov.u32 %0, %%cluster_ctarank;"" : ""=r""(rank));
#endif
    if (threadIdx.x == 0) ranks[blockIdx.x] = rank;
}
";
    private const int Blocks = 8;
    private const int Threads = 64;
    private const int N = Blocks * Threads;
    private const int ClusterLaunch = 120;    // CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH

    private static int Main() {
        var device = new Device(0);
        bool hasClusters = device.Attribute(ClusterLaunch) != 0;
        int wrong;
        using (var program = new Program(Source, new ProgramOptions { Name = "cooperative.cu" }))
        using (ObjectCode code = program.Compile())
        using (Stream stream = device.CreateStream()) {
            wrong = WrongAfterCooperation(device, code, stream);
            if (hasClusters) {
                wrong += WrongInClusters(device, code, stream);
            }
        }
        Console.WriteLine("{0} blocks that wait for each other{1} on {2}: {3} wrong", Blocks,
                          hasClusters ? ", and clusters of 2," : " (it has no clusters)", device.Name, wrong);
        return wrong == 0 ? 0 : 1;
    }

    private static int WrongAfterCooperation(Device device, ObjectCode code, Stream stream) {
        var result = new int[N];
        using (Kernel kernel = code.GetKernel("reverse_twice"))
        using (Buffer middle = device.Allocate(N * sizeof(int), stream))
        using (Buffer output = device.Allocate(N * sizeof(int), stream))
        using (Buffer arrived = device.Allocate(sizeof(uint), stream)) {
            arrived.Fill(0, 4, stream);
            var config = new LaunchConfig(Blocks, Threads, isCooperative: true);
            stream.Launch(config, kernel, middle, output, arrived, N);
            output.CopyTo(result, stream);
            stream.Sync();
        }
        return Enumerable.Range(0, N).Count(i => result[i] != 2 * (N - 1 - i));
    }

    private static int WrongInClusters(Device device, ObjectCode code, Stream stream) {
        var result = new int[Blocks];
        using (Kernel kernel = code.GetKernel("rank_in_cluster"))
        using (Buffer ranks = device.Allocate(Blocks * sizeof(int), stream)) {
            // The grid counts clusters.
            stream.Launch(new LaunchConfig(Blocks / 2, Threads, cluster: 2), kernel, ranks);
            ranks.CopyTo(result, stream);
            stream.Sync();
        }
        return Enumerable.Range(0, Blocks).Count(i => result[i] != i % 2);
    }
}
