// A histogram of several channels: how bright red, green and blue are in a picture of four pixels with alpha.
// usage: java -cp cuprum.jar:examples ParallelMultiHistogramEven

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.MultiHistogramEven;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelMultiHistogramEven {
    private ParallelMultiHistogramEven() {}

    public static void main(String[] arguments) {
        int[] hostPixels = {255, 0, 10, 1, 200, 64, 20, 1, 0, 65, 30, 0, 130, 255, 40, 0};
        long[] bins = {4, 2, 4};
        int[] found = new int[10];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer pixels = device.allocate(16);
                Buffer counts = device.allocate(10L * Integer.BYTES);
                ElementIterator samples = ElementIterator.of(ElementType.UINT8, pixels);
                MultiHistogramEven algorithm = new MultiHistogramEven(
                        device, samples, 4, 3, ElementType.INT32, ElementType.INT32)) {
            byte[] bytes = new byte[hostPixels.length];
            for (int i = 0; i < bytes.length; ++i) {
                bytes[i] = (byte) hostPixels[i];
            }
            pixels.copyFrom(bytes);
            algorithm.call(stream, samples, counts, bins, new int[] {0, 0, 0}, new int[] {256, 256, 256}, 4);
            stream.sync();
            counts.copyTo(found);
        }
        boolean ok = Arrays.equals(found, new int[] {1, 0, 1, 2, 3, 1, 4, 0, 0, 0});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
