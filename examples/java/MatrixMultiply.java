// C = A * B with one thread for each element of C, in a two-dimensional grid.
// usage: java -cp cuprum.jar:examples MatrixMultiply

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Dimensions;
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

public final class MatrixMultiply {
    private static final String SOURCE = """
            extern "C" __global__ void matrix_multiply(const float* a, const float* b, float* c,
                                                       int rows, int inner, int columns) {
                int row = blockIdx.y * blockDim.y + threadIdx.y;
                int column = blockIdx.x * blockDim.x + threadIdx.x;
                if (row >= rows || column >= columns) return;
                float sum = 0;
                for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
                c[row * columns + column] = sum;
            }
            """;
    // No multiples of the block: its edges are tested too.
    private static final int ROWS = 1000;
    private static final int INNER = 1000;
    private static final int COLUMNS = 1000;
    private static final int BLOCK = 16;
    private static final double TOLERANCE = 1e-2; // INNER roundings of sums of about 250

    private MatrixMultiply() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        FloatBuffer a = hostFloats(ROWS * INNER);
        FloatBuffer b = hostFloats(INNER * COLUMNS);
        FloatBuffer c = hostFloats(ROWS * COLUMNS);
        for (int i = 0; i < a.capacity(); ++i) {
            a.put(i, i % 1009 / 1009f);
        }
        for (int i = 0; i < b.capacity(); ++i) {
            b.put(i, i % 2003 / 2003f);
        }
        try (Program program = new Program(SOURCE, new ProgramOptions().name("matrix_multiply.cu"));
                ObjectCode code = program.compile();
                Kernel kernel = code.getKernel("matrix_multiply");
                Stream stream = device.createStream();
                Buffer aDevice = device.allocate((long) a.capacity() * Float.BYTES, stream);
                Buffer bDevice = device.allocate((long) b.capacity() * Float.BYTES, stream);
                Buffer cDevice = device.allocate((long) c.capacity() * Float.BYTES, stream)) {
            LaunchConfig config = new LaunchConfig(
                    new Dimensions((COLUMNS + BLOCK - 1) / BLOCK, (ROWS + BLOCK - 1) / BLOCK),
                    new Dimensions(BLOCK, BLOCK));
            aDevice.copyFrom(a, stream);
            bDevice.copyFrom(b, stream);
            stream.launch(config, kernel, aDevice, bDevice, cDevice, ROWS, INNER, COLUMNS);
            cDevice.copyTo(c, stream);
            stream.sync();
        }
        double maxError = 0;
        // Every ninth row, so that all positions in a block are met.
        for (int row = 0; row < ROWS; row += 9) {
            for (int column = 0; column < COLUMNS; ++column) {
                double expected = 0;
                for (int k = 0; k < INNER; ++k) {
                    expected += (double) a.get(row * INNER + k) * b.get(k * COLUMNS + column);
                }
                maxError = Math.max(maxError, Math.abs(expected - c.get(row * COLUMNS + column)));
            }
        }
        boolean ok = maxError <= TOLERANCE;
        System.out.printf(Locale.ROOT, "%dx%d times %dx%d on %s: max error %.1e: %s%n", ROWS, INNER, INNER, COLUMNS,
                device.name(), maxError, ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }

    private static FloatBuffer hostFloats(int n) {
        return ByteBuffer.allocateDirect(n * Float.BYTES).order(ByteOrder.nativeOrder()).asFloatBuffer();
    }
}
