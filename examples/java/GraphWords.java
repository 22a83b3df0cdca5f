// Two graphs in two streams that hand work to each other through a word of memory, which nodes wait for and write.
// usage: java -cp cuprum.jar:examples GraphWords

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Graph;
import io.cuprum.GraphDefinition;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.Stream;
import io.cuprum.WaitCondition;

public final class GraphWords {
    private static final String SOURCE = """
            // words: whether there is an item, the item, and the items that were taken, a digit for each.
            extern "C" __global__ void make(unsigned* words) { words[1] += 1; }
            extern "C" __global__ void take(unsigned* words) { words[2] = 10 * words[2] + words[1]; }
            """;
    private static final int ROUNDS = 5;
    private static final int EXPECTED = 12345;

    private GraphWords() {}

    /** A kernel that runs when the first word is {@code before}, and then makes it {@code after}. */
    private static Graph step(Device device, ObjectCode code, String name, Buffer words, int before, int after) {
        try (Kernel kernel = code.getKernel(name); GraphDefinition definition = new GraphDefinition(device)) {
            definition.waitValue32(words, 0, before, WaitCondition.EQUAL)
                    .launch(new LaunchConfig(1, 1), kernel, words)
                    .writeValue32(words, 0, after);
            return definition.instantiate();
        }
    }

    public static void main(String[] arguments) {
        Device device = new Device(0);
        int[] values = new int[3];
        try (Program program = new Program(SOURCE); ObjectCode code = program.compile();
                Stream makersStream = device.createStream(); Stream takersStream = device.createStream();
                Buffer words = device.allocate((long) values.length * Integer.BYTES)) {    // no stream: not of a pool
            words.copyFrom(values);
            try (Graph maker = step(device, code, "make", words, 0, 1);
                    Graph taker = step(device, code, "take", words, 1, 0)) {
                // The launch that another one waits for is put in first: streams may share a queue of the hardware.
                for (int round = 0; round < ROUNDS; ++round) {
                    maker.launch(makersStream);
                    taker.launch(takersStream);
                }
                takersStream.sync();
                makersStream.sync();
            }
            words.copyTo(values);
        }
        System.out.printf("%d items handed over on %s: %d%n", ROUNDS, device.name(), values[2]);
        System.exit(values[2] == EXPECTED ? 0 : 1);
    }
}
