// A search: when a level was first exceeded.
// usage: java -cp cuprum.jar:examples ParallelFindIf

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.FindIf;
import io.cuprum.Operator;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelFindIf {
    private ParallelFindIf() {}

    public static void main(String[] arguments) {
        int[] hostLevels = {3, 5, 8, 12, 7, 15};
        int[] foundFirst = new int[1];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer levels = device.allocate(6L * Integer.BYTES);
                Buffer first = device.allocate(1L * Integer.BYTES);
                ElementIterator inLevels = ElementIterator.of(ElementType.INT32, levels);
                Operator isHigh = new Operator("a > 10");
                FindIf algorithm = new FindIf(device, inLevels, isHigh, ElementType.INT32)) {
            levels.copyFrom(hostLevels);
            algorithm.call(stream, inLevels, first, 6);
            stream.sync();
            first.copyTo(foundFirst);
        }
        boolean ok = Arrays.equals(foundFirst, new int[] {3});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
