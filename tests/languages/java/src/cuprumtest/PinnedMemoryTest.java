package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Cuprum;
import io.cuprum.Device;
import io.cuprum.DriverException;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.LegacyPinnedMemoryResource;
import io.cuprum.OutOfMemoryException;
import io.cuprum.Stream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.junit.jupiter.api.Test;

/** Not with NoLeaks: memory that was viewed goes when the garbage collector finds that the views are unreachable. */
class PinnedMemoryTest {
    private static final int N = 1000;

    private final Device device = new Device(0);

    @Test
    void theHostAndKernelsUseTheSameBytes() {
        try (LegacyPinnedMemoryResource resource = new LegacyPinnedMemoryResource();
                Kernel saxpy = Fixtures.kernel(Fixtures.SAXPY, "saxpy");
                Stream stream = device.createStream();
                Buffer x = resource.allocate(N * Float.BYTES);
                Buffer y = resource.allocate(N * Float.BYTES, stream)) {
            FloatBuffer xs = x.asByteBuffer().asFloatBuffer();
            FloatBuffer ys = y.asByteBuffer().asFloatBuffer();
            for (int i = 0; i < N; ++i) {
                xs.put(i, i);
                ys.put(i, 1);
            }
            stream.launch(new LaunchConfig(4, 256), saxpy, 2.0f, x, y, N);
            stream.sync();
            for (int i = 0; i < N; ++i) {
                assertEquals(2.0f * i + 1, ys.get(i));
            }
        }
    }

    @Test
    void hostMemoryThatExistsIsRegistered() {
        ByteBuffer memory = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        try (Stream stream = device.createStream();
                Buffer buffer = Buffer.registerHostMemory(memory.asIntBuffer())) {
            buffer.fill(7, 1, stream);
            stream.sync();
            assertEquals(0x07070707, memory.getInt(12));
            assertTrue(buffer.isHostAccessible());
            assertNull(buffer.memoryResource());
            assertThrows(DriverException.class, () -> Buffer.registerHostMemory(memory));
        }
        Buffer.registerHostMemory(memory).close();
    }

