// Copies and fills of a part of an image, whose rows are aligned on the device, and without gaps on the host.
// usage: java -cp cuprum.jar:examples PitchedCopies

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Region;
import io.cuprum.Stream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

public final class PitchedCopies {
    private static final int WIDTH = 200;    // of the image, a byte a pixel
    private static final int HEIGHT = 100;

    private PitchedCopies() {}

    private static ByteBuffer hostImage() {
        return ByteBuffer.allocateDirect(WIDTH * HEIGHT).order(ByteOrder.nativeOrder());
    }

    public static void main(String[] arguments) {
        Device device = new Device(0);
        long pitch = device.rowPitch(WIDTH);
        ByteBuffer pixels = hostImage();
        ByteBuffer result = hostImage();
        for (int i = 0; i < WIDTH * HEIGHT; ++i) {
            pixels.put(i, (byte) (i % WIDTH));
        }
        try (Stream stream = device.createStream();
                Buffer image = device.allocate(pitch * HEIGHT, stream);
                Buffer tile = device.allocate(32 * 32, stream)) {
            Region all = new Region(WIDTH, HEIGHT, 0, pitch);
            Region from = new Region(32, 32, 10 * pitch + 20, pitch);
            Region to = new Region(32, 32, 60 * pitch + 100, pitch);
            image.copyRegionFrom(pixels, all, all.packed(), stream);
            tile.copyRegionFrom(image, from.packed(), from, stream);
            image.copyRegionFrom(tile, to, to.packed(), stream);
            image.fillRegion(from, 255, 1, stream);
            image.copyRegionTo(result, all, all.packed(), stream);
            stream.sync();
        }
        int wrong = 0;
        for (int y = 0; y < HEIGHT; ++y) {
            for (int x = 0; x < WIDTH; ++x) {
                int expected = x;
                if (x >= 20 && x < 52 && y >= 10 && y < 42) {
                    expected = 255;
                }
                if (x >= 100 && x < 132 && y >= 60 && y < 92) {
                    expected = x - 80;
                }
                wrong += Byte.toUnsignedInt(result.get(y * WIDTH + x)) == expected ? 0 : 1;
            }
        }
        System.out.printf("an image of %d x %d pixels on %s: %d wrong%n", WIDTH, HEIGHT, device.name(), wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }
}
