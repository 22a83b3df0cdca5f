// Prefix sums: the running total before each element (exclusive), and the running maximum (inclusive).
// usage: java -cp cuprum.jar:examples ParallelScan

import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.ScanKind;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.stream.IntStream;

public final class ParallelScan {
    private ParallelScan() {}

    public static void main(String[] arguments) {
        int[] data = IntStream.range(0, 10000).map(i -> (int) (i * 7919L % 10007)).toArray();
        int[] maxima = Parallel.inclusiveScan(data, "a < b ? b : a");
        long[] totals = new long[data.length];    // of another type than the elements: given, not returned
        try (Operator plus = new Operator("a + b")) {
            Parallel.scan(ScanKind.EXCLUSIVE, data, Value.of(100L), plus, totals);
        }

        int[] expectedMaxima = data.clone();
        Arrays.parallelPrefix(expectedMaxima, Math::max);
        boolean ok = Arrays.equals(expectedMaxima, maxima);
        long total = 100;
        for (int i = 0; i < data.length; ++i) {
            ok = ok && totals[i] == total;
            total += data[i];
        }
        System.out.println("total before the last " + totals[9999] + ", maximum " + maxima[9999] + ": "
                + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
