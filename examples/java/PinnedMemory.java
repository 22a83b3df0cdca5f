// Page-locked host memory: the host fills it in place, copies in a stream return at once, and kernels use it too.
// usage: java -cp cuprum.jar:examples PinnedMemory

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.LegacyPinnedMemoryResource;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import java.nio.FloatBuffer;

public final class PinnedMemory {
    private static final String SOURCE = """
            extern "C" __global__ void twice(float* values, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) values[i] *= 2;
            }
            """;
    private static final int N = 100_000;
    private static final int BLOCK = 256;

    private PinnedMemory() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        LaunchConfig config = new LaunchConfig((N + BLOCK - 1) / BLOCK, BLOCK);
        int wrong = 0;
        try (Program program = new Program(SOURCE, new ProgramOptions().name("twice.cu"));
                ObjectCode code = program.compile();
                Kernel twice = code.getKernel("twice");
                LegacyPinnedMemoryResource pinned = new LegacyPinnedMemoryResource();
                Stream stream = device.createStream();
                Buffer input = pinned.allocate(N * Float.BYTES, stream);
                Buffer output = pinned.allocate(N * Float.BYTES, stream);
                Buffer onDevice = device.allocate(N * Float.BYTES, stream)) {
            FloatBuffer values = input.asByteBuffer().asFloatBuffer();
            for (int i = 0; i < N; ++i) {
                values.put(i, i);
            }
            // None of these four waits for another, and this thread could do other work now.
            onDevice.copyFrom(input, stream);
            stream.launch(config, twice, onDevice, N);
            output.copyFrom(onDevice, stream);
            stream.launch(config, twice, output, N);    // on the host's memory itself
            stream.sync();

            FloatBuffer result = output.asByteBuffer().asFloatBuffer();
            for (int i = 0; i < N; ++i) {
                wrong += result.get(i) == 4.0f * i ? 0 : 1;
            }
        }
        System.out.printf("%d values in page-locked memory on %s: %d wrong%n", N, device.name(), wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }
}
