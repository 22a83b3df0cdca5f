// A struct as a kernel's argument, by value, and a grid that has a thread for each element.
// usage: java -cp cuprum.jar:examples StructArguments

import static io.cuprum.ElementType.FLOAT32;
import static io.cuprum.ElementType.FLOAT64;
import static io.cuprum.ElementType.INT16;
import static io.cuprum.ElementType.field;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementType;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import io.cuprum.Value;

public final class StructArguments {
    private static final String SOURCE = """
            struct Motion { float start; double speed; short steps; };

            extern "C" __global__ void move(Motion motion, double* places, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) places[i] = motion.start + motion.speed * motion.steps * i;
            }
            """;
    // As the kernel's: fields are laid out as in C.
    private static final ElementType MOTION = ElementType.structure(
            "Motion", field("start", FLOAT32), field("speed", FLOAT64), field("steps", INT16));
    private static final int N = 1000;

    private StructArguments() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        double[] result = new double[N];
        try (Program program = new Program(SOURCE, new ProgramOptions().name("move.cu"));
                ObjectCode code = program.compile();
                Kernel move = code.getKernel("move");
                Stream stream = device.createStream();
                Buffer places = device.allocate(N * Double.BYTES, stream)) {
            Value motion = Value.of(MOTION, 0.5f, 0.25, 4);
            stream.launch(LaunchConfig.forNumElements(N, 128), move, motion, places, N);
            places.copyTo(result, stream);
        }
        int wrong = 0;
        for (int i = 0; i < N; ++i) {
            wrong += result[i] == 0.5 + i ? 0 : 1;
        }
        System.out.printf("%d places by a struct of %d bytes on %s: %d wrong%n", N, MOTION.size(), device.name(), wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }
}
