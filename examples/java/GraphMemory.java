// Memory of a graph: what it allocates in each launch, and a buffer that it keeps although the program has closed it.
// usage: java -cp cuprum.jar:examples GraphMemory

import java.util.Arrays;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Graph;
import io.cuprum.GraphBuilder;
import io.cuprum.GraphMemoryAttribute;
import io.cuprum.GraphMemoryResource;
import io.cuprum.Stream;

public final class GraphMemory {
    private static final int N = 10_000;
    private static final long SIZE = Integer.BYTES * (long) N;
    private static final int LAUNCHES = 3;

    private GraphMemory() {}

    /** result = a copy of constants, by way of memory that the graph allocates and frees. */
    private static Graph build(Device device, GraphMemoryResource memory, Buffer result) {
        int[] values = new int[N];
        Arrays.fill(values, 42);
        try (Buffer constants = device.allocate(SIZE); GraphBuilder builder = device.createGraphBuilder()) {
            constants.copyFrom(values);
            builder.beginBuilding();
            Buffer scratch = memory.allocate(SIZE, builder.stream());    // nothing is allocated yet
            scratch.copyFrom(constants, builder.stream());
            result.copyFrom(scratch, builder.stream());
            scratch.close();    // the graph frees it
            return builder.endBuilding().complete();    // which keeps the constants
        }
    }

    public static void main(String[] arguments) {
        Device device = new Device(0);
        int wrong = 0;
        long used;
        try (GraphMemoryResource memory = new GraphMemoryResource(device); Stream stream = device.createStream();
                Buffer result = device.allocate(SIZE)) {
            memory.setAttribute(GraphMemoryAttribute.USED_MEM_HIGH, 0);
            try (Graph graph = build(device, memory, result)) {
                int[] values = new int[N];
                for (int i = 0; i < LAUNCHES; ++i) {
                    result.fill(0, 4, stream);
                    graph.launch(stream);
                    stream.sync();
                    result.copyTo(values);
                    for (int each : values) {
                        wrong += each == 42 ? 0 : 1;
                    }
                }
                used = memory.attribute(GraphMemoryAttribute.USED_MEM_HIGH);
            }
            memory.trim();
        }
        System.out.printf("a graph launched %d times on %s, which allocates: %d values wrong%n", LAUNCHES, device.name(),
                wrong);
        System.exit(wrong == 0 && used >= SIZE ? 0 : 1);
    }
}
