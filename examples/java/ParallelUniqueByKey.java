// Unique by key: the first of each run of equal keys, with its value; over arrays in one call, and on the device.
// usage: java -cp cuprum.jar:examples ParallelUniqueByKey

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Stream;
import io.cuprum.UniqueByKey;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

public final class ParallelUniqueByKey {
    private ParallelUniqueByKey() {}

    public static void main(String[] arguments) {
        // Sorted keys: the first of each is at a multiple of 7.
        int[] keys = IntStream.range(0, 10000).map(i -> i / 7).toArray();
        int[] positions = IntStream.range(0, 10000).toArray();
        int unique = (int) Parallel.uniqueByKey(keys, positions);

        Device device = new Device(0);
        int count = 100000;
        long[] starts = new long[count];
        long[] hundreds = new long[count];
        long[] selected = new long[1];
        try (Stream stream = device.createStream();
                Buffer keysOut = device.allocate((long) count * Long.BYTES);
                Buffer valuesOut = device.allocate((long) count * Long.BYTES);
                Buffer selectedCount = device.allocate(Long.BYTES);
                // 0, 1, 2 and so on, which are in no memory, are equal where they are of the same hundred.
                ElementIterator counting = ElementIterator.counting(ElementType.INT64, 0);
                Operator hundred = new Operator("a / 100");
                ElementIterator values = counting.transform(hundred, ElementType.INT64);
                Operator isSameHundred = new Operator("a / 100 == b / 100");
                UniqueByKey algorithm = new UniqueByKey(device, counting, values, isSameHundred)) {
            algorithm.call(stream, counting, values, keysOut, valuesOut, selectedCount, count);
            stream.sync();
            keysOut.copyTo(starts);
            valuesOut.copyTo(hundreds);
            selectedCount.copyTo(selected);
        }
        int first = (int) selected[0];
        boolean ok = unique == 1429
                && Arrays.equals(IntStream.range(0, unique).toArray(), Arrays.copyOf(keys, unique))
                && Arrays.equals(IntStream.range(0, unique).map(i -> 7 * i).toArray(), Arrays.copyOf(positions, unique))
                && Arrays.equals(LongStream.range(0, 1000).map(i -> 100 * i).toArray(), Arrays.copyOf(starts, first))
                && Arrays.equals(LongStream.range(0, 1000).toArray(), Arrays.copyOf(hundreds, first));
        System.out.println(unique + " keys, " + first + " hundreds: " + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
