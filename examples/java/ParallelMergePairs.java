// A merge of sorted keys with their values: two logs as one, by their times.
// usage: java -cp cuprum.jar:examples ParallelMergePairs

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.MergePairs;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelMergePairs {
    private ParallelMergePairs() {}

    public static void main(String[] arguments) {
        int[] hostFirstTimes = {1, 4, 9};
        int[] hostFirstEvents = {10, 11, 12};
        int[] hostSecondTimes = {2, 4};
        int[] hostSecondEvents = {20, 21};
        int[] foundTimes = new int[5];
        int[] foundEvents = new int[5];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer firstTimes = device.allocate(3L * Integer.BYTES);
                Buffer firstEvents = device.allocate(3L * Integer.BYTES);
                Buffer secondTimes = device.allocate(2L * Integer.BYTES);
                Buffer secondEvents = device.allocate(2L * Integer.BYTES);
                Buffer times = device.allocate(5L * Integer.BYTES);
                Buffer events = device.allocate(5L * Integer.BYTES);
                ElementIterator inFirstTimes = ElementIterator.of(ElementType.INT32, firstTimes);
                ElementIterator inFirstEvents = ElementIterator.of(ElementType.INT32, firstEvents);
                ElementIterator inSecondTimes = ElementIterator.of(ElementType.INT32, secondTimes);
                ElementIterator inSecondEvents = ElementIterator.of(ElementType.INT32, secondEvents);
                Operator less = new Operator(OpKind.LESS);
                MergePairs algorithm = new MergePairs(device, inFirstTimes, inFirstEvents, inSecondTimes, inSecondEvents, less)) {
            firstTimes.copyFrom(hostFirstTimes);
            firstEvents.copyFrom(hostFirstEvents);
            secondTimes.copyFrom(hostSecondTimes);
            secondEvents.copyFrom(hostSecondEvents);
            algorithm.call(stream, inFirstTimes, inFirstEvents, 3, inSecondTimes, inSecondEvents, 2, times, events);
            stream.sync();
            times.copyTo(foundTimes);
            events.copyTo(foundEvents);
        }
        boolean ok = Arrays.equals(foundTimes, new int[] {1, 2, 4, 4, 9})
                && Arrays.equals(foundEvents, new int[] {10, 20, 11, 21, 12});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
