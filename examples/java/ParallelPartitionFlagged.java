// A partition by flags: the readings that another sensor has confirmed, and behind them the others, backwards.
// usage: java -cp cuprum.jar:examples ParallelPartitionFlagged

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.PartitionFlagged;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelPartitionFlagged {
    private ParallelPartitionFlagged() {}

    public static void main(String[] arguments) {
        int[] hostReadings = {21, 35, -4, 18, 40, 2, 31, -1};
        int[] hostConfirmed = {0, 1, 0, 1, 1, 0, 0, 1};
        int[] foundParts = new int[8];
        long[] foundCount = new long[1];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer readings = device.allocate(8L * Integer.BYTES);
                Buffer confirmed = device.allocate(8L * Integer.BYTES);
                Buffer parts = device.allocate(8L * Integer.BYTES);
                Buffer count = device.allocate(1L * Long.BYTES);
                ElementIterator inReadings = ElementIterator.of(ElementType.INT32, readings);
                ElementIterator inConfirmed = ElementIterator.of(ElementType.INT32, confirmed);
                PartitionFlagged algorithm = new PartitionFlagged(device, inReadings, inConfirmed)) {
            readings.copyFrom(hostReadings);
            confirmed.copyFrom(hostConfirmed);
            algorithm.call(stream, inReadings, inConfirmed, parts, count, hostReadings.length);
            stream.sync();
            parts.copyTo(foundParts);
            count.copyTo(foundCount);
        }
        boolean ok = Arrays.equals(foundParts, new int[] {35, 18, 40, -1, 31, 2, -4, 21})
                && Arrays.equals(foundCount, new long[] {4});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
