// A polynomial whose coefficients are a kernel's __constant__ variable, in blocks of the size that fills the device.
// usage: java -cp cuprum.jar:examples ModuleGlobals

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementType;
import io.cuprum.GlobalVariable;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.Stream;

public final class ModuleGlobals {
    private static final String SOURCE = """
            extern "C" __constant__ float coefficients[3] = {0, 0, 0};
            extern "C" __device__ unsigned int evaluations = 0;

            extern "C" __global__ void polynomial(float* x, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i >= n) return;
                x[i] = (coefficients[2] * x[i] + coefficients[1]) * x[i] + coefficients[0];
                atomicAdd(&evaluations, 1u);
            }
            """;
    private static final int N = 1000;

    private ModuleGlobals() {}

    public static void main(String[] arguments) {
        System.exit(run() ? 0 : 1);
    }

    private static boolean run() {
        Device device = new Device(0);
        // Variables are memory of the device: no kernel argument is needed.
        try (Program program = new Program(SOURCE);
                ObjectCode code = program.compile();
                Kernel polynomial = code.getKernel("polynomial");
                GlobalVariable coefficients = code.getGlobal(device, "coefficients");
                GlobalVariable evaluations = code.getGlobal(device, "evaluations");
                Stream stream = device.createStream();
                Buffer x = device.allocate((long) N * Float.BYTES, stream)) {
            coefficients.setValues(new float[] {1, 2, 3});
            int block = polynomial.maxPotentialBlockSize(device, 0, 0).maxBlockSize();
            float[] values = new float[N];
            for (int i = 0; i < N; ++i) {
                values[i] = i;
            }
            x.copyFrom(values, stream);
            stream.launch(new LaunchConfig((N + block - 1) / block, block), polynomial, x, N);
            x.copyTo(values, stream);
            int count = evaluations.value(ElementType.UINT32, stream).number().intValue();

            boolean ok = count == N;
            for (int i = 0; i < N; ++i) {
                ok &= values[i] == (3f * i + 2) * i + 1;
            }
            System.out.printf("%d values of a polynomial on %s: %s%n", count, device.name(), ok ? "ok" : "WRONG");
            return ok;
        }
    }
}
