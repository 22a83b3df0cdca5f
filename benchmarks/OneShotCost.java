import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Value;

/** What a reduction and a sort over host data cost in Java, in one call. */
public final class OneShotCost {
    private OneShotCost() {}

    public static void main(String[] arguments) {
        System.out.println("# Java");
        for (int count : new int[] {1000, 1 << 16, 1 << 20}) {
            float[] data = new float[count];
            for (int i = 0; i < count; ++i) {
                data[i] = i;
            }
            int calls = count <= 1 << 16 ? 50 : 5;
            try (Operator plus = new Operator(OpKind.PLUS)) {
                System.out.printf("reduce, Java\t%d\t%.1f us%n", count,
                        microseconds(calls, () -> Parallel.reduce(data, Value.of(0f), plus)));
            }
            System.out.printf("sort, Java\t%d\t%.1f us%n", count, microseconds(calls, () -> Parallel.sort(data)));
        }
    }

    /** Of the fastest batch. The first call builds. */
    private static double microseconds(int calls, Runnable call) {
        double least = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < 15; ++batch) {
            long begin = System.nanoTime();
            for (int i = 0; i < calls; ++i) {
                call.run();
            }
            least = Math.min(least, (System.nanoTime() - begin) / 1e3 / calls);
        }
        return least;
    }
}
