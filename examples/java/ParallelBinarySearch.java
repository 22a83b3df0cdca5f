// Binary search: which tax bracket each income is in, by the brackets' lower limits.
// usage: java -cp cuprum.jar:examples ParallelBinarySearch

import io.cuprum.BinarySearch;
import io.cuprum.Bound;
import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelBinarySearch {
    private ParallelBinarySearch() {}

    public static void main(String[] arguments) {
        int[] limits = {0, 12000, 50000, 120000};
        int[] incomes = {49999, 50000, 0, 300000, 12001};
        int[] brackets = new int[incomes.length];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer deviceLimits = device.allocate((long) limits.length * Integer.BYTES);
                Buffer deviceIncomes = device.allocate((long) incomes.length * Integer.BYTES);
                ElementIterator data = ElementIterator.of(ElementType.INT32, deviceLimits);
                ElementIterator values = ElementIterator.of(ElementType.INT32, deviceIncomes);
                Operator less = new Operator(OpKind.LESS);
                BinarySearch search =
                        new BinarySearch(device, Bound.UPPER, data, values, less, ElementType.INT32)) {
            deviceLimits.copyFrom(limits);
            deviceIncomes.copyFrom(incomes);
            // How many limits are at most the income; written over the incomes.
            search.call(stream, data, limits.length, values, deviceIncomes, incomes.length);
            deviceIncomes.copyTo(brackets, stream);
        }
        boolean ok = Arrays.equals(brackets, new int[] {2, 3, 1, 4, 2});
        System.out.println("brackets " + Arrays.toString(brackets) + (ok ? " ok" : " WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
