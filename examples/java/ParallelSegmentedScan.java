// A segmented scan: the running total of each account, whose bookings lie one after another.
// usage: java -cp cuprum.jar:examples ParallelSegmentedScan

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.ScanKind;
import io.cuprum.SegmentedScan;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelSegmentedScan {
    private ParallelSegmentedScan() {}

    public static void main(String[] arguments) {
        int[] hostAmounts = {5, 10, -3, 7, 7, -4};
        long[] hostBegins = {0, 3, 3};
        long[] hostEnds = {3, 3, 6};
        int[] foundBalances = new int[6];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer amounts = device.allocate(6L * Integer.BYTES);
                Buffer begins = device.allocate(3L * Long.BYTES);
                Buffer ends = device.allocate(3L * Long.BYTES);
                Buffer balances = device.allocate(6L * Integer.BYTES);
                ElementIterator inAmounts = ElementIterator.of(ElementType.INT32, amounts);
                Operator plus = new Operator(OpKind.PLUS);
                SegmentedScan algorithm = new SegmentedScan(device, ScanKind.INCLUSIVE, inAmounts, plus, ElementType.INT32, ElementType.INT64)) {
            amounts.copyFrom(hostAmounts);
            begins.copyFrom(hostBegins);
            ends.copyFrom(hostEnds);
            algorithm.call(stream, inAmounts, balances, 6, 3, begins, ends);
            stream.sync();
            balances.copyTo(foundBalances);
        }
        boolean ok = Arrays.equals(foundBalances, new int[] {5, 15, 12, 7, 14, 10});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
