// A merge sort by a comparison of one's own: structs, stable, and numbers with values that move with them.
// usage: java -cp cuprum.jar:examples ParallelMergeSort

import io.cuprum.ElementType;
import io.cuprum.HostArray;
import io.cuprum.Parallel;
import java.util.stream.IntStream;

public final class ParallelMergeSort {
    private ParallelMergeSort() {}

    public static void main(String[] arguments) {
        ElementType point = ElementType.structure("Point", ElementType.field("x", ElementType.FLOAT32),
                ElementType.field("tag", ElementType.INT32));
        int[] keys = IntStream.range(0, 5000).map(i -> (int) (i * 7919L % 10007)).toArray();
        int[] positions = IntStream.range(0, keys.length).toArray();
        HostArray points = new HostArray(point, keys.length);
        for (int i = 0; i < keys.length; ++i) {
            points.set(i, keys[i] % 100, i);
        }
        Parallel.sort(points, "a.x < b.x");
        Parallel.sortByKey(keys, positions, "a % 100 < b % 100");

        // Both sorts are stable and by the same remainder, so they agree.
        boolean ok = true;
        for (int i = 0; i < keys.length; ++i) {
            ok = ok && (i == 0 || keys[i - 1] % 100 <= keys[i] % 100)
                    && points.get(i).get("tag").number().intValue() == positions[i];
        }
        System.out.println("first " + positions[0] + ", last " + positions[4999] + ": " + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