    @Test
    void registeredMemoryIsKeptAndItsViewsKeepItRegistered() {
        Buffer buffer = Buffer.registerHostMemory(ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder()));
        ByteBuffer view = buffer.asByteBuffer();
        buffer.close();
        view.putInt(12, 9);
        assertEquals(9, view.getInt(12));
        assertThrows(DriverException.class, () -> Buffer.registerHostMemory(view));
    }

    @Test
    void aBufferKnowsItsMemory() {
        try (LegacyPinnedMemoryResource resource = new LegacyPinnedMemoryResource();
                Buffer buffer = resource.allocate(16);
                Buffer ofDevice = device.allocate(16);
                Buffer borrowed = Buffer.fromHandle(device, buffer.handle(), 16)) {
            assertTrue(buffer.isHostAccessible() && buffer.isDeviceAccessible() && !buffer.isManaged());
            assertSame(resource, buffer.memoryResource());
            assertTrue(resource.isHostAccessible() && resource.isDeviceAccessible() && !resource.isManaged());
            assertEquals(-1, resource.deviceId());
            assertTrue(ofDevice.isDeviceAccessible() && !ofDevice.isHostAccessible());
            assertNull(ofDevice.memoryResource());
            assertTrue(borrowed.isHostAccessible());
        }
    }

    @Test
    void copiesInAStreamReturnBeforeTheStreamGetsToThem() {
        device.setCurrent();
        try (LegacyPinnedMemoryResource resource = new LegacyPinnedMemoryResource();
                Gate gate = new Gate();
                Stream stream = device.createStream();
                Buffer source = resource.allocate(8);
                Buffer target = resource.allocate(8);
                Buffer ofDevice = device.allocate(8)) {
            source.asByteBuffer().putLong(0, 0x0807060504030201L);
            // If one of them waited for the stream, this would never end.
            gate.stop(stream.handle());
            ofDevice.copyFrom(source, stream);
            ofDevice.copyFrom(source.asByteBuffer(0, 2), 6, stream);
            target.copyFrom(ofDevice, stream);
            ofDevice.copyTo(target.asByteBuffer(0, 2), 6, stream);
            assertFalse(stream.isDone());
            gate.open();
            stream.sync();
            assertEquals(0x0201060504030201L, target.asByteBuffer().getLong(0));
        }
    }

    @Test
    void aViewIsOfThePartThatIsAskedFor() {
        try (LegacyPinnedMemoryResource resource = new LegacyPinnedMemoryResource();
                Buffer buffer = resource.allocate(16);
                Buffer empty = resource.allocate(0);
                Buffer ofDevice = device.allocate(16)) {
            ByteBuffer part = buffer.asByteBuffer(4, 8);
            assertTrue(part.isDirect());
            assertEquals(8, part.capacity());
            assertEquals(ByteOrder.nativeOrder(), part.order());
            part.putInt(0, 42);
            assertEquals(42, buffer.asByteBuffer().getInt(4));
            assertEquals(0, empty.asByteBuffer().capacity());
            InvalidArgumentException tooMuch =
                    assertThrows(InvalidArgumentException.class, () -> buffer.asByteBuffer(9, 8));
            assertTrue(tooMuch.getMessage().startsWith("viewing 8 bytes as host memory"), tooMuch.getMessage());
            assertThrows(InvalidArgumentException.class, () -> buffer.asByteBuffer(-1, 8));
            assertThrows(IllegalArgumentException.class, () -> buffer.asByteBuffer(0, -1));
            InvalidArgumentException error = assertThrows(InvalidArgumentException.class, ofDevice::asByteBuffer);
            assertTrue(error.getMessage().contains("pinned memory resource"), error.getMessage());
        }
    }

    @Test
    void aViewKeepsTheMemoryOfAClosedBuffer() throws InterruptedException {
        try (LegacyPinnedMemoryResource resource = new LegacyPinnedMemoryResource()) {
            Buffer buffer = resource.allocate(16);
            ByteBuffer slice = buffer.asByteBuffer().position(8).slice().order(ByteOrder.nativeOrder());
            buffer.close();
            System.gc();
            slice.putLong(0, Fixtures.WIDE);
            assertEquals(Fixtures.WIDE, slice.getLong(0));
            assertThrows(InvalidStateException.class, buffer::asByteBuffer);
            long withView = Cuprum.liveHandles();
            slice = null;
            Fixtures.awaitLiveHandles(withView - 1);
        }
    }

    @Test
    void buffersOutliveTheirResource() {
        LegacyPinnedMemoryResource resource = new LegacyPinnedMemoryResource();
        try (Buffer buffer = resource.allocate(8)) {
            resource.close();
            buffer.asByteBuffer().putInt(0, 1);
            assertSame(resource, buffer.memoryResource());
            InvalidStateException error = assertThrows(InvalidStateException.class, () -> resource.allocate(8));
            assertTrue(error.getMessage().contains("allocating from a memory resource"), error.getMessage());
        }
    }

    @Test
    void whatCannotBeAllocatedOrFreedIsRefused() {
        try (LegacyPinnedMemoryResource resource = new LegacyPinnedMemoryResource();
                Stream stream = device.createStream()) {
            assertThrows(OutOfMemoryException.class, () -> resource.allocate(1L << 50));
            assertThrows(IllegalArgumentException.class, () -> resource.allocate(-1));
            resource.deallocate(0, 0);
            resource.deallocate(0, 0, stream);
            assertThrows(DriverException.class, () -> resource.deallocate(4096, 8));
        }
    }

    @Test
    void memoryIsFreedInTheStreamOfChoice() {
        try (LegacyPinnedMemoryResource resource = new LegacyPinnedMemoryResource();
                Stream stream = device.createStream();
                Stream second = device.createStream()) {
            for (Buffer buffer : new Buffer[] {resource.allocate(8, stream), device.allocate(8, stream)}) {
                stream.sync();
                buffer.fill(1, 1, second);
                buffer.setDeallocationStream(second);
                buffer.close();
                assertThrows(InvalidStateException.class, () -> buffer.setDeallocationStream(second));
                buffer.close(second);
            }
            device.allocate(8).close(second);
            try (Buffer lender = device.allocate(8);
                    Buffer borrowed = Buffer.fromHandle(device, lender.handle(), 8)) {
                assertThrows(InvalidArgumentException.class, () -> borrowed.setDeallocationStream(second));
            }
        }
    }
}
