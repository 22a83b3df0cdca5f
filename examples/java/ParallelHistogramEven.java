// A histogram: how many grades are in each fifth of the scale.
// usage: java -cp cuprum.jar:examples ParallelHistogramEven

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.HistogramEven;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelHistogramEven {
    private ParallelHistogramEven() {}

    public static void main(String[] arguments) {
        float[] grades = {12, 99, 55, 43, 60, 61, 0, 100, 38};
        int[] counts = new int[5];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer input = device.allocate((long) grades.length * Float.BYTES);
                Buffer output = device.allocate((long) counts.length * Integer.BYTES);
                ElementIterator samples = ElementIterator.of(ElementType.FLOAT32, input);
                HistogramEven histogram =
                        new HistogramEven(device, samples, ElementType.FLOAT32, ElementType.INT32)) {
            input.copyFrom(grades);
            // From 0 up to, but not including, 100.
            histogram.call(stream, samples, output, counts.length, 0, 100, grades.length);
            output.copyTo(counts, stream);
        }
        boolean ok = Arrays.equals(counts, new int[] {2, 1, 2, 2, 1});
        System.out.println("grades " + Arrays.toString(counts) + (ok ? " ok" : " WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
