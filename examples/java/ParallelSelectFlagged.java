// A selection by flags: the readings that another sensor has confirmed.
// usage: java -cp cuprum.jar:examples ParallelSelectFlagged

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.SelectFlagged;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelSelectFlagged {
    private ParallelSelectFlagged() {}

    public static void main(String[] arguments) {
        int[] hostReadings = {21, 35, -4, 18, 40, 2, 31, -1};
        int[] hostConfirmed = {0, 1, 0, 1, 1, 0, 0, 1};
        int[] foundKept = new int[8];
        long[] foundCount = new long[1];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer readings = device.allocate(8L * Integer.BYTES);
                Buffer confirmed = device.allocate(8L * Integer.BYTES);
                Buffer kept = device.allocate(8L * Integer.BYTES);
                Buffer count = device.allocate(1L * Long.BYTES);
                ElementIterator inReadings = ElementIterator.of(ElementType.INT32, readings);
                ElementIterator inConfirmed = ElementIterator.of(ElementType.INT32, confirmed);
                SelectFlagged algorithm = new SelectFlagged(device, inReadings, inConfirmed)) {
            readings.copyFrom(hostReadings);
            confirmed.copyFrom(hostConfirmed);
            algorithm.call(stream, inReadings, inConfirmed, kept, count, hostReadings.length);
            stream.sync();
            kept.copyTo(foundKept);
            count.copyTo(foundCount);
        }
        boolean ok = Arrays.equals(Arrays.copyOf(foundKept, 4), new int[] {35, 18, 40, -1})
                && Arrays.equals(foundCount, new long[] {4});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
