// A merge of sorted keys: the times of two logs in one order.
// usage: java -cp cuprum.jar:examples ParallelMergeKeys

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.MergeKeys;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelMergeKeys {
    private ParallelMergeKeys() {}

    public static void main(String[] arguments) {
        int[] hostFirst = {1, 4, 9, 12};
        int[] hostSecond = {2, 4, 20};
        int[] foundMerged = new int[7];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer first = device.allocate(4L * Integer.BYTES);
                Buffer second = device.allocate(3L * Integer.BYTES);
                Buffer merged = device.allocate(7L * Integer.BYTES);
                ElementIterator inFirst = ElementIterator.of(ElementType.INT32, first);
                ElementIterator inSecond = ElementIterator.of(ElementType.INT32, second);
                Operator less = new Operator(OpKind.LESS);
                MergeKeys algorithm = new MergeKeys(device, inFirst, inSecond, less)) {
            first.copyFrom(hostFirst);
            second.copyFrom(hostSecond);
            algorithm.call(stream, inFirst, 4, inSecond, 3, merged);
            stream.sync();
            merged.copyTo(foundMerged);
        }
        boolean ok = Arrays.equals(foundMerged, new int[] {1, 2, 4, 4, 9, 12, 20});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
