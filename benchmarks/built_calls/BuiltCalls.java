import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.RadixSort;
import io.cuprum.Reduce;
import io.cuprum.Scan;
import io.cuprum.ScanKind;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import io.cuprum.Transform;
import java.util.Locale;

/** Calls of built algorithms in Java, as built_calls.hpp says. */
public final class BuiltCalls {
    private static final int COUNT = 1024;
    private static final int BATCHES = 81;
    private static final int CALLS = 200;

    private BuiltCalls() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer in = device.allocate(COUNT * Float.BYTES);
                Buffer out = device.allocate(COUNT * Float.BYTES);
                ElementIterator elements = ElementIterator.of(ElementType.FLOAT32, in);
                Operator plus = new Operator(OpKind.PLUS);
                Operator times = new Operator("a * a");
                Reduce reduce = new Reduce(device, elements, plus, ElementType.FLOAT32);
                Scan scan = new Scan(device, ScanKind.INCLUSIVE, elements, plus, ElementType.FLOAT32);
                Transform square = new Transform(device, elements, times, ElementType.FLOAT32);
                RadixSort sort = new RadixSort(device, SortOrder.ASCENDING, ElementType.FLOAT32)) {
            in.copyFrom(new float[COUNT]);
            print("reduce", stream, () -> reduce.call(stream, elements, out, COUNT, 0f));
            print("inclusive scan", stream, () -> scan.call(stream, elements, out, COUNT));
            print("transform", stream, () -> square.call(stream, elements, out, COUNT));
            print("radix sort", stream, () -> sort.call(stream, in, out, COUNT));
        }
    }

    private static void print(String name, Stream stream, Runnable call) {
        double least = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < BATCHES; ++batch) {
            long begin = System.nanoTime();
            for (int i = 0; i < CALLS; ++i) {
                call.run();
            }
            least = Math.min(least, (System.nanoTime() - begin) / 1e3 / CALLS);
            stream.sync();
        }
        System.out.printf(Locale.ROOT, "%s\t%.3f%n", name, least);
    }
}
