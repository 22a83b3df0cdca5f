package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Cuprum;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.DeviceMemoryResource;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.LegacyPinnedMemoryResource;
import io.cuprum.MemoryAllocator;
import io.cuprum.MemoryKind;
import io.cuprum.MemoryResource;
import io.cuprum.OutOfMemoryException;
import io.cuprum.Stream;
import io.cuprum.UserMemoryResource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Memory resources that the program writes. */
@ExtendWith(NoLeaks.class)
class UserMemoryTest {
    private final Device device = new Device(0);

    private record Call(long address, long size, long stream) {}

    /** Takes memory from another resource, and writes down what is asked of it. */
    private static final class Recorder implements MemoryAllocator {
        final List<Call> allocated = Collections.synchronizedList(new ArrayList<>());
        final List<Call> freed = Collections.synchronizedList(new ArrayList<>());
        final Map<Long, Buffer> live = new ConcurrentHashMap<>();
        final MemoryResource upstream;
        RuntimeException failure;

        Recorder(MemoryResource upstream) {
            this.upstream = upstream;
        }

        @Override
        public long allocate(long size, Stream stream) {
            if (failure != null) {
                throw failure;
            }
            Buffer buffer = stream == null ? upstream.allocate(size) : upstream.allocate(size, stream);
            live.put(buffer.handle(), buffer);
            allocated.add(new Call(buffer.handle(), size, stream == null ? 0 : stream.handle()));
            return buffer.handle();
        }

        @Override
        public void deallocate(long address, long size, Stream stream) {
            freed.add(new Call(address, size, stream == null ? 0 : stream.handle()));
            Buffer buffer = live.remove(address);
            if (stream != null) {
                buffer.setDeallocationStream(stream);
            }
            buffer.close();
            if (failure != null) {
                throw failure;
            }
        }
    }

