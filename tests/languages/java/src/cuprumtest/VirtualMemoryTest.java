package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.MemoryLocation;
import io.cuprum.VirtualMemoryResource;
import io.cuprum.VirtualMemoryResourceOptions;
import io.cuprum.VirtualMemoryResourceOptions.Access;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Virtual memory resources, whose buffers can grow. */
@ExtendWith(NoLeaks.class)
class VirtualMemoryTest {
    private final Device device = new Device(0);

    @Test
    void aBufferGrowsWithItsContent() {
        try (VirtualMemoryResource resource = new VirtualMemoryResource(device)) {
            long unit = resource.granularity();
            Buffer buffer = resource.allocate(16);
            buffer.copyFrom(new float[] {1, 2, 3, 4});
            for (long units : new long[] {1, 2, 5}) {
                Buffer grown = resource.modifyAllocation(buffer, units * unit);
                assertTrue(buffer.isClosed());
                assertEquals(units * unit, grown.size());
                assertEquals(0, grown.handle() % unit);
                assertSame(resource, grown.memoryResource());
                buffer = grown;
            }
            float[] back = new float[4];
            buffer.copyTo(back);
            assertEquals(4, back[3]);
            buffer.close();
        }
    }

    @Test
    void onlyBuffersOfTheResourceGrow() {
        try (VirtualMemoryResource resource = new VirtualMemoryResource(device);
                Buffer other = device.allocate(16);
                Buffer buffer = resource.allocate(16)) {
            assertThrows(InvalidArgumentException.class, () -> resource.modifyAllocation(other, 32));
            assertThrows(InvalidArgumentException.class, () -> resource.modifyAllocation(buffer, 8));
            assertThrows(IllegalArgumentException.class, () -> resource.modifyAllocation(buffer, -1));
            assertEquals(16, buffer.size());
            buffer.close();
            assertThrows(InvalidStateException.class, () -> resource.modifyAllocation(buffer, 32));
        }
    }

    @Test
    void hostMemoryIsUsedInPlaceAndGrows() throws InterruptedException {
        for (MemoryLocation location : List.of(
                MemoryLocation.host(), MemoryLocation.hostNuma(0), MemoryLocation.hostNumaCurrent())) {
            try (VirtualMemoryResource resource =
                    new VirtualMemoryResource(device, new VirtualMemoryResourceOptions(location))) {
                assertTrue(resource.isHostAccessible());
                Buffer buffer = resource.allocate(16);
                buffer.copyFrom(new int[] {1, 2, 3, 4});
                try (Buffer grown = resource.modifyAllocation(buffer, 3 * resource.granularity())) {
                    ByteBuffer view = grown.asByteBuffer().order(ByteOrder.nativeOrder());
                    assertEquals(4, view.getInt(12));
                    InvalidStateException refused = assertThrows(InvalidStateException.class,
                            () -> resource.modifyAllocation(grown, 9 * resource.granularity()));
                    assertTrue(refused.getMessage().contains("viewed as host memory"), refused.getMessage());
                    assertEquals(4, view.getInt(12));
                }
            }
        }
        Fixtures.liveHandlesWithoutGarbage();    // the views keep their memory as long as they are reachable
    }

    @Test
    void aBufferGrowsWithOtherOptions() {
        VirtualMemoryResourceOptions minimum = new VirtualMemoryResourceOptions(
                List.of(), Access.READ_WRITE, Access.READ, true, true, false, 0, 0, MemoryLocation.of(device));
        try (VirtualMemoryResource resource = new VirtualMemoryResource(device)) {
            Buffer buffer = resource.allocate(16);
            buffer.copyFrom(new int[] {1, 2, 3, 4});
            Buffer same = resource.modifyAllocation(buffer, 16, minimum);
            assertThrows(InvalidArgumentException.class,
                    () -> resource.modifyAllocation(same, 16, new VirtualMemoryResourceOptions(MemoryLocation.host())));
            try (Buffer grown = resource.modifyAllocation(same, 2 * resource.granularity(), minimum)) {
                int[] back = new int[4];
                grown.copyTo(back);
                assertEquals(4, back[3]);
            }
        }
    }

    @Test
    void optionsAreTaken() {
        VirtualMemoryResourceOptions options = new VirtualMemoryResourceOptions(
                List.of(device), Access.READ_WRITE, Access.READ, true, true, false, 0, 1 << 22, null);
        try (VirtualMemoryResource resource = new VirtualMemoryResource(device, options);
                Buffer buffer = resource.allocate(1)) {
            assertEquals(0, buffer.handle() % (1 << 22));
        }
        VirtualMemoryResourceOptions misaligned = new VirtualMemoryResourceOptions(
                List.of(), Access.READ_WRITE, Access.READ_WRITE, false, false, false, 0, 3, null);
        assertThrows(InvalidArgumentException.class, () -> new VirtualMemoryResource(device, misaligned));
    }
}
