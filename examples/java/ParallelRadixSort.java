// A radix sort by the bits of numbers: keys alone over an array, and on the device keys with values, largest first.
// usage: java -cp cuprum.jar:examples ParallelRadixSort

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.DoubleBuffer;
import io.cuprum.ElementType;
import io.cuprum.Parallel;
import io.cuprum.RadixSort;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import java.util.Arrays;
import java.util.stream.IntStream;

public final class ParallelRadixSort {
    private ParallelRadixSort() {}

    public static void main(String[] arguments) {
        int[] data = IntStream.range(0, 10000).map(i -> (int) (i * 7919L % 10007) - 5000).toArray();
        int[] sorted = data.clone();
        Parallel.sort(sorted, SortOrder.ASCENDING);

        int[] again = new int[data.length];
        int[] positions = IntStream.range(0, data.length).toArray();
        long bytes = (long) data.length * Integer.BYTES;
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer keys = device.allocate(bytes);
                Buffer keysOut = device.allocate(bytes);
                Buffer values = device.allocate(bytes);
                Buffer valuesOut = device.allocate(bytes);
                RadixSort sort = new RadixSort(device, SortOrder.DESCENDING, ElementType.INT32, ElementType.INT32)) {
            keys.copyFrom(data);
            values.copyFrom(positions);
            sort.call(stream, keys, keysOut, values, valuesOut, data.length);
            valuesOut.copyTo(positions, stream);
            // Once more, between two buffers each: no other memory is needed for the keys and values.
            DoubleBuffer<Buffer> between = new DoubleBuffer<>(values, valuesOut);
            sort.call(stream, new DoubleBuffer<>(keys, keysOut), between, data.length);
            between.current().copyTo(again, stream);
        }
        boolean ok = Arrays.equals(positions, again)
                && Arrays.equals(Arrays.stream(data).sorted().toArray(), sorted);
        for (int i = 0; i < data.length; ++i) {
            ok = ok && data[positions[i]] == sorted[data.length - 1 - i];
        }
        System.out.println("smallest " + sorted[0] + ", largest " + sorted[9999] + ": " + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
