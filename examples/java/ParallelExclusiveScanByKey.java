// Prefix sums by key, without the element itself: what each customer had paid before, and 100 of credit.
// usage: java -cp cuprum.jar:examples ParallelExclusiveScanByKey

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.ExclusiveScanByKey;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelExclusiveScanByKey {
    private ParallelExclusiveScanByKey() {}

    public static void main(String[] arguments) {
        int[] hostCustomers = {1, 1, 1, 4, 4, 7, 8, 8};
        int[] hostPayments = {3, 1, 4, 1, 5, 9, 2, 6};
        int[] foundSums = new int[8];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer customers = device.allocate(8L * Integer.BYTES);
                Buffer payments = device.allocate(8L * Integer.BYTES);
                Buffer sums = device.allocate(8L * Integer.BYTES);
                ElementIterator inCustomers = ElementIterator.of(ElementType.INT32, customers);
                ElementIterator inPayments = ElementIterator.of(ElementType.INT32, payments);
                Operator plus = new Operator(OpKind.PLUS);
                Operator isSame = new Operator(OpKind.EQUAL_TO);
                ExclusiveScanByKey algorithm = new ExclusiveScanByKey(device, inCustomers, inPayments, plus, ElementType.INT32, isSame)) {
            customers.copyFrom(hostCustomers);
            payments.copyFrom(hostPayments);
            algorithm.call(stream, inCustomers, inPayments, sums, hostCustomers.length, 100);
            stream.sync();
            sums.copyTo(foundSums);
        }
        boolean ok = Arrays.equals(foundSums, new int[] {100, 103, 104, 100, 101, 100, 100, 102});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
