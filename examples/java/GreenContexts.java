// A green context: its streams' kernels run on a part of the device's multiprocessors.
// usage: java -cp cuprum.jar:examples GreenContexts

import io.cuprum.Buffer;
import io.cuprum.Context;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.SMResource;
import io.cuprum.Stream;
import java.util.Arrays;
import java.util.List;

public final class GreenContexts {
    private static final String SOURCE = """
            extern "C" __global__ void where(unsigned int* numbers) {
                unsigned int number;
                asm("mov.u32 %0, %%smid;" : "=r"(number));
                numbers[blockIdx.x] = number;
            }
            """;
    private static final int BLOCKS = 512;

    private GreenContexts() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        SMResource multiprocessors = device.smResource();
        SMResource part = multiprocessors.split(0, 1).groups().get(0);    // as few as there can be
        int[] numbers = new int[BLOCKS];
        try (Program program = new Program(SOURCE, new ProgramOptions().name("where.cu"));
                ObjectCode code = program.compile();
                Kernel where = code.getKernel("where");
                Context green = device.createContext(List.of(part));
                Stream stream = green.createStream();
                Buffer memory = device.allocate(BLOCKS * Integer.BYTES, stream)) {
            stream.launch(new LaunchConfig(BLOCKS, 1024), where, memory);
            memory.copyTo(numbers, stream);
            stream.sync();
        }
        long used = Arrays.stream(numbers).distinct().count();
        System.out.printf("a kernel on %d of %d multiprocessors of %s: it used %d%n", part.smCount(),
                multiprocessors.smCount(), device.name(), used);
        System.exit(used > 0 && used <= part.smCount() ? 0 : 1);
    }
}
