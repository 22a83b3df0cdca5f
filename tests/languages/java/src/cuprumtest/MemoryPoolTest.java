package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.DeviceMemoryResource;
import io.cuprum.DriverException;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.ManagedBuffer;
import io.cuprum.ManagedMemoryResource;
import io.cuprum.MemoryLocation;
import io.cuprum.MemoryPoolAttribute;
import io.cuprum.MemoryResource;
import io.cuprum.OutOfMemoryException;
import io.cuprum.PinnedMemoryResource;
import io.cuprum.PinnedMemoryResourceOptions;
import io.cuprum.PooledMemoryResource;
import io.cuprum.Stream;
import io.cuprum.UnsupportedException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Not with NoLeaks: memory that was viewed goes when the garbage collector finds that the views are unreachable. */
class MemoryPoolTest {
    private static final long MEBIBYTE = 1 << 20;

    private final Device device = new Device(0);

    @Test
    void aDevicesPoolCountsWhatItHolds() {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 0);
                Stream stream = device.createStream()) {
            pool.setAttribute(MemoryPoolAttribute.RELEASE_THRESHOLD, 0xFFFFFFFF00000001L);
            assertEquals(0xFFFFFFFF00000001L, pool.attribute(MemoryPoolAttribute.RELEASE_THRESHOLD));
            try (Buffer buffer = pool.allocate(MEBIBYTE, stream)) {
                assertTrue(pool.attribute(MemoryPoolAttribute.USED_MEM_CURRENT) >= MEBIBYTE);
                assertSame(pool, buffer.memoryResource());
                assertFalse(buffer.isHostAccessible());
            }
            stream.sync();
            assertEquals(0, pool.attribute(MemoryPoolAttribute.USED_MEM_CURRENT));
            pool.trimTo(0);
            assertEquals(0, pool.attribute(MemoryPoolAttribute.RESERVED_MEM_CURRENT));
            assertThrows(DriverException.class, () -> pool.setAttribute(MemoryPoolAttribute.USED_MEM_CURRENT, 1));
            assertTrue(pool.isHandleOwned());
            assertEquals(MemoryLocation.of(device), pool.location());
            assertTrue(pool.isAccessibleBy(device));
            assertEquals(List.of(), pool.peerAccessibleBy());
            assertThrows(InvalidArgumentException.class, () -> pool.setAccessibleBy(device, false));
        }
    }

    @Test
    void aPoolHasNoMoreThanItsLimit() {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 4 * MEBIBYTE);
                Stream stream = device.createStream()) {
            assertThrows(OutOfMemoryException.class, () -> pool.allocate(1024 * MEBIBYTE, stream));
            assertThrows(InvalidArgumentException.class, () -> pool.allocate(16));
        }
        assertThrows(IllegalArgumentException.class, () -> new DeviceMemoryResource(device, -1));
    }

    @Test
    void aPoolCanBecomeTheDevices() {
        try (DeviceMemoryResource former = new DeviceMemoryResource(device);
                DeviceMemoryResource pool = new DeviceMemoryResource(device, 0);
                Stream stream = device.createStream()) {
            assertFalse(former.isHandleOwned());
            device.setMemoryResource(pool);
            try (Buffer buffer = device.allocate(16, stream);
                    MemoryResource found = buffer.memoryResource()) {
                assertEquals(pool.handle(), ((PooledMemoryResource) found).handle());
            } finally {
                device.setMemoryResource(former);
            }
            assertEquals(former.handle(), new DeviceMemoryResource(device).handle());
        }
    }

    @Test
    void memoryThatNoBufferOwnsIsFreedByItsPoolOnly() {
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, 0);
                Stream stream = device.createStream();
                Buffer other = device.allocate(16)) {
            assertThrows(InvalidArgumentException.class, () -> pool.deallocate(other.handle(), 16, stream));
            pool.deallocate(0, 0, stream);
        }
    }

    @Test
    void pinnedMemoryIsTheHostsToo() {
        try (PinnedMemoryResource pool = new PinnedMemoryResource(new PinnedMemoryResourceOptions(4 * MEBIBYTE, -1));
                PinnedMemoryResource drivers = new PinnedMemoryResource();
                Stream stream = device.createStream();
                Buffer buffer = pool.allocate(4, stream)) {
            buffer.fill(7, 1, stream);
            stream.sync();
            assertEquals(0x07070707, buffer.asByteBuffer().getInt(0));
            assertEquals(MemoryLocation.host(), pool.location());
            assertFalse(drivers.isHandleOwned());
            assertTrue(pool.isAccessibleBy(device));
        }
        assertThrows(IllegalArgumentException.class, () -> new PinnedMemoryResourceOptions(-1, -1));
    }

    @Test
    void managedMemoryMoves() {
        try (ManagedMemoryResource pool = new ManagedMemoryResource();
                ManagedMemoryResource onDevice = new ManagedMemoryResource(MemoryLocation.of(device));
                Stream stream = device.createStream();
                ManagedBuffer buffer = pool.allocate(MEBIBYTE, stream)) {
            assertNull(pool.preferredLocation());
            assertEquals(MemoryLocation.of(device), onDevice.preferredLocation());
            assertTrue(buffer.isManaged());
            buffer.prefetch(MemoryLocation.of(device), stream);
            buffer.discard(stream);
            buffer.discardPrefetch(MemoryLocation.of(device), stream);
            buffer.fill(7, 1, stream);
            buffer.prefetch(MemoryLocation.host(), stream);
            stream.sync();
            assertEquals(7, buffer.asByteBuffer().get(1000));
            buffer.close();
            assertThrows(InvalidStateException.class, () -> buffer.prefetch(MemoryLocation.host(), stream));
        }
        assertThrows(IllegalArgumentException.class, () -> MemoryLocation.hostNuma(-1));
    }

    @Test
    void managedMemoryTakesAdvice() {
        try (ManagedMemoryResource pool = new ManagedMemoryResource(); Stream stream = device.createStream();
                ManagedBuffer buffer = pool.allocate(MEBIBYTE, stream)) {
            assertFalse(buffer.isReadMostly());
            try {
                buffer.setReadMostly(true);
            } catch (UnsupportedException error) {
                assertFalse(device.isSimulator(), error.getMessage());
                assumeTrue(false, "this driver takes no advice about memory of a pool");
            }
            assertTrue(buffer.isReadMostly());
            buffer.setPreferredLocation(MemoryLocation.of(device));
            assertEquals(MemoryLocation.of(device), buffer.preferredLocation());
            buffer.setPreferredLocation(null);
            assertNull(buffer.preferredLocation());
            buffer.setAccessedBy(MemoryLocation.of(device), true);
            assertTrue(buffer.isAccessedBy(MemoryLocation.of(device)));
            buffer.setAccessedBy(MemoryLocation.of(device), false);
            assertFalse(buffer.isAccessedBy(MemoryLocation.of(device)));
        }
    }
}
