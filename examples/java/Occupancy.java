// What a kernel needs, and the launch that fills the device: its attributes, the best block size, and how many blocks
// run at once.
// usage: java -cp cuprum.jar:examples Occupancy

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.KernelAttribute;
import io.cuprum.LaunchConfig;
import io.cuprum.MaxPotentialBlockSizeOccupancyResult;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import java.util.stream.IntStream;

public final class Occupancy {
    // Each block adds in shared memory, of which it needs as much as it has threads.
    private static final String SOURCE = """
            extern "C" __global__ void sum(const int* values, int n, int* result) {
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
            """;
    private static final int N = 20_000;
    private static final int MOST_THREADS = 128;    // one of them adds what the others have

    private Occupancy() {}

    public static void main(String[] arguments) {
        System.exit(run() ? 0 : 1);
    }

    private static boolean run() {
        Device device = new Device(0);
        try (Program program = new Program(SOURCE, new ProgramOptions().name("sum.cu"));
                ObjectCode code = program.compile();
                Kernel sum = code.getKernel("sum");
                Stream stream = device.createStream();
                Buffer input = device.allocate(N * Integer.BYTES, stream);
                Buffer output = device.allocate(Integer.BYTES, stream)) {
            sum.setAttribute(device, KernelAttribute.PREFERRED_SHARED_MEMORY_CARVEOUT, 50);    // percent; a hint
            MaxPotentialBlockSizeOccupancyResult best =
                    sum.maxPotentialBlockSize(device, (int threads) -> (long) threads * Integer.BYTES, MOST_THREADS);
            int threads = best.maxBlockSize();
            int sharedMemory = threads * Integer.BYTES;
            int blocks = sum.maxActiveBlocksPerMultiprocessor(device, threads, sharedMemory);

            input.copyFrom(IntStream.range(0, N).toArray(), stream);
            output.fill(0, 4, stream);
            stream.launch(new LaunchConfig(best.minGridSize(), threads, sharedMemory), sum, input, N, output);
            int[] result = new int[1];
            output.copyTo(result, stream);

            boolean right = result[0] == N / 2 * (N - 1) && threads <= MOST_THREADS && blocks > 0
                    && best.minGridSize() <= blocks * device.properties().multiprocessorCount();
            System.out.printf("%d registers, %d blocks of %d threads fill %s, %d on each multiprocessor: %s%n",
                    sum.attributes(device).numRegs(), best.minGridSize(), threads, device.name(), blocks,
                    right ? "right" : "wrong");
            return right;
        }
    }
}
