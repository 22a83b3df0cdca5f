// Virtual memory: a buffer grows, and what is in it stays without being copied.
// usage: java -cp cuprum.jar:examples VirtualMemory

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import io.cuprum.VirtualMemoryResource;

public final class VirtualMemory {
    private static final String SOURCE = """
            extern "C" __global__ void count_on(int* values, int from, int to) {
                int i = from + blockIdx.x * blockDim.x + threadIdx.x;
                if (i < to) values[i] = i;
            }
            """;
    private static final int[] LENGTHS = {1000, 300_000, 600_000, 1_500_000};

    private VirtualMemory() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        int[] result;
        long unit;
        try (Program program = new Program(SOURCE, new ProgramOptions().name("count_on.cu"));
                ObjectCode code = program.compile();
                Kernel countOn = code.getKernel("count_on");
                VirtualMemoryResource resource = new VirtualMemoryResource(device);
                Stream stream = device.createStream()) {
            unit = resource.granularity();
            result = grow(resource, countOn, stream);
        }
        int wrong = 0;
        for (int i = 0; i < result.length; ++i) {
            wrong += result[i] == i ? 0 : 1;
        }
        System.out.printf("a buffer that grew to %d values, in units of %d KiB, on %s: %d wrong%n", result.length,
                unit >> 10, device.name(), wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }

    private static int[] grow(VirtualMemoryResource resource, Kernel countOn, Stream stream) {
        Buffer values = resource.allocate(0, stream);
        try {
            int length = 0;
            for (int longer : LENGTHS) {
                values = resource.modifyAllocation(values, (long) longer * Integer.BYTES);
                stream.launch(LaunchConfig.forNumElements(longer - length, 256), countOn, values, length, longer);
                length = longer;
            }
            int[] result = new int[length];
            values.copyTo(result, stream);
            stream.sync();
            return result;
        } finally {
            values.close();
        }
    }
}
