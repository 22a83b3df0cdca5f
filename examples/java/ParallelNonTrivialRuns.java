// Runs of two and more equal elements: where a sensor begins to repeat itself, and how often it does.
// usage: java -cp cuprum.jar:examples ParallelNonTrivialRuns

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.NonTrivialRuns;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelNonTrivialRuns {
    private ParallelNonTrivialRuns() {}

    public static void main(String[] arguments) {
        int[] hostReadings = {5, 5, 5, 2, 7, 7, 5, 5};
        int[] foundOffsets = new int[8];
        int[] foundLengths = new int[8];
        long[] foundCount = new long[1];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer readings = device.allocate(8L * Integer.BYTES);
                Buffer offsets = device.allocate(8L * Integer.BYTES);
                Buffer lengths = device.allocate(8L * Integer.BYTES);
                Buffer count = device.allocate(1L * Long.BYTES);
                ElementIterator inReadings = ElementIterator.of(ElementType.INT32, readings);
                Operator isSame = new Operator(OpKind.EQUAL_TO);
                NonTrivialRuns algorithm = new NonTrivialRuns(device, inReadings, ElementType.INT32, isSame)) {
            readings.copyFrom(hostReadings);
            algorithm.call(stream, inReadings, offsets, lengths, count, hostReadings.length);
            stream.sync();
            offsets.copyTo(foundOffsets);
            lengths.copyTo(foundLengths);
            count.copyTo(foundCount);
        }
        boolean ok = Arrays.equals(Arrays.copyOf(foundOffsets, 3), new int[] {0, 4, 6})
                && Arrays.equals(Arrays.copyOf(foundLengths, 3), new int[] {3, 2, 2})
                && Arrays.equals(foundCount, new long[] {3});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
