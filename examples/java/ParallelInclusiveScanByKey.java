// Prefix sums by key: what each customer has paid so far.
// usage: java -cp cuprum.jar:examples ParallelInclusiveScanByKey

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.InclusiveScanByKey;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelInclusiveScanByKey {
    private ParallelInclusiveScanByKey() {}

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
                InclusiveScanByKey algorithm = new InclusiveScanByKey(device, inCustomers, inPayments, plus, ElementType.INT32, isSame)) {
            customers.copyFrom(hostCustomers);
            payments.copyFrom(hostPayments);
            algorithm.call(stream, inCustomers, inPayments, sums, hostCustomers.length);
            stream.sync();
            sums.copyTo(foundSums);
        }
        boolean ok = Arrays.equals(foundSums, new int[] {3, 4, 8, 1, 6, 9, 2, 8});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
