import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Graph;
import io.cuprum.GraphDefinition;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.Stream;

/** What a launch costs in Java: host time, asynchronous, of one block. c_calls.cpp has the C ABI's own of the same kernel. */
public final class LaunchCost {
    private static final int BATCHES = 81;
    private static final int CALLS = 500;

    private LaunchCost() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        System.out.println("# Java on " + device.name());
        String four = "extern \"C\" __global__ void with(float* a, int b, float c, double d) {}";
        LaunchConfig config = new LaunchConfig(1, 32);
        try (Stream stream = device.createStream();
                Buffer buffer = device.allocate(4096);
                Program program = new Program("extern \"C\" __global__ void none() {}");
                ObjectCode code = program.compile();
                Kernel none = code.getKernel("none");
                Program withFour = new Program(four);
                ObjectCode codeWithFour = withFour.compile();
                Kernel with = codeWithFour.getKernel("with")) {
            print(0, microseconds(stream, () -> stream.launch(config, none)));
            print(4, microseconds(stream, () -> stream.launch(config, with, buffer, 32, 2.0f, 2.0)));
            try (GraphDefinition definition = new GraphDefinition(device)) {
                definition.launch(config, none);
                try (Graph graph = definition.instantiate()) {
                    System.out.printf("Graph.launch\t%.3f\tus%n", microseconds(stream, () -> graph.launch(stream)));
                }
            }
        }
    }

    /** Of the fastest batch: what a call costs when nothing disturbs it. The first ones compile. */
    private static double microseconds(Stream stream, Runnable launch) {
        double least = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < BATCHES; ++batch) {
            long begin = System.nanoTime();
            for (int i = 0; i < CALLS; ++i) {
                launch.run();
            }
            least = Math.min(least, (System.nanoTime() - begin) / 1e3 / CALLS);
            stream.sync();
        }
        return least;
    }

    private static void print(int count, double cost) {
        System.out.printf("Stream.launch, %d arguments\t%.3f\tus%n", count, cost);
    }
}
