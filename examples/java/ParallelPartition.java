// A partition: the readings of warm days, and behind them the others, backwards.
// usage: java -cp cuprum.jar:examples ParallelPartition

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Operator;
import io.cuprum.Partition;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelPartition {
    private ParallelPartition() {}

    public static void main(String[] arguments) {
        int[] hostReadings = {21, 35, -4, 18, 40, 2, 31, -1};
        int[] foundParts = new int[8];
        long[] foundCount = new long[1];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer readings = device.allocate(8L * Integer.BYTES);
                Buffer parts = device.allocate(8L * Integer.BYTES);
                Buffer count = device.allocate(1L * Long.BYTES);
                ElementIterator inReadings = ElementIterator.of(ElementType.INT32, readings);
                Operator isWarm = Operator.of(a -> a.greaterThan(20));
                Partition algorithm = new Partition(device, inReadings, isWarm)) {
            readings.copyFrom(hostReadings);
            algorithm.call(stream, inReadings, parts, count, hostReadings.length);
            stream.sync();
            parts.copyTo(foundParts);
            count.copyTo(foundCount);
        }
        boolean ok = Arrays.equals(foundParts, new int[] {21, 35, 40, 31, -1, 2, 18, -4})
                && Arrays.equals(foundCount, new long[] {4});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
