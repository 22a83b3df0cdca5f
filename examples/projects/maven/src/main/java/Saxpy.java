import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.Stream;
import java.util.Arrays;

/** y = a x + y on the device. */
public final class Saxpy {
    private static final String SOURCE = """
            extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) y[i] = a * x[i] + y[i];
            }
            """;

    private Saxpy() {}

    public static void main(String[] arguments) {
        int n = 1000;
        float[] x = new float[n];
        float[] y = new float[n];
        Arrays.fill(x, 1f);
        Arrays.fill(y, 2f);
        Device device = new Device(0);
        try (Program program = new Program(SOURCE);
                ObjectCode code = program.compile();
                Kernel saxpy = code.getKernel("saxpy");
                Stream stream = device.createStream();
                Buffer onDeviceX = device.allocate(4L * n);
                Buffer onDeviceY = device.allocate(4L * n)) {
            onDeviceX.copyFrom(x, stream);
            onDeviceY.copyFrom(y, stream);
            stream.launch(new LaunchConfig((n + 255) / 256, 256), saxpy, 3f, onDeviceX, onDeviceY, n);
            onDeviceY.copyTo(y, stream);
            stream.sync();
        }
        System.out.println(device.name() + ": y[0] = " + y[0]);
    }
}
