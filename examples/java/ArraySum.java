// The sum of an array: each block sums its part in dynamic shared memory, the host sums the blocks.
// usage: java -cp cuprum.jar:examples ArraySum

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Locale;

public final class ArraySum {
    private static final String SOURCE = """
            extern "C" __global__ void array_sum(const float* input, float* block_sums, int n) {
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
            """;
    private static final int N = 100_000;
    private static final int BLOCK = 256; // a power of two: the stride is halved down to one
    private static final int BLOCKS = (N + BLOCK - 1) / BLOCK;
    private static final double TOLERANCE = 1e-5; // relative

    private ArraySum() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        FloatBuffer values = hostFloats(N);
        FloatBuffer blockSums = hostFloats(BLOCKS);
        double expected = 0;
        for (int i = 0; i < N; ++i) {
            values.put(i, i % 1009 / 1009f);
            expected += values.get(i);
        }
        try (Program program = new Program(SOURCE, new ProgramOptions().name("array_sum.cu"));
                ObjectCode code = program.compile();
                Kernel kernel = code.getKernel("array_sum");
                Stream stream = device.createStream();
                Buffer valuesDevice = device.allocate((long) N * Float.BYTES, stream);
                Buffer blockSumsDevice = device.allocate((long) BLOCKS * Float.BYTES, stream)) {
            valuesDevice.copyFrom(values, stream);
            stream.launch(new LaunchConfig(BLOCKS, BLOCK, BLOCK * Float.BYTES), kernel, valuesDevice, blockSumsDevice, N);
            blockSumsDevice.copyTo(blockSums, stream);
            stream.sync();
        }
        double result = 0;
        for (int i = 0; i < BLOCKS; ++i) {
            result += blockSums.get(i);
        }
        boolean ok = Math.abs(result - expected) <= TOLERANCE * expected;
        System.out.printf(Locale.ROOT, "sum of %d floats on %s: %.3f, expected %.3f: %s%n", N, device.name(), result,
                expected, ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }

    private static FloatBuffer hostFloats(int n) {
        return ByteBuffer.allocateDirect(n * Float.BYTES).order(ByteOrder.nativeOrder()).asFloatBuffer();
    }
}