    @Test
    void aBufferIsFreedOnceInItsStream() {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 0); Stream stream = device.createStream();
                Stream second = device.createStream()) {
            Recorder recorder = new Recorder(pool);
            try (UserMemoryResource resource = new UserMemoryResource(device, recorder)) {
                assertSame(recorder, resource.allocator());
                assertEquals(0, resource.deviceId());
                assertFalse(resource.isHostAccessible());
                assertTrue(resource.isDeviceAccessible());
                Buffer buffer = resource.allocate(16, stream);
                long address = buffer.handle();
                assertEquals(List.of(new Call(address, 16, stream.handle())), recorder.allocated);
                assertSame(resource, buffer.memoryResource());
                buffer.fill(7, 1, stream);
                assertTrue(recorder.freed.isEmpty());
                buffer.close();
                buffer.close();
                assertEquals(List.of(new Call(address, 16, stream.handle())), recorder.freed);
                resource.allocate(16, stream).close(second);
                assertEquals(second.handle(), recorder.freed.get(1).stream());
                try (Buffer empty = resource.allocate(0, stream)) {
                    assertEquals(0, empty.size());
                }
                assertEquals(2, recorder.allocated.size());
            }
        }
    }

    @Test
    void withoutAStreamTheWorkIsDone() {
        try (LegacyPinnedMemoryResource pinned = new LegacyPinnedMemoryResource();
                UserMemoryResource resource = new UserMemoryResource(MemoryKind.PINNED, new Recorder(pinned))) {
            Buffer buffer = resource.allocate(16);
            assertEquals(-1, resource.deviceId());
            assertTrue(buffer.isHostAccessible());
            buffer.close();
            Recorder recorder = (Recorder) resource.allocator();
            assertEquals(0, recorder.freed.get(0).stream());
        }
    }

    @Test
    void whatTheAllocatorThrowsIsThrown() {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 1 << 22);
                Stream stream = device.createStream()) {
            Recorder recorder = new Recorder(pool);
            try (UserMemoryResource resource = new UserMemoryResource(device, recorder)) {
                assertThrows(OutOfMemoryException.class, () -> resource.allocate(1L << 40, stream));
                CuprumException inner = assertThrows(InvalidArgumentException.class, () -> resource.allocate(16));
                assertTrue(inner.getMessage().contains("a pool allocates in a stream"), inner.getMessage());
                recorder.failure = new IllegalStateException("out of paper");
                RuntimeException thrown = assertThrows(IllegalStateException.class, () -> resource.allocate(16, stream));
                assertSame(recorder.failure, thrown);
                recorder.failure = null;
                try (UserMemoryResource nothing = new UserMemoryResource(device, new MemoryAllocator() {
                    @Override
                    public long allocate(long size, Stream in) {
                        return 0;
                    }

                    @Override
                    public void deallocate(long address, long size, Stream in) {
                        throw new AssertionError("nothing was allocated");
                    }
                })) {
                    CuprumException error =
                            assertThrows(InvalidStateException.class, () -> nothing.allocate(16, stream));
                    assertTrue(error.getMessage().contains("null address for 16 bytes"), error.getMessage());
                }
            }
        }
    }

    @Test
    void whatFreeingThrowsGoesToTheThreadsHandler() throws InterruptedException {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 0); Stream stream = device.createStream()) {
            Recorder recorder = new Recorder(pool);
            List<Throwable> caught = Collections.synchronizedList(new ArrayList<>());
            try (UserMemoryResource resource = new UserMemoryResource(device, recorder)) {
                Buffer buffer = resource.allocate(16, stream);
                recorder.failure = new IllegalStateException("out of paper");
                Thread thread = new Thread(buffer::close);
                thread.setUncaughtExceptionHandler((where, error) -> caught.add(error));
                thread.start();
                thread.join();
                assertEquals(List.of(recorder.failure), caught);
            }
        }
    }

    @Test
    void itLivesAsLongAsItsBuffers() {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 0); Stream stream = device.createStream()) {
            Recorder recorder = new Recorder(pool);
            UserMemoryResource resource = new UserMemoryResource(device, recorder);
            Buffer buffer = resource.allocate(16, stream);
            resource.close();
            assertThrows(InvalidStateException.class, () -> resource.allocate(16, stream));
            buffer.close();
            assertEquals(1, recorder.freed.size());
        }
    }

    @Test
    void aDeviceAllocatesFromIt() {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 0); Stream stream = device.createStream();
                MemoryResource former = device.memoryResource()) {
            Recorder recorder = new Recorder(pool);
            UserMemoryResource resource = new UserMemoryResource(device, recorder);
            device.setMemoryResource(resource);
            resource.close();
            try (MemoryResource now = device.memoryResource(); Buffer buffer = device.allocate(16, stream);
                    MemoryResource of = buffer.memoryResource()) {
                assertSame(recorder, ((UserMemoryResource) now).allocator());
                assertSame(recorder, ((UserMemoryResource) of).allocator());
                assertEquals(1, recorder.allocated.size());
                recorder.failure = new IllegalStateException("out of paper");
                assertSame(recorder.failure,
                        assertThrows(IllegalStateException.class, () -> device.allocate(16, stream)));
                recorder.failure = null;
            } finally {
                device.setMemoryResource(former);
            }
            assertEquals(1, recorder.freed.size());
            try (LegacyPinnedMemoryResource pinned = new LegacyPinnedMemoryResource()) {
                assertThrows(InvalidArgumentException.class, () -> device.setMemoryResource(pinned));
            }
        }
    }

    @Test
    void memoryIsTakenOver() {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 0); Stream stream = device.createStream()) {
            Recorder recorder = new Recorder(pool);
            try (UserMemoryResource resource = new UserMemoryResource(device, recorder)) {
                long address = recorder.allocate(16, stream);
                assertThrows(InvalidArgumentException.class, () -> Buffer.fromHandle(resource, 0, 16, stream));
                try (Buffer buffer = Buffer.fromHandle(resource, address, 16, stream)) {
                    assertSame(resource, buffer.memoryResource());
                }
                assertEquals(List.of(new Call(address, 16, stream.handle())), recorder.freed);
                assertThrows(InvalidArgumentException.class, () -> Buffer.fromHandle(pool, 16, 16, null));
            }
        }
    }

    @Test
    void anyThreadMayUseIt() throws InterruptedException {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 0)) {
            Recorder recorder = new Recorder(pool);
            try (UserMemoryResource resource = new UserMemoryResource(device, recorder)) {
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 4; ++i) {
                    threads.add(new Thread(() -> {
                        try (Stream stream = device.createStream()) {
                            for (int turn = 0; turn < 50; ++turn) {
                                resource.allocate(256, stream).close();
                            }
                            stream.sync();
                        }
                    }));
                }
                threads.forEach(Thread::start);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            assertEquals(200, recorder.freed.size());
            assertTrue(recorder.live.isEmpty());
        }
    }

    private static void drop(Device device, Stream stream, Recorder recorder) {
        UserMemoryResource resource = new UserMemoryResource(device, recorder);
        resource.allocate(16, stream);
        resource.allocate(16, stream);
    }

    @Test
    void whatIsDroppedIsFreed() throws InterruptedException {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 0); Stream stream = device.createStream()) {
            long before = Cuprum.liveHandles();
            Recorder recorder = new Recorder(pool);
            drop(device, stream, recorder);
            Fixtures.awaitLiveHandles(before);
            assertEquals(2, recorder.freed.size());
            assertTrue(recorder.live.isEmpty());
        }
    }

    @Test
    void theProcessMayEndWithMemoryInUse() throws Exception {
        ChildProcess child = new ChildProcess.Builder().run("exit-with-user-memory");
        assertEquals(0, child.exitStatus, child.output);
        assertEquals("leaving\n", child.output);
    }

    @Test
    void whatItIsMadeOfIsChecked() {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 0)) {
            Recorder recorder = new Recorder(pool);
            assertThrows(NullPointerException.class, () -> new UserMemoryResource(device, null));
            assertThrows(InvalidArgumentException.class, () -> new UserMemoryResource(MemoryKind.DEVICE, recorder));
        }
    }
}
