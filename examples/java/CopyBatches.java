// Many copies in one call: pieces of the program's own memory, which is page-locked where it lies, go to a device and
// come back.
// usage: java -cp cuprum.jar:examples CopyBatches

import io.cuprum.Batch;
import io.cuprum.Buffer;
import io.cuprum.CopyOptions;
import io.cuprum.CopySourceAccessOrder;
import io.cuprum.Device;
import io.cuprum.Stream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

public final class CopyBatches {
    private static final int PIECES = 20;
    private static final int UNIT = 1000;    // piece i has (i + 1) * UNIT numbers
    private static final int N = PIECES * (PIECES + 1) / 2 * UNIT;

    private CopyBatches() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        ByteBuffer values = direct();
        ByteBuffer result = direct();
        for (int i = 0; i < N; ++i) {
            values.putInt(i * Integer.BYTES, i);
        }
        List<Buffer> onDevice = new ArrayList<>();
        try (Buffer source = Buffer.registerHostMemory(values);
                Buffer target = Buffer.registerHostMemory(result);
                Stream stream = device.createStream()) {
            List<Buffer> from = piecesOf(source, device);
            List<Buffer> to = piecesOf(target, device);
            for (Buffer piece : from) {
                onDevice.add(device.allocate(piece.size(), stream));
            }

            Batch.copy(stream, from, onDevice);
            Batch.copy(stream, onDevice, to, new CopyOptions(CopySourceAccessOrder.STREAM, null, null, true));
            stream.sync();

            for (List<Buffer> buffers : List.of(onDevice, to, from)) {
                buffers.forEach(Buffer::close);
            }
        }
        boolean right = result.equals(values);
        System.out.printf("%d buffers copied in one call on %s: %s%n", PIECES, device.name(), right ? "right" : "wrong");
        System.exit(right ? 0 : 1);
    }

    private static ByteBuffer direct() {
        return ByteBuffer.allocateDirect(N * Integer.BYTES).order(ByteOrder.nativeOrder());
    }

    private static List<Buffer> piecesOf(Buffer memory, Device device) {
        List<Buffer> found = new ArrayList<>();
        long offset = 0;
        for (int i = 1; i <= PIECES; ++i) {
            long size = (long) i * UNIT * Integer.BYTES;
            found.add(Buffer.fromHandle(device, memory.handle() + offset, size));
            offset += size;
        }
        return found;
    }
}
