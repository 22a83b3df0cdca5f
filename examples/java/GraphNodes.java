// A graph described node by node: a fill, a loop that a kernel ends, a copy and a function of the program's.
// usage: java -cp cuprum.jar:examples GraphNodes

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Graph;
import io.cuprum.GraphCondition;
import io.cuprum.GraphDefinition;
import io.cuprum.GraphNode;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.Stream;
import java.util.concurrent.atomic.AtomicInteger;

public final class GraphNodes {
    // One step towards 1: how many it takes is not known before.
    private static final String SOURCE = """
            extern "C" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(
                cudaGraphConditionalHandle, unsigned);
            extern "C" __global__ void step(cudaGraphConditionalHandle again, unsigned* value, unsigned* steps) {
                *value = *value % 2 == 0 ? *value / 2 : 3 * *value + 1;
                *steps += 1;
                cudaGraphSetConditional(again, *value != 1);
            }
            """;
    private static final int START = 27;
    private static final int EXPECTED = 111;    // steps

    private GraphNodes() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        AtomicInteger calls = new AtomicInteger();
        int[] counted = new int[1];
        try (Program program = new Program(SOURCE); ObjectCode code = program.compile();
                Kernel step = code.getKernel("step"); Stream stream = device.createStream();
                Buffer value = device.allocate(4); Buffer steps = device.allocate(4); Buffer result = device.allocate(4);
                GraphDefinition definition = new GraphDefinition(device)) {
            GraphCondition again = definition.createCondition(1);
            GraphNode loop = definition.memset(value, START, 4, 1).memset(steps, 0, 4, 1).whileLoop(again);
            try (GraphDefinition body = loop.bodies().get(0)) {
                body.launch(new LaunchConfig(1, 1), step, again.handle(), value, steps);
            }
            loop.memcpy(result, steps, 4).callback(calls::incrementAndGet);

            try (Graph graph = definition.instantiate()) {
                graph.launch(stream);
                graph.launch(stream);
                stream.sync();
            }
            result.copyTo(counted);
        }
        System.out.printf("from %d to 1 in %d steps, %d times, on %s%n", START, counted[0], calls.get(), device.name());
        System.exit(counted[0] == EXPECTED && calls.get() == 2 ? 0 : 1);
    }
}
