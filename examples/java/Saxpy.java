// y = a * x + y over n floats, compiled at run time. usage: java -cp cuprum.jar:examples Saxpy [--row] [n]
// --row prints one tab-separated line: language, device, n, kernel milliseconds, largest error, ok.

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Event;
import io.cuprum.EventOptions;
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

public final class Saxpy {
    private static final String SOURCE = """
            extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) y[i] = a * x[i] + y[i];
            }
            """;
    private static final float A = 2.5f;
    private static final int BLOCK = 256;

    private Saxpy() {}

    public static void main(String[] arguments) {
        boolean row = false;
        int n = 0;
        for (String argument : arguments) {
            if (argument.equals("--row")) {
                row = true;
            } else {
                n = Integer.parseInt(argument);
            }
        }
        System.exit(run(row, n) ? 0 : 1);
    }

    private static boolean run(boolean row, int wantedSize) {
        Device device = new Device(0);
        int n = wantedSize != 0 ? wantedSize : device.isSimulator() ? 1 << 20 : 1 << 26;
        long bytes = (long) n * Float.BYTES;
        try (Program program = new Program(SOURCE, new ProgramOptions().name("saxpy.cu"));
                ObjectCode code = program.compile();
                Kernel saxpy = code.getKernel("saxpy");
                Stream stream = device.createStream();
                Buffer x = device.allocate(bytes);
                Buffer y = device.allocate(bytes);
                Event start = device.createEvent(EventOptions.timing());
                Event end = device.createEvent(EventOptions.timing())) {
            FloatBuffer hostX = hostFloats(n);
            FloatBuffer hostY = hostFloats(n);
            for (int i = 0; i < n; ++i) {
                hostX.put(i, xOf(i));
                hostY.put(i, yOf(i));
            }
            LaunchConfig config = new LaunchConfig((n + BLOCK - 1) / BLOCK, BLOCK);

            // The first launch loads the code, so the second one is measured.
            x.copyFrom(hostX, stream);
            y.copyFrom(hostY, stream);
            stream.launch(config, saxpy, A, x, y, n);
            y.copyFrom(hostY, stream);
            stream.record(start);
            stream.launch(config, saxpy, A, x, y, n);
            stream.record(end);
            stream.sync();
            y.copyTo(hostY, stream);
            stream.sync();

            double maxError = 0;
            for (int i = 0; i < n; ++i) {
                double expected = (double) A * xOf(i) + yOf(i);
                maxError = Math.max(maxError, Math.abs(hostY.get(i) - expected));
            }
            boolean ok = maxError <= 1e-5;
            float milliseconds = Event.elapsedTime(start, end);
            String format = row ? "Java\t%s\t%d\t%.3f\t%.1e\t%s%n"
                    : "Java on %s: saxpy over %d floats took %.3f ms, largest error %.1e: %s%n";
            System.out.printf(Locale.ROOT, format, device.name(), n, milliseconds, maxError, ok ? "ok" : "FAILED");
            return ok;
        }
    }

    private static float xOf(int i) {
        return (i % 1000) * 0.5f;
    }

    private static float yOf(int i) {
        return i % 7;
    }

    private static FloatBuffer hostFloats(int n) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(n, Float.BYTES)).order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }
}
