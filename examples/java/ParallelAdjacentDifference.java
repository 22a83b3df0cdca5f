// Differences of neighbours: how much a meter has counted between two readings.
// usage: java -cp cuprum.jar:examples ParallelAdjacentDifference

import io.cuprum.AdjacentDifference;
import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Neighbour;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelAdjacentDifference {
    private ParallelAdjacentDifference() {}

    public static void main(String[] arguments) {
        int[] hostReadings = {3, 5, 10, 10, 18, 20};
        int[] foundDifferences = new int[6];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer readings = device.allocate(6L * Integer.BYTES);
                Buffer differences = device.allocate(6L * Integer.BYTES);
                ElementIterator inReadings = ElementIterator.of(ElementType.INT32, readings);
                Operator minus = new Operator(OpKind.MINUS);
                AdjacentDifference algorithm = new AdjacentDifference(device, Neighbour.LEFT, inReadings, minus, ElementType.INT32)) {
            readings.copyFrom(hostReadings);
            algorithm.call(stream, inReadings, differences, hostReadings.length);
            stream.sync();
            differences.copyTo(foundDifferences);
        }
        boolean ok = Arrays.equals(foundDifferences, new int[] {3, 2, 5, 0, 8, 2});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
