// A tensor map: a kernel transposes a matrix, a box of which the tensor memory accelerator brings to each block.
// usage: mono TensorMap.exe

using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class TensorMap {
    // A block's box lands in shared memory, at a multiple of 128 bytes; the barrier counts its bytes.
    // Elements outside of the matrix arrive, too, as zeros.
    private const string Source = @"
struct alignas(64) Map { char bytes[128]; };  // CUtensorMap

extern ""C"" __global__ void transpose(const __grid_constant__ Map map, float* to, int rows, int columns) {
    __shared__ __align__(128) float box[32][32];
    __shared__ unsigned long long arrived;
    unsigned barrier = __cvta_generic_to_shared(&arrived);
    int x = 32 * blockIdx.x, y = 32 * blockIdx.y;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        unsigned place = __cvta_generic_to_shared(box);
        asm volatile(""mbarrier.init.shared::cta.b64 [%0], 1;"" :: ""r""(barrier) : ""memory"");
        asm volatile(""fence.mbarrier_init.release.cluster; fence.proxy.async;"" ::: ""memory"");
        asm volatile(""mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;""
                     :: ""r""(barrier), ""r""((int)sizeof box) : ""memory"");
        asm volatile(""cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes ""
                     ""[%0], [%1, {%2, %3}], [%4];""
                     :: ""r""(place), ""l""(&map), ""r""(x), ""r""(y), ""r""(barrier) : ""memory"");
    }
    __syncthreads();
    int done = 0;
    while (!done) {
        asm volatile(""{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;""
                     "" selp.s32 %0, 1, 0, p; }""
                     : ""=r""(done) : ""r""(barrier) : ""memory"");
    }
    int row = y + threadIdx.x, column = x + threadIdx.y;
    if (row < rows && column < columns) to[column * rows + row] = box[threadIdx.x][threadIdx.y];
}
";
    private const int Rows = 200;
    private const int Columns = 300;    // a row is a multiple of 16 bytes
    private const int Side = 32;

    private static int Main() {
        var device = new Device(0);
        if (device.ComputeCapability.Major < 9) {
            Console.WriteLine("{0} has no tensor maps, which came with compute capability 9.0", device.Name);
            return 0;
        }
        var matrix = new float[Rows * Columns];
        for (int k = 0; k < matrix.Length; ++k) {
            matrix[k] = k;
        }
        var result = new float[matrix.Length];
        using (var program = new Program(Source, new ProgramOptions { Name = "transpose.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel transpose = code.GetKernel("transpose"))
        using (Stream stream = device.CreateStream())
        using (Buffer from = device.Allocate((ulong)matrix.Length * sizeof(float)))
        using (Buffer to = device.Allocate((ulong)matrix.Length * sizeof(float))) {
            from.CopyFrom(matrix);
            TensorMapDescriptor map = TensorMapDescriptor.Tiled(
                device, new TensorMapTensor(from, TensorMapDataType.Float32, Rows, Columns), new[] {Side, Side});
            var config = new LaunchConfig(new Dimensions((Columns + Side - 1) / Side, (Rows + Side - 1) / Side),
                                          new Dimensions(Side, Side));
            stream.Launch(config, transpose, map, to, Rows, Columns);
            stream.Sync();
            to.CopyTo(result);
        }
        int wrong = 0;
        for (int k = 0; k < matrix.Length; ++k) {
            wrong += result[k % Columns * Rows + k / Columns] == matrix[k] ? 0 : 1;
        }
        Console.WriteLine("a matrix of {0} x {1} transposed on {2}: {3} wrong", Rows, Columns, device.Name, wrong);
        return wrong == 0 ? 0 : 1;
    }
}
