// A partition in three: hot, cold, and all other readings, each in their order.
// usage: java -cp cuprum.jar:examples ParallelThreeWayPartition

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Operator;
import io.cuprum.Stream;
import io.cuprum.ThreeWayPartition;
import java.util.Arrays;

public final class ParallelThreeWayPartition {
    private ParallelThreeWayPartition() {}

    public static void main(String[] arguments) {
        int[] readings = {21, 35, -4, 18, 40, 2, 31, -1};
        int count = readings.length;
        int[] hotReadings = new int[count];
        long[] counts = new long[2];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer input = device.allocate((long) count * Integer.BYTES);
                Buffer hot = device.allocate((long) count * Integer.BYTES);
                Buffer cold = device.allocate((long) count * Integer.BYTES);
                Buffer mild = device.allocate((long) count * Integer.BYTES);
                Buffer deviceCounts = device.allocate(2L * Long.BYTES);
                ElementIterator elements = ElementIterator.of(ElementType.INT32, input);
                Operator isHot = Operator.of(a -> a.greaterThan(30));
                Operator isCold = Operator.of(a -> a.lessThan(0));
                ThreeWayPartition partition = new ThreeWayPartition(device, elements, isHot, isCold)) {
            input.copyFrom(readings);
            partition.call(stream, elements, hot, cold, mild, deviceCounts, count);
            hot.copyTo(hotReadings, stream);
            deviceCounts.copyTo(counts, stream);
        }
        boolean ok = Arrays.equals(counts, new long[] {3, 2})
                && Arrays.equals(Arrays.copyOf(hotReadings, 3), new int[] {35, 40, 31});
        System.out.println(counts[0] + " hot, " + counts[1] + " cold" + (ok ? " ok" : " WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
