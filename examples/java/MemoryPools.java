// Memory pools: a device's, with what it holds; page-locked host memory; and managed memory, which moves.
// usage: java -cp cuprum.jar:examples MemoryPools

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.DeviceMemoryResource;
import io.cuprum.ManagedBuffer;
import io.cuprum.ManagedMemoryResource;
import io.cuprum.MemoryLocation;
import io.cuprum.MemoryPoolAttribute;
import io.cuprum.PinnedMemoryResource;
import io.cuprum.Stream;
import java.nio.IntBuffer;

public final class MemoryPools {
    private static final int N = 100_000;
    private static final int SIZE = N * Integer.BYTES;

    private MemoryPools() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        try (Stream stream = device.createStream()) {
            devicePool(device, stream);
            hostPools(device, stream);
        }
        System.out.println("pools of device, pinned and managed memory on " + device.name());
    }

    /** What is freed stays with the pool, up to its threshold, until it is trimmed. */
    private static void devicePool(Device device, Stream stream) {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 64 << 20)) {
            pool.setAttribute(MemoryPoolAttribute.RELEASE_THRESHOLD, 64 << 20);
            for (int round = 0; round < 3; ++round) {
                try (Buffer buffer = pool.allocate(SIZE, stream)) {
                    buffer.fill(0, 1, stream);
                }
            }
            stream.sync();
            require(pool.attribute(MemoryPoolAttribute.USED_MEM_CURRENT) == 0, "a buffer is left");
            long held = pool.attribute(MemoryPoolAttribute.RESERVED_MEM_CURRENT);
            pool.trimTo(0);
            require(held >= SIZE && pool.attribute(MemoryPoolAttribute.RESERVED_MEM_CURRENT) == 0,
                    "trimming did nothing");
        }
    }

    private static void hostPools(Device device, Stream stream) {
        try (PinnedMemoryResource pinned = new PinnedMemoryResource();
                ManagedMemoryResource managed = new ManagedMemoryResource();
                Buffer source = pinned.allocate(SIZE, stream);
                ManagedBuffer moving = managed.allocate(SIZE, stream)) {
            stream.sync();    // before the host uses what was allocated in the stream
            IntBuffer values = source.asByteBuffer().asIntBuffer();
            for (int i = 0; i < N; ++i) {
                values.put(i, i);
            }
            moving.prefetch(MemoryLocation.of(device), stream);
            moving.copyFrom(source, stream);
            moving.prefetch(MemoryLocation.host(), stream);
            stream.sync();
            require(moving.asByteBuffer().asIntBuffer().get(N - 1) == N - 1, "the last value is wrong");
        }
    }

    private static void require(boolean condition, String text) {
        if (!condition) {
            throw new IllegalStateException(text);
        }
    }
}
