// A histogram of ranges of several channels: red is dark or bright, green dark, medium or bright, blue not counted.
// usage: java -cp cuprum.jar:examples ParallelMultiHistogramRange

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.MultiHistogramRange;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelMultiHistogramRange {
    private ParallelMultiHistogramRange() {}

    public static void main(String[] arguments) {
        int[] hostPixels = {255, 0, 10, 200, 64, 20, 0, 65, 30, 130, 255, 40};
        int[] hostLevels = {0, 128, 256, 0, 60, 200, 256};
        long[] bins = {2, 3};
        int[] found = new int[5];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer pixels = device.allocate(12);
                Buffer levels = device.allocate(7L * Integer.BYTES);
                Buffer counts = device.allocate(5L * Integer.BYTES);
                ElementIterator samples = ElementIterator.of(ElementType.UINT8, pixels);
                MultiHistogramRange algorithm = new MultiHistogramRange(
                        device, samples, 3, 2, ElementType.INT32, ElementType.INT32)) {
            byte[] bytes = new byte[hostPixels.length];
            for (int i = 0; i < bytes.length; ++i) {
                bytes[i] = (byte) hostPixels[i];
            }
            pixels.copyFrom(bytes);
            levels.copyFrom(hostLevels);
            algorithm.call(stream, samples, levels, counts, bins, 4);
            stream.sync();
            counts.copyTo(found);
        }
        boolean ok = Arrays.equals(found, new int[] {1, 3, 1, 2, 1});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
