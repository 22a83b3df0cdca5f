// A comparison: whether two readings are the same but for a small error.
// usage: java -cp cuprum.jar:examples ParallelEqual

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Equal;
import io.cuprum.Operator;
import io.cuprum.Stream;

public final class ParallelEqual {
    private ParallelEqual() {}

    public static void main(String[] arguments) {
        int[] hostFirst = {100, 205, 298};
        int[] hostSecond = {101, 204, 300};
        byte[] isSame = new byte[1];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer first = device.allocate(3L * Integer.BYTES);
                Buffer second = device.allocate(3L * Integer.BYTES);
                Buffer result = device.allocate(1);
                ElementIterator inFirst = ElementIterator.of(ElementType.INT32, first);
                ElementIterator inSecond = ElementIterator.of(ElementType.INT32, second);
                Operator isNear = new Operator("abs(a - b) <= 2");
                Equal algorithm = new Equal(device, inFirst, inSecond, isNear)) {
            first.copyFrom(hostFirst);
            second.copyFrom(hostSecond);
            algorithm.call(stream, inFirst, inSecond, result, 3);
            stream.sync();
            result.copyTo(isSame);
        }
        System.out.println(isSame[0] == 1 ? "ok" : "WRONG");
        System.exit(isSame[0] == 1 ? 0 : 1);
    }
}
