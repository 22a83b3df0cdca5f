// A tensor map: a kernel transposes a matrix, a box of which the tensor memory accelerator brings to each block.
// usage: java -cp cuprum.jar:examples TensorMap

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Dimensions;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import io.cuprum.TensorMapDataType;
import io.cuprum.TensorMapDescriptor;
import io.cuprum.TensorMapDescriptorOptions;
import io.cuprum.TensorMapTensor;

public final class TensorMap {
    // A block's box lands in shared memory, at a multiple of 128 bytes; the barrier counts its bytes.
    // Elements outside of the matrix arrive, too, as zeros.
    private static final String SOURCE = """
            struct alignas(64) Map { char bytes[128]; };  // CUtensorMap

            extern "C" __global__ void transpose(const __grid_constant__ Map map, float* to, int rows, int columns) {
                __shared__ __align__(128) float box[32][32];
                __shared__ unsigned long long arrived;
                unsigned barrier = __cvta_generic_to_shared(&arrived);
                int x = 32 * blockIdx.x, y = 32 * blockIdx.y;
                if (threadIdx.x == 0 && threadIdx.y == 0) {
                    unsigned place = __cvta_generic_to_shared(box);
                    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
                    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory");
                    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                                 :: "r"(barrier), "r"((int)sizeof box) : "memory");
                    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                                 "[%0], [%1, {%2, %3}], [%4];"
                                 :: "r"(place), "l"(&map), "r"(x), "r"(y), "r"(barrier) : "memory");
                }
                __syncthreads();
                int done = 0;
                while (!done) {
                    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;"
                                 " selp.s32 %0, 1, 0, p; }"
                                 : "=r"(done) : "r"(barrier) : "memory");
                }
                int row = y + threadIdx.x, column = x + threadIdx.y;
                if (row < rows && column < columns) to[column * rows + row] = box[threadIdx.x][threadIdx.y];
            }
            """;
    private static final int ROWS = 200;
    private static final int COLUMNS = 300;    // a row is a multiple of 16 bytes
    private static final int SIDE = 32;

    private TensorMap() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        if (device.computeCapability().major() < 9) {
            System.out.printf("%s has no tensor maps, which came with compute capability 9.0%n", device.name());
            return;
        }
        float[] matrix = new float[ROWS * COLUMNS];
        for (int k = 0; k < matrix.length; ++k) {
            matrix[k] = k;
        }
        float[] result = new float[matrix.length];
        try (Program program = new Program(SOURCE, new ProgramOptions().name("transpose.cu"));
                ObjectCode code = program.compile();
                Kernel transpose = code.getKernel("transpose");
                Stream stream = device.createStream();
                Buffer from = device.allocate((long) matrix.length * Float.BYTES, stream);
                Buffer to = device.allocate((long) matrix.length * Float.BYTES, stream)) {
            from.copyFrom(matrix, stream);
            TensorMapDescriptor map = TensorMapDescriptor.tiled(device,
                    new TensorMapTensor(from, TensorMapDataType.FLOAT32, ROWS, COLUMNS), new int[] {SIDE, SIDE},
                    new TensorMapDescriptorOptions());
            LaunchConfig config = new LaunchConfig(
                    new Dimensions((COLUMNS + SIDE - 1) / SIDE, (ROWS + SIDE - 1) / SIDE, 1),
                    new Dimensions(SIDE, SIDE, 1));
            stream.launch(config, transpose, map, to, ROWS, COLUMNS);
            to.copyTo(result, stream);
            stream.sync();
        }
        int wrong = 0;
        for (int k = 0; k < matrix.length; ++k) {
            wrong += result[k % COLUMNS * ROWS + k / COLUMNS] == matrix[k] ? 0 : 1;
        }
        System.out.printf("a matrix of %d x %d transposed on %s: %d wrong%n", ROWS, COLUMNS, device.name(), wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }
}
