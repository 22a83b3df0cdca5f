// Two sources, compiled apart and linked: the kernel of one calls the __device__ function of the other.
// usage: java -cp cuprum.jar:examples Link

import io.cuprum.Buffer;
import io.cuprum.CodeType;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.Linker;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;

public final class Link {
    private static final String KERNEL = """
            __device__ int square(int x);  // defined in the other source

            extern "C" __global__ void squares(int* values, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) values[i] = square(values[i]);
            }
            """;
    private static final String FUNCTION = """
            __device__ int square(int x) { return x * x; }
            """;
    private static final int N = 1000;

    private Link() {}

    public static void main(String[] arguments) {
        System.exit(run() ? 0 : 1);
    }

    /** Code that others are linked with is compiled as relocatable device code. */
    private static ObjectCode compile(String source, String name) {
        try (Program program = new Program(source, new ProgramOptions().name(name).relocatableDeviceCode(true))) {
            return program.compile(CodeType.PTX);
        }
    }

    private static boolean run() {
        Device device = new Device(0);
        try (ObjectCode kernel = compile(KERNEL, "squares.cu");
                ObjectCode function = compile(FUNCTION, "square.cu");
                Linker linker = new Linker(kernel, function);
                ObjectCode code = linker.link(CodeType.CUBIN);
                Kernel squares = code.getKernel("squares");
                Stream stream = device.createStream();
                Buffer valuesDevice = device.allocate((long) N * Integer.BYTES, stream)) {
            int[] values = new int[N];
            for (int i = 0; i < N; ++i) {
                values[i] = i;
            }
            valuesDevice.copyFrom(values, stream);
            stream.launch(new LaunchConfig((N + 255) / 256, 256), squares, valuesDevice, N);
            valuesDevice.copyTo(values, stream);
            stream.sync();

            boolean ok = true;
            for (int i = 0; i < N; ++i) {
                ok &= values[i] == i * i;
            }
            System.out.printf("%d squares by a linked kernel on %s: %s%n", N, device.name(), ok ? "ok" : "WRONG");
            return ok;
        }
    }
}
