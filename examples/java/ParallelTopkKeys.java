// The top keys: the three best scores, which come in no particular order.
// usage: java -cp cuprum.jar:examples ParallelTopkKeys

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import io.cuprum.TopkKeys;
import java.util.Arrays;

public final class ParallelTopkKeys {
    private ParallelTopkKeys() {}

    public static void main(String[] arguments) {
        int[] hostScores = {7, 42, 3, 42, 19, 42};
        int[] foundBest = new int[3];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer scores = device.allocate(6L * Integer.BYTES);
                Buffer best = device.allocate(3L * Integer.BYTES);
                ElementIterator inScores = ElementIterator.of(ElementType.INT32, scores);
                TopkKeys algorithm = new TopkKeys(device, SortOrder.DESCENDING, inScores)) {
            scores.copyFrom(hostScores);
            algorithm.call(stream, inScores, best, 3, 6);
            stream.sync();
            best.copyTo(foundBest);
        }
        boolean ok = Arrays.equals(foundBest, new int[] {42, 42, 42});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
