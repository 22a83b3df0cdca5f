// The first of each run of equal elements: what a sensor that repeats itself has to say.
// usage: java -cp cuprum.jar:examples ParallelUnique

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import io.cuprum.Unique;
import java.util.Arrays;

public final class ParallelUnique {
    private ParallelUnique() {}

    public static void main(String[] arguments) {
        int[] hostReadings = {1, 1, 4, 4, 4, 1, 7, 7};
        int[] foundKept = new int[8];
        long[] foundCount = new long[1];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer readings = device.allocate(8L * Integer.BYTES);
                Buffer kept = device.allocate(8L * Integer.BYTES);
                Buffer count = device.allocate(1L * Long.BYTES);
                ElementIterator inReadings = ElementIterator.of(ElementType.INT32, readings);
                Operator isSame = new Operator(OpKind.EQUAL_TO);
                Unique algorithm = new Unique(device, inReadings, isSame)) {
            readings.copyFrom(hostReadings);
            algorithm.call(stream, inReadings, kept, count, hostReadings.length);
            stream.sync();
            kept.copyTo(foundKept);
            count.copyTo(foundCount);
        }
        boolean ok = Arrays.equals(Arrays.copyOf(foundKept, 4), new int[] {1, 4, 1, 7})
                && Arrays.equals(foundCount, new long[] {4});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
