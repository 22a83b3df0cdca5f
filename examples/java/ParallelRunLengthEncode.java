// A run-length encoding: what a sensor says, and how often it repeats that.
// usage: java -cp cuprum.jar:examples ParallelRunLengthEncode

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.RunLengthEncode;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelRunLengthEncode {
    private ParallelRunLengthEncode() {}

    public static void main(String[] arguments) {
        int[] hostReadings = {5, 5, 5, 2, 7, 7, 5, 5};
        int[] foundKept = new int[8];
        int[] foundLengths = new int[8];
        long[] foundCount = new long[1];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer readings = device.allocate(8L * Integer.BYTES);
                Buffer kept = device.allocate(8L * Integer.BYTES);
                Buffer lengths = device.allocate(8L * Integer.BYTES);
                Buffer count = device.allocate(1L * Long.BYTES);
                ElementIterator inReadings = ElementIterator.of(ElementType.INT32, readings);
                Operator isSame = new Operator(OpKind.EQUAL_TO);
                RunLengthEncode algorithm = new RunLengthEncode(device, inReadings, ElementType.INT32, isSame)) {
            readings.copyFrom(hostReadings);
            algorithm.call(stream, inReadings, kept, lengths, count, hostReadings.length);
            stream.sync();
            kept.copyTo(foundKept);
            lengths.copyTo(foundLengths);
            count.copyTo(foundCount);
        }
        boolean ok = Arrays.equals(Arrays.copyOf(foundKept, 4), new int[] {5, 2, 7, 5})
                && Arrays.equals(Arrays.copyOf(foundLengths, 4), new int[] {3, 1, 2, 2})
                && Arrays.equals(foundCount, new long[] {4});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
