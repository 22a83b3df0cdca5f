package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.DeviceMemoryResource;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.PinnedMemoryResource;
import io.cuprum.PinnedMemoryResourceOptions;
import io.cuprum.Stream;
import org.junit.jupiter.api.Test;

class SharedPoolTest {
    private final Device device = new Device(0);

    @Test
    void aPoolIsSharedByAFileDescriptorAndABufferByBytes() {
        try (DeviceMemoryResource pool = DeviceMemoryResource.createShareable(device, 1 << 22);
                Stream stream = device.createStream(); Buffer buffer = pool.allocate(4, stream)) {
            assertTrue(pool.isIpcEnabled());
            assertFalse(pool.isMapped());
            assertEquals(64, buffer.ipcHandle().length);
            int descriptor = pool.allocationHandle();
            assertTrue(descriptor >= 0);
            buffer.copyFrom(new int[] {7}, stream);
            if (device.isSimulator()) {    // which lets a process open its own pool
                try (DeviceMemoryResource mapped = DeviceMemoryResource.fromAllocationHandle(device, descriptor)) {
                    assertTrue(mapped.isMapped());
                    assertThrows(InvalidStateException.class, () -> mapped.allocate(4, stream));
                    assertThrows(InvalidStateException.class, mapped::allocationHandle);
                    try (Buffer opened = Buffer.fromIpcHandle(mapped, buffer.ipcHandle(), 4, stream)) {
                        int[] found = new int[1];
                        opened.copyTo(found, stream);
                        assertArrayEquals(new int[] {7}, found);
                    }
                    assertThrows(InvalidArgumentException.class,
                            () -> Buffer.fromIpcHandle(mapped, new byte[3], 4, stream));
                    stream.sync();
                }
            }
            assertThrows(InvalidArgumentException.class,
                    () -> Buffer.fromIpcHandle(pool, buffer.ipcHandle(), 4, stream));
        }
    }

    @Test
    void aPoolOfHostMemoryIsShared() {
        try (PinnedMemoryResource pool = PinnedMemoryResource.createShareable(new PinnedMemoryResourceOptions(1 << 22, -1));
                Stream stream = device.createStream(); Buffer buffer = pool.allocate(4, stream)) {
            assertTrue(pool.isIpcEnabled());
            assertEquals(64, buffer.ipcHandle().length);
            int descriptor = pool.allocationHandle();
            stream.sync();
            buffer.asByteBuffer().put(0, (byte) 7);
            if (device.isSimulator()) {    // which lets a process open its own pool
                try (PinnedMemoryResource mapped = PinnedMemoryResource.fromAllocationHandle(descriptor);
                        Buffer opened = Buffer.fromIpcHandle(mapped, buffer.ipcHandle(), 4, stream)) {
                    assertTrue(mapped.isMapped());
                    assertEquals(7, opened.asByteBuffer().get(0));
                }
                stream.sync();
            }
        }
        assertThrows(InvalidArgumentException.class, () -> PinnedMemoryResource.fromAllocationHandle(-1));
    }

    @Test
    void whatCannotBeSharedIsRefused() {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 1 << 22); Buffer buffer = device.allocate(4)) {
            assertFalse(pool.isIpcEnabled());
            assertThrows(InvalidStateException.class, pool::allocationHandle);
            assertThrows(InvalidArgumentException.class, buffer::ipcHandle);
            assertThrows(InvalidArgumentException.class, () -> DeviceMemoryResource.fromAllocationHandle(device, -1));
        }
    }
}
