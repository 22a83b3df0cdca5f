// CUB's algorithms with operators of one's own: over arrays in one call, and on the device, built once.
// usage: java -cp cuprum.jar:examples ParallelAlgorithms

import io.cuprum.Algorithm;
import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import java.nio.LongBuffer;
import java.util.Arrays;

public final class ParallelAlgorithms {
    private static boolean allOk = true;

    private ParallelAlgorithms() {}

    private static void check(String what, boolean ok) {
        System.out.printf("%-28s %s%n", what, ok ? "ok" : "WRONG");
        allOk = allOk && ok;
    }

    private static void onArrays() {
        int[] data = new int[10000];
        for (int i = 0; i < data.length; ++i) {
            data[i] = (int) (i * 7919L % 10007);
        }
        check("reduce", Parallel.reduce(data, 0, "a + b") == Arrays.stream(data).sum());
        check("argmin", Parallel.argmin(data) == 0);
        int[] sums = Parallel.exclusiveScan(data, 0, "plus");
        check("exclusive scan", sums[9999] + data[9999] == Arrays.stream(data).sum());
        check("transform", Parallel.transform(data, "a * 2 + 1")[1] == 2 * 7919 + 1);
        Parallel.sort(data, SortOrder.DESCENDING);
        check("radix sort", data[0] == Arrays.stream(data).max().getAsInt());
        Parallel.sort(data, "a % 100 < b % 100");
        check("merge sort", data[0] % 100 == 0 && data[9999] % 100 == 99);
    }

    private static void onTheDevice() {
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer output = device.allocate(Long.BYTES, stream);
                Operator plus = new Operator("plus");
                Operator square = new Operator("(long long)a * a");
                ElementIterator counter = ElementIterator.counting(ElementType.INT32, 1);
                ElementIterator squares = counter.transform(square, ElementType.INT64);
                Algorithm sum = Algorithm.reduction(device, squares, plus, ElementType.INT64)) {
            long[] result = new long[1];
            sum.reduce(stream, squares, output, 1000, 0L);
            stream.sync();
            output.copyTo(LongBuffer.wrap(result));
            check("transform-reduce", result[0] == 333833500);
        }
    }

    public static void main(String[] arguments) {
        System.out.println("on " + new Device(0).name());
        onArrays();
        onTheDevice();
        System.exit(allOk ? 0 : 1);
    }
}
