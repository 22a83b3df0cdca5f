// A reduction by key: the readings of each sensor, added.
// usage: java -cp cuprum.jar:examples ParallelReduceByKey

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.ReduceByKey;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelReduceByKey {
    private ParallelReduceByKey() {}

    public static void main(String[] arguments) {
        int[] hostSensors = {1, 1, 1, 4, 4, 7, 8, 8};
        float[] hostReadings = {0.5f, 0.5f, 1.0f, 2.5f, 2.0f, 3.5f, 4.0f, 4.5f};
        int[] foundKeys = new int[8];
        float[] foundSums = new float[8];
        long[] foundCount = new long[1];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer sensors = device.allocate(8L * Integer.BYTES);
                Buffer readings = device.allocate(8L * Float.BYTES);
                Buffer keys = device.allocate(8L * Integer.BYTES);
                Buffer sums = device.allocate(8L * Float.BYTES);
                Buffer count = device.allocate(1L * Long.BYTES);
                ElementIterator inSensors = ElementIterator.of(ElementType.INT32, sensors);
                ElementIterator inReadings = ElementIterator.of(ElementType.FLOAT32, readings);
                Operator plus = new Operator(OpKind.PLUS);
                Operator isSame = new Operator(OpKind.EQUAL_TO);
                ReduceByKey algorithm = new ReduceByKey(device, inSensors, inReadings, plus, ElementType.FLOAT32, isSame)) {
            sensors.copyFrom(hostSensors);
            readings.copyFrom(hostReadings);
            algorithm.call(stream, inSensors, inReadings, keys, sums, count, hostSensors.length);
            stream.sync();
            keys.copyTo(foundKeys);
            sums.copyTo(foundSums);
            count.copyTo(foundCount);
        }
        boolean ok = Arrays.equals(Arrays.copyOf(foundKeys, 4), new int[] {1, 4, 7, 8})
                && Arrays.equals(Arrays.copyOf(foundSums, 4), new float[] {2.0f, 4.5f, 3.5f, 8.5f})
                && Arrays.equals(foundCount, new long[] {4});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
