// A memory resource that the program writes: it counts what a pool is asked for. The device then allocates from it.
// usage: java -cp cuprum.jar:examples CountingMemoryResource

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.DeviceMemoryResource;
import io.cuprum.MemoryAllocator;
import io.cuprum.MemoryResource;
import io.cuprum.Stream;
import io.cuprum.UserMemoryResource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

public final class CountingMemoryResource {
    private CountingMemoryResource() {}

    /** Memory of another resource, which it counts. */
    private static final class Counting implements MemoryAllocator {
        final AtomicLong bytes = new AtomicLong();
        final AtomicLong mostBytes = new AtomicLong();
        private final MemoryResource upstream;
        private final Map<Long, Buffer> live = new ConcurrentHashMap<>();

        Counting(MemoryResource upstream) {
            this.upstream = upstream;
        }

        @Override
        public long allocate(long size, Stream stream) {
            Buffer buffer = upstream.allocate(size, stream);
            live.put(buffer.handle(), buffer);
            mostBytes.accumulateAndGet(bytes.addAndGet(size), Math::max);
            return buffer.handle();
        }

        @Override
        public void deallocate(long address, long size, Stream stream) {
            bytes.addAndGet(-size);
            live.remove(address).close(stream);
        }
    }

    public static void main(String[] arguments) {
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                DeviceMemoryResource pool = new DeviceMemoryResource(device, 0)) {
            Counting counting = new Counting(pool);
            try (UserMemoryResource resource = new UserMemoryResource(device, counting)) {
                device.setMemoryResource(resource);
                Buffer first = device.allocate(1000, stream);
                Buffer second = device.allocate(2000, stream);
                first.fill(0, 1, stream);
                first.close();
                Buffer third = resource.allocate(500, stream);
                require(counting.bytes.get() == 2500 && counting.mostBytes.get() == 3000, "the count is wrong");
                second.close();
                third.close();
            }
            stream.sync();
            require(counting.bytes.get() == 0, "a buffer is left");
            System.out.println("at most " + counting.mostBytes + " bytes at a time on " + device.name());
        }
    }

    private static void require(boolean condition, String text) {
        if (!condition) {
            throw new IllegalStateException(text);
        }
    }
}
