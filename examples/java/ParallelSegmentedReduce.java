// A segmented reduction: the sum of each row of a matrix whose rows have different lengths.
// usage: java -cp cuprum.jar:examples ParallelSegmentedReduce

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.SegmentedReduce;
import io.cuprum.Stream;
import java.util.Arrays;
import java.util.stream.IntStream;

public final class ParallelSegmentedReduce {
    private ParallelSegmentedReduce() {}

    public static void main(String[] arguments) {
        int[] data = IntStream.rangeClosed(1, 10000).toArray();
        long[] begins = {0, 10, 10, 4000};
        long[] ends = {10, 10, 4000, 10000};
        long[] sums = new long[begins.length];

        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer input = device.allocate((long) data.length * Integer.BYTES);
                Buffer deviceBegins = device.allocate((long) begins.length * Long.BYTES);
                Buffer deviceEnds = device.allocate((long) ends.length * Long.BYTES);
                Buffer output = device.allocate((long) sums.length * Long.BYTES);
                ElementIterator elements = ElementIterator.of(ElementType.INT32, input);
                Operator plus = new Operator(OpKind.PLUS);
                SegmentedReduce reduce =
                        new SegmentedReduce(device, elements, plus, ElementType.INT64, ElementType.INT64)) {
            input.copyFrom(data);
            deviceBegins.copyFrom(begins);
            deviceEnds.copyFrom(ends);
            reduce.call(stream, elements, output, begins.length, deviceBegins, deviceEnds, 0L);
            output.copyTo(sums, stream);
        }
        boolean ok = true;
        for (int row = 0; row < sums.length; ++row) {
            System.out.println("row " + row + ": " + sums[row]);
            ok = ok && sums[row] == Arrays.stream(data, (int) begins[row], (int) ends[row]).asLongStream().sum();
        }
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
