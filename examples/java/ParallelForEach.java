// A call for each position: how often each remainder occurs, counted through an address in the operator's state.
// usage: java -cp cuprum.jar:examples ParallelForEach

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.ForEach;
import io.cuprum.Operator;
import io.cuprum.Stream;
import io.cuprum.Value;
import java.util.Arrays;

public final class ParallelForEach {
    private ParallelForEach() {}

    public static void main(String[] arguments) {
        int[] found = new int[4];
        ElementType target = ElementType.structure("Target", ElementType.field("counts", ElementType.UINT64));
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer counts = device.allocate(4L * Integer.BYTES);
                ElementIterator positions = ElementIterator.counting(ElementType.INT32, 0);
                Operator countRemainder = new Operator(
                        "atomicAdd(reinterpret_cast<int*>(counts) + a % 4, 1)", Value.of(target, counts.handle()));
                ForEach algorithm = new ForEach(device, positions, countRemainder)) {
            counts.copyFrom(new int[4]);
            algorithm.call(stream, positions, 1000);
            stream.sync();
            counts.copyTo(found);
        }
        boolean ok = Arrays.equals(found, new int[] {250, 250, 250, 250});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
