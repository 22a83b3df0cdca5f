// The sine of an array, in single and in double precision: one template, two instantiations, named as in C++.
// usage: java -cp cuprum.jar:examples Sine

import io.cuprum.Buffer;
import io.cuprum.CodeType;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

public final class Sine {
    private static final String SOURCE = """
            template <typename Value> __global__ void sine(const Value* input, Value* output, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) output[i] = sin(input[i]);
            }
            """;
    private static final int N = 1_000_000;
    private static final int BLOCK = 256;

    private Sine() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        ByteBuffer floats = hostBytes(N * Float.BYTES);
        ByteBuffer floatSines = hostBytes(N * Float.BYTES);
        ByteBuffer doubles = hostBytes(N * Double.BYTES);
        ByteBuffer doubleSines = hostBytes(N * Double.BYTES);
        for (int i = 0; i < N; ++i) {
            double value = (double) i / N * 20 - 10;
            floats.putFloat(i * Float.BYTES, (float) value);
            doubles.putDouble(i * Double.BYTES, value);
        }
        try (Program program = new Program(SOURCE, new ProgramOptions().name("sine.cu"));
                ObjectCode code = program.compile(CodeType.NATIVE, "sine<float>", "sine<double>")) {
            run(device, code, "sine<float>", floats, floatSines);
            run(device, code, "sine<double>", doubles, doubleSines);
        }
        double maxFloatError = 0;
        double maxDoubleError = 0;
        for (int i = 0; i < N; ++i) {
            double floatSine = Math.sin(floats.getFloat(i * Float.BYTES));
            double doubleSine = Math.sin(doubles.getDouble(i * Double.BYTES));
            maxFloatError = Math.max(maxFloatError, Math.abs(floatSine - floatSines.getFloat(i * Float.BYTES)));
            maxDoubleError = Math.max(maxDoubleError, Math.abs(doubleSine - doubleSines.getDouble(i * Double.BYTES)));
        }
        // CUDA's sine is within 2 units in the last place.
        boolean ok = maxFloatError <= 2 * Math.ulp(1f) && maxDoubleError <= 2 * Math.ulp(1d);
        System.out.printf(Locale.ROOT, "sines of %d values on %s: max error %.1e (float), %.1e (double): %s%n", N,
                device.name(), maxFloatError, maxDoubleError, ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }

    // result = sin(values), by the instantiation of that name.
    private static void run(Device device, ObjectCode code, String name, ByteBuffer values, ByteBuffer result) {
        try (Kernel kernel = code.getKernel(name);
                Stream stream = device.createStream();
                Buffer input = device.allocate(values.capacity(), stream);
                Buffer output = device.allocate(values.capacity(), stream)) {
            input.copyFrom(values, stream);
            stream.launch(new LaunchConfig((N + BLOCK - 1) / BLOCK, BLOCK), kernel, input, output, N);
            output.copyTo(result, stream);
            stream.sync();
        }
    }

    private static ByteBuffer hostBytes(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }
}
