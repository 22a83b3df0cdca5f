// A batch of copies: the parts of a text in another order, in one call.
// usage: java -cp cuprum.jar:examples ParallelBatchedMemcpy

import io.cuprum.BatchedMemcpy;
import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Stream;
import java.nio.charset.StandardCharsets;

public final class ParallelBatchedMemcpy {
    private ParallelBatchedMemcpy() {}

    public static void main(String[] arguments) {
        byte[] text = "world hello ".getBytes(StandardCharsets.US_ASCII);
        byte[] found = new byte[text.length];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer from = device.allocate(text.length);
                Buffer to = device.allocate(text.length);
                Buffer sources = device.allocate(2L * Long.BYTES);
                Buffer targets = device.allocate(2L * Long.BYTES);
                Buffer sizes = device.allocate(2L * Integer.BYTES);
                ElementIterator inSources = ElementIterator.of(ElementType.UINT64, sources);
                ElementIterator inTargets = ElementIterator.of(ElementType.UINT64, targets);
                ElementIterator inSizes = ElementIterator.of(ElementType.INT32, sizes);
                BatchedMemcpy algorithm = new BatchedMemcpy(device, inSources, inTargets, inSizes)) {
            from.copyFrom(text);
            sources.copyFrom(new long[] {from.handle(), from.handle() + 6});
            targets.copyFrom(new long[] {to.handle() + 6, to.handle()});
            sizes.copyFrom(new int[] {6, 6});
            algorithm.call(stream, inSources, inTargets, inSizes, 2);
            stream.sync();
            to.copyTo(found);
        }
        boolean ok = new String(found, StandardCharsets.US_ASCII).equals("hello world ");
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
