// The top key with its value: who is the cheapest.
// usage: java -cp cuprum.jar:examples ParallelTopkPairs

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import io.cuprum.TopkPairs;
import java.util.Arrays;

public final class ParallelTopkPairs {
    private ParallelTopkPairs() {}

    public static void main(String[] arguments) {
        int[] hostPrices = {70, 42, 31, 55};
        int[] hostShops = {1, 2, 3, 4};
        int[] foundLowest = new int[1];
        int[] foundCheapest = new int[1];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer prices = device.allocate(4L * Integer.BYTES);
                Buffer shops = device.allocate(4L * Integer.BYTES);
                Buffer lowest = device.allocate(1L * Integer.BYTES);
                Buffer cheapest = device.allocate(1L * Integer.BYTES);
                ElementIterator inPrices = ElementIterator.of(ElementType.INT32, prices);
                ElementIterator inShops = ElementIterator.of(ElementType.INT32, shops);
                TopkPairs algorithm = new TopkPairs(device, SortOrder.ASCENDING, inPrices, inShops)) {
            prices.copyFrom(hostPrices);
            shops.copyFrom(hostShops);
            algorithm.call(stream, inPrices, inShops, lowest, cheapest, 1, 4);
            stream.sync();
            lowest.copyTo(foundLowest);
            cheapest.copyTo(foundCheapest);
        }
        boolean ok = Arrays.equals(foundLowest, new int[] {31})
                && Arrays.equals(foundCheapest, new int[] {3});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
