// A histogram of ranges: how many people are children, of working age, and older.
// usage: java -cp cuprum.jar:examples ParallelHistogramRange

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.HistogramRange;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelHistogramRange {
    private ParallelHistogramRange() {}

    public static void main(String[] arguments) {
        int[] hostAges = {3, 70, 35, 17, 18, 64, 65, 40};
        int[] hostLevels = {0, 18, 65, 150};
        int[] foundPeople = new int[3];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer ages = device.allocate(8L * Integer.BYTES);
                Buffer levels = device.allocate(4L * Integer.BYTES);
                Buffer people = device.allocate(3L * Integer.BYTES);
                ElementIterator inAges = ElementIterator.of(ElementType.INT32, ages);
                HistogramRange algorithm = new HistogramRange(device, inAges, ElementType.INT32, ElementType.INT32)) {
            ages.copyFrom(hostAges);
            levels.copyFrom(hostLevels);
            algorithm.call(stream, inAges, levels, people, 3, 8);
            stream.sync();
            people.copyTo(foundPeople);
        }
        boolean ok = Arrays.equals(foundPeople, new int[] {2, 4, 2});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
