// Managed memory: pages are moved ahead of their use, advice says how they are used, and content that nobody needs any
// more is dropped instead of moved.
// usage: java -cp cuprum.jar:examples ManagedMemory

import io.cuprum.Batch;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ManagedBuffer;
import io.cuprum.ManagedMemoryResource;
import io.cuprum.MemoryLocation;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import io.cuprum.UnsupportedException;
import java.nio.IntBuffer;
import java.util.List;

public final class ManagedMemory {
    private static final String SOURCE = """
            extern "C" __global__ void look_up(const int* table, int* values, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) values[i] = table[i % 256];
            }
            """;
    private static final int N = 100_000;
    private static final int TABLE_SIZE = 256;

    private ManagedMemory() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        String advice;
        int wrong = 0;
        try (Program program = new Program(SOURCE, new ProgramOptions().name("look_up.cu"));
                ObjectCode code = program.compile();
                Kernel lookUp = code.getKernel("look_up");
                Stream stream = device.createStream();
                ManagedMemoryResource managed = new ManagedMemoryResource();
                ManagedBuffer table = managed.allocate(TABLE_SIZE * Integer.BYTES, stream);
                ManagedBuffer values = managed.allocate(N * Integer.BYTES, stream)) {
            stream.sync();    // before the host uses what was allocated in the stream
            IntBuffer entries = table.asByteBuffer().asIntBuffer();
            for (int i = 0; i < TABLE_SIZE; ++i) {
                entries.put(i, i * i);
            }
            advice = advise(table, device);

            Batch.prefetch(stream, List.of(table, values), List.of(MemoryLocation.of(device)));    // one for all
            stream.launch(LaunchConfig.forNumElements(N, 256), lookUp, table, values, N);
            table.discard(stream);    // it need not come back
            values.prefetch(MemoryLocation.host(), stream);
            stream.sync();

            IntBuffer result = values.asByteBuffer().asIntBuffer();
            for (int i = 0; i < N; ++i) {
                int entry = i % TABLE_SIZE;
                wrong += result.get(i) == entry * entry ? 0 : 1;
            }
        }
        System.out.printf("%d values in managed memory %s on %s: %d wrong%n", N, advice, device.name(), wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }

    /** Advice is a matter of speed alone. Drivers of CUDA 13.0 refuse it for the memory of a pool. */
    private static String advise(ManagedBuffer table, Device device) {
        try {
            table.setReadMostly(true);
            table.setPreferredLocation(MemoryLocation.of(device));
            return "with advice";
        } catch (UnsupportedException refused) {
            return "without advice";
        }
    }
}
