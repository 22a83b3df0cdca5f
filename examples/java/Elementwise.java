// Sum and product of two arrays: two kernels of one program, every copy and launch in the order of one stream.
// usage: java -cp cuprum.jar:examples Elementwise

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Locale;

public final class Elementwise {
    private static final String SOURCE = """
            extern "C" __global__ void add(const float* a, const float* b, float* result, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) result[i] = a[i] + b[i];
            }
            extern "C" __global__ void multiply(const float* a, const float* b, float* result, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) result[i] = a[i] * b[i];
            }
            """;
    private static final int N = 1_000_000;
    private static final int BLOCK = 256;

    private Elementwise() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        FloatBuffer a = hostFloats(N);
        FloatBuffer b = hostFloats(N);
        FloatBuffer sum = hostFloats(N);
        FloatBuffer product = hostFloats(N);
        for (int i = 0; i < N; ++i) {
            a.put(i, i % 1009 / 1009f);
            b.put(i, i % 2003 / 2003f - 0.5f);
        }
        try (Program program = new Program(SOURCE, new ProgramOptions().name("elementwise.cu"));
                ObjectCode code = program.compile();
                Kernel add = code.getKernel("add");
                Kernel multiply = code.getKernel("multiply");
                Stream stream = device.createStream();
                Buffer aDevice = device.allocate((long) N * Float.BYTES, stream);
                Buffer bDevice = device.allocate((long) N * Float.BYTES, stream);
                Buffer resultDevice = device.allocate((long) N * Float.BYTES, stream)) {
            LaunchConfig config = new LaunchConfig((N + BLOCK - 1) / BLOCK, BLOCK);
            aDevice.copyFrom(a, stream);
            bDevice.copyFrom(b, stream);
            stream.launch(config, add, aDevice, bDevice, resultDevice, N);
            resultDevice.copyTo(sum, stream);
            stream.launch(config, multiply, aDevice, bDevice, resultDevice, N);
            resultDevice.copyTo(product, stream);
            stream.sync(); // nothing above waits for the device; the results may be read from here on
        }
        boolean ok = true;
        for (int i = 0; i < N; ++i) {
            ok &= sum.get(i) == a.get(i) + b.get(i) && product.get(i) == a.get(i) * b.get(i);
        }
        System.out.printf(Locale.ROOT, "%d sums and products on %s: %s%n", N, device.name(), ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }

    private static FloatBuffer hostFloats(int n) {
        return ByteBuffer.allocateDirect(n * Float.BYTES).order(ByteOrder.nativeOrder()).asFloatBuffer();
    }
}
