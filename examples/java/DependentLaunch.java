// Kernels in a row, each of which may start before the one in front has finished (programmatic dependent launch).
// usage: java -cp cuprum.jar:examples DependentLaunch

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;

public final class DependentLaunch {
    private static final String SOURCE = """
            extern "C" __global__ void add_one(float* values, int n) {
            #if __CUDA_ARCH__ >= 900
                asm volatile("griddepcontrol.wait;" ::: "memory");  // for the results of the kernel in front
            #endif
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) values[i] += 1;
            }
            """;
    private static final int N = 100_000;
    private static final int BLOCK = 256;
    private static final int KERNELS = 10;

    private DependentLaunch() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        LaunchConfig first = LaunchConfig.forNumElements(N, BLOCK);
        LaunchConfig dependent = first.withProgrammaticStreamSerialization(true);
        int wrong = 0;
        try (Program program = new Program(SOURCE, new ProgramOptions().name("add_one.cu"));
                ObjectCode code = program.compile();
                Kernel addOne = code.getKernel("add_one");
                Stream stream = device.createStream();
                Buffer values = device.allocate(N * Float.BYTES, stream)) {
            float[] result = new float[N];
            values.copyFrom(result, stream);
            stream.launch(first, addOne, values, N);
            for (int i = 1; i < KERNELS; ++i) {
                stream.launch(dependent, addOne, values, N);
            }
            values.copyTo(result, stream);
            for (float value : result) {
                wrong += value == KERNELS ? 0 : 1;
            }
        }
        System.out.printf(
                "%d kernels in a row on %s: %d of %d values wrong%n", KERNELS, device.name(), wrong, N);
        System.exit(wrong == 0 ? 0 : 1);
    }
}
