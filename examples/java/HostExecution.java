// The parallel algorithms on the host's own cores: real data, no GPU, no driver.
// usage: java -cp cuprum.jar:examples HostExecution

import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Scan;
import io.cuprum.ScanKind;
import io.cuprum.SortOrder;
import java.util.Arrays;

public final class HostExecution {
    private static boolean allOk = true;

    private HostExecution() {}

    private static void check(String what, boolean ok) {
        System.out.printf("%-28s %s%n", what, ok ? "ok" : "WRONG");
        allOk = allOk && ok;
    }

    public static void main(String[] arguments) {
        long[] data = new long[1_000_000];
        for (int i = 0; i < data.length; ++i) {
            data[i] = i * 7919L % 1000003;
        }
        long sum = Arrays.stream(data).sum();
        check("reduce", Parallel.reduce(data, 0L, "a + b", Execution.HOST) == sum);
        check("argmax", data[(int) Parallel.argmax(data, Execution.HOST)] == Arrays.stream(data).max().getAsLong());
        check("inclusive scan", Parallel.inclusiveScan(data, "plus", Execution.HOST)[data.length - 1] == sum);
        int[] positions = new int[data.length];
        Arrays.setAll(positions, i -> i);
        long[] keys = data.clone();
        Parallel.sortByKey(keys, positions, SortOrder.ASCENDING, Execution.HOST);
        long[] sorted = data.clone();
        Arrays.sort(sorted);
        check("sort by key", Arrays.equals(keys, sorted) && data[positions[0]] == sorted[0]);

        // Built once, called as often as wanted.
        long[] maxima = new long[data.length];
        try (ElementIterator longs = ElementIterator.of(ElementType.INT64);
                Operator maximum = new Operator(OpKind.MAXIMUM);
                Scan scan = new Scan(Execution.HOST, ScanKind.INCLUSIVE, longs, maximum, ElementType.INT64)) {
            scan.call(data, maxima, data.length);
            long[] expected = data.clone();
            Arrays.parallelPrefix(expected, Math::max);
            check("running maximum", Arrays.equals(expected, maxima));
            scan.call(keys, maxima, keys.length);
            check("of sorted elements", Arrays.equals(keys, maxima));
        }
        System.exit(allOk ? 0 : 1);
    }
}
