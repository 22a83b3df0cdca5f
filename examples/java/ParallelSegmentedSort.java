// A segmented sort: the scores of each group in descending order, and whose they are.
// usage: java -cp cuprum.jar:examples ParallelSegmentedSort

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementType;
import io.cuprum.SegmentedSort;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelSegmentedSort {
    private ParallelSegmentedSort() {}

    public static void main(String[] arguments) {
        int[] scores = {12, 40, 31, 7, 25, 18, 3};
        int[] players = {0, 1, 2, 3, 4, 5, 6};
        int count = scores.length;
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer keys = device.allocate((long) count * Integer.BYTES);
                Buffer values = device.allocate((long) count * Integer.BYTES);
                Buffer best = device.allocate((long) count * Integer.BYTES);
                Buffer whose = device.allocate((long) count * Integer.BYTES);
                Buffer begins = device.allocate(2L * Long.BYTES);
                Buffer ends = device.allocate(2L * Long.BYTES);
                SegmentedSort sort = new SegmentedSort(device, SortOrder.DESCENDING, ElementType.INT32,
                        ElementType.INT32, ElementType.INT64)) {
            keys.copyFrom(scores);
            values.copyFrom(players);
            begins.copyFrom(new long[] {0, 3});
            ends.copyFrom(new long[] {3, 7});
            sort.call(stream, keys, best, values, whose, count, 2, begins, ends);
            best.copyTo(scores, stream);
            whose.copyTo(players, stream);
        }
        boolean ok = Arrays.equals(scores, new int[] {40, 31, 12, 25, 18, 7, 3})
                && Arrays.equals(players, new int[] {1, 2, 0, 4, 5, 3, 6});
        System.out.println("scores " + Arrays.toString(scores) + (ok ? " ok" : " WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
