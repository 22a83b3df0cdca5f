// A graph of what is put into a stream: captured once, launched often, and updated with another one's parameters.
// usage: java -cp cuprum.jar:examples GraphCapture

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Graph;
import io.cuprum.GraphBuilder;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.Stream;

public final class GraphCapture {
    private static final String SOURCE = """
            extern "C" __global__ void multiply_add(float* values, float factor, float summand, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) values[i] = values[i] * factor + summand;
            }
            """;
    private static final int N = 10_000;
    private static final int LAUNCHES = 3;

    private GraphCapture() {}

    /** values = (values * factor + 1) * 2, in two steps. */
    private static GraphBuilder build(Device device, Kernel kernel, Buffer values, float factor) {
        LaunchConfig config = LaunchConfig.forNumElements(N, 256);
        GraphBuilder builder = device.createGraphBuilder().beginBuilding();
        builder.stream().launch(config, kernel, values, factor, 1f, N);
        builder.stream().launch(config, kernel, values, 2f, 0f, N);
        return builder.endBuilding();
    }

    public static void main(String[] arguments) {
        Device device = new Device(0);
        float[] result = new float[N];
        try (Program program = new Program(SOURCE); ObjectCode code = program.compile();
                Kernel kernel = code.getKernel("multiply_add"); Stream stream = device.createStream();
                Buffer values = device.allocate(Float.BYTES * (long) N, stream)) {
            values.fill(0, 4, stream);
            try (GraphBuilder first = build(device, kernel, values, 1);
                    GraphBuilder second = build(device, kernel, values, 3); Graph graph = first.complete()) {
                for (int i = 0; i < LAUNCHES; ++i) {
                    graph.launch(stream);    // 0, 2, 6, 14
                }
                graph.update(second);
                graph.launch(stream);    // (14 * 3 + 1) * 2
                stream.sync();
            }
            values.copyTo(result);
        }
        int wrong = 0;
        for (float each : result) {
            wrong += each == 86 ? 0 : 1;
        }
        System.out.printf("a graph launched %d times on %s: %d of %d values wrong%n", LAUNCHES + 1, device.name(), wrong,
                N);
        System.exit(wrong == 0 ? 0 : 1);
    }
}
