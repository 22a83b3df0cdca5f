// Sorting data in host memory that is larger than the device's memory that the sort may take: it goes through in pieces.
// usage: java -cp cuprum.jar:examples ParallelLargerThanMemory

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.DeviceMemory;
import io.cuprum.ElementType;
import io.cuprum.HostArray;
import io.cuprum.HostElements;
import io.cuprum.LegacyPinnedMemoryResource;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.OutOfCore;
import io.cuprum.SortOrder;
import java.nio.IntBuffer;

public final class ParallelLargerThanMemory {
    private static final long LIMIT = 1 << 20;    // bytes
    private static final int N = (int) (2 * LIMIT / Integer.BYTES);    // twice as much

    private ParallelLargerThanMemory() {}

    public static void main(String[] arguments) {
        DeviceMemory limit = new DeviceMemory(new Device(0), LIMIT);
        HostArray largest = new HostArray(ElementType.INT32, 1);
        boolean ok = true;
        // Page-locked, so that copies in both directions and kernels run at once.
        try (LegacyPinnedMemoryResource pageLocked = new LegacyPinnedMemoryResource();
                Buffer memory = pageLocked.allocate((long) N * Integer.BYTES);
                Buffer target = pageLocked.allocate((long) N * Integer.BYTES);
                Operator maximum = new Operator(OpKind.MAXIMUM);
                OutOfCore.Reduce reduce = new OutOfCore.Reduce(limit, ElementType.INT32, maximum, ElementType.INT32);
                OutOfCore.RadixSort sort = new OutOfCore.RadixSort(limit, SortOrder.ASCENDING, ElementType.INT32)) {
            IntBuffer elements = memory.asByteBuffer().asIntBuffer();
            for (int i = 0; i < N; ++i) {
                elements.put(i, N - 1 - i);
            }
            HostElements numbers = HostElements.of(ElementType.INT32, memory);
            reduce.call(numbers, HostElements.of(largest));
            // The sorted runs may overwrite the input.
            sort.call(numbers, HostElements.of(ElementType.INT32, target), numbers);
            IntBuffer sorted = target.asByteBuffer().asIntBuffer();
            for (int i = 0; i < N; ++i) {
                ok = ok && sorted.get(i) == i;
            }
        }
        ok = ok && largest.get(0).number().intValue() == N - 1;
        System.out.println(4L * N + " bytes sorted with " + LIMIT + " of the device: " + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
