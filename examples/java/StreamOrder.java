// Streams that call functions of the program between their work, and that wait for words of memory and write them.
// usage: java -cp cuprum.jar:examples StreamOrder

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.LegacyPinnedMemoryResource;
import io.cuprum.Stream;
import io.cuprum.WaitCondition;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;

public final class StreamOrder {
    private static final int ROUNDS = 5;

    private StreamOrder() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        List<Integer> seen = new ArrayList<>();
        try (LegacyPinnedMemoryResource pinned = new LegacyPinnedMemoryResource();
                Stream stream = device.createStream();
                Buffer memory = pinned.allocate(2 * Integer.BYTES, stream)) {
            // A counter, and what the stream answers.
            IntBuffer words = memory.asByteBuffer().order(ByteOrder.nativeOrder()).asIntBuffer();
            words.put(0, 0);

            // The whole of it is put into the stream at once, before any of it runs.
            for (int round = 1; round <= ROUNDS; ++round) {
                stream.waitValue32(memory, 0, round, WaitCondition.GREATER_OR_EQUAL);
                stream.writeValue32(memory, Integer.BYTES, 10 * round);
                stream.launchHostFunction(() -> seen.add(words.get(1)));
            }
            for (int round = 1; round <= ROUNDS; ++round) {
                words.put(0, round);
            }
            stream.sync();
        }
        boolean right = seen.equals(List.of(10, 20, 30, 40, 50));
        System.out.printf("%d rounds of a stream and the CPU on %s: %s%n", ROUNDS, device.name(),
                right ? "0 wrong" : "wrong: " + seen);
        System.exit(right ? 0 : 1);
    }
}
