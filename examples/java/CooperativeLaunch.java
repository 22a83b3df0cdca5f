// A cooperative launch: all blocks of the kernel run at once, and wait for each other halfway. And clusters of blocks,
// where the device has them.
// usage: java -cp cuprum.jar:examples CooperativeLaunch

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Dimensions;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;

public final class CooperativeLaunch {
    private static final String SOURCE = """
            extern "C" __global__ void reverse_twice(int* middle, int* result, unsigned int* arrived, int n) {
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

            extern "C" __global__ void rank_in_cluster(int* ranks) {
                unsigned int rank = 0;
            #if __CUDA_ARCH__ >= 900
                asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
            #endif
                if (threadIdx.x == 0) ranks[blockIdx.x] = rank;
            }
            """;
    private static final int BLOCKS = 8;
    private static final int THREADS = 64;
    private static final int N = BLOCKS * THREADS;
    private static final int CLUSTER_LAUNCH = 120;    // CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH

    private CooperativeLaunch() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        boolean hasClusters = device.attribute(CLUSTER_LAUNCH) != 0;
        int wrong;
        try (Program program = new Program(SOURCE, new ProgramOptions().name("cooperative.cu"));
                ObjectCode code = program.compile();
                Stream stream = device.createStream()) {
            wrong = wrongAfterCooperation(device, code, stream);
            if (hasClusters) {
                wrong += wrongInClusters(device, code, stream);
            }
        }
        System.out.printf("%d blocks that wait for each other%s on %s: %d wrong%n", BLOCKS,
                hasClusters ? ", and clusters of 2," : " (it has no clusters)", device.name(), wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }

    private static int wrongAfterCooperation(Device device, ObjectCode code, Stream stream) {
        int[] result = new int[N];
        try (Kernel kernel = code.getKernel("reverse_twice");
                Buffer middle = device.allocate(N * Integer.BYTES, stream);
                Buffer output = device.allocate(N * Integer.BYTES, stream);
                Buffer arrived = device.allocate(Integer.BYTES, stream)) {
            arrived.fill(0, 4, stream);
            LaunchConfig config = new LaunchConfig(BLOCKS, THREADS).withCooperative(true);
            stream.launch(config, kernel, middle, output, arrived, N);
            output.copyTo(result, stream);
        }
        int wrong = 0;
        for (int i = 0; i < N; ++i) {
            wrong += result[i] == 2 * (N - 1 - i) ? 0 : 1;
        }
        return wrong;
    }

    private static int wrongInClusters(Device device, ObjectCode code, Stream stream) {
        int[] result = new int[BLOCKS];
        try (Kernel kernel = code.getKernel("rank_in_cluster");
                Buffer ranks = device.allocate(BLOCKS * Integer.BYTES, stream)) {
            // The grid counts clusters.
            stream.launch(new LaunchConfig(BLOCKS / 2, THREADS).withCluster(new Dimensions(2)), kernel, ranks);
            ranks.copyTo(result, stream);
        }
        int wrong = 0;
        for (int i = 0; i < BLOCKS; ++i) {
            wrong += result[i] == i % 2 ? 0 : 1;
        }
        return wrong;
    }
}
