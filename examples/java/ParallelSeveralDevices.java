// Algorithms over data that is spread over several devices: each has a shard of it. With one device it has all.
// usage: java -cp cuprum.jar:examples ParallelSeveralDevices

import io.cuprum.Communicator;
import io.cuprum.Device;
import io.cuprum.Distributed;
import io.cuprum.ElementType;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Shard;
import io.cuprum.SortOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

public final class ParallelSeveralDevices {
    private static final int EACH = 5000;

    private ParallelSeveralDevices() {}

    /** As many numbers on each device, in memory of that device. */
    private static List<Shard> allocate(List<Device> devices, long count) {
        List<Shard> shards = new ArrayList<>();
        for (Device device : devices) {
            shards.add(Shard.of(ElementType.INT32, device.allocate(count * Integer.BYTES)));
        }
        return shards;
    }

    public static void main(String[] arguments) {
        List<Device> devices = Device.getAllDevices();
        int n = devices.size() * EACH;
        // n - 1, n - 2, ... 0
        List<Shard> numbers = allocate(devices, EACH);
        for (int rank = 0; rank < devices.size(); ++rank) {
            int first = n - 1 - rank * EACH;
            numbers.get(rank).memory().copyFrom(IntStream.range(0, EACH).map(i -> first - i).toArray());
        }
        List<Shard> maxima = allocate(devices, 1);

        try (Communicator communicator = new Communicator(devices);
                Operator maximum = new Operator(OpKind.MAXIMUM);
                Distributed.Reduce reduce =
                        new Distributed.Reduce(communicator, ElementType.INT32, maximum, ElementType.INT32);
                Distributed.RadixSort sort =
                        new Distributed.RadixSort(communicator, SortOrder.ASCENDING, ElementType.INT32)) {
            reduce.call(numbers, maxima);
            sort.call(numbers, numbers);    // in place
        }

        boolean ok = true;
        for (int rank = 0; rank < devices.size(); ++rank) {
            int[] shard = new int[EACH];
            int[] largest = new int[1];
            numbers.get(rank).memory().copyTo(shard);
            maxima.get(rank).memory().copyTo(largest);
            ok = ok && largest[0] == n - 1;
            for (int i = 0; i < EACH; ++i) {
                ok = ok && shard[i] == rank * EACH + i;
            }
            numbers.get(rank).memory().close();
            maxima.get(rank).memory().close();
        }
        System.out.println(n + " numbers sorted by " + devices.size() + " device(s): " + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
