package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.Region;
import io.cuprum.Stream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import org.junit.jupiter.api.Test;

class RegionTest {
    private final Device device = new Device(0);

    /** 6 rows of 10 bytes; the region is columns 2 to 5 of rows 1 to 3. */
    private static final Region MIDDLE = new Region(4, 3, 12, 10);

    private static byte[] matrix() {
        byte[] bytes = new byte[60];
        for (int index = 0; index < bytes.length; ++index) {
            bytes[index] = (byte) index;
        }
        return bytes;
    }

    private static final byte[] PART = {12, 13, 14, 15, 22, 23, 24, 25, 32, 33, 34, 35};

    @Test
    void aPartOfAMatrixIsCopiedToTheHeapAndBack() {
        try (Buffer buffer = device.allocate(60); Stream stream = device.createStream()) {
            buffer.copyFrom(matrix());
            byte[] part = new byte[12];
            buffer.copyRegionTo(ByteBuffer.wrap(part).order(ByteOrder.nativeOrder()), MIDDLE);
            assertArrayEquals(PART, part);

            // What lies between the rows on the heap stays as it was.
            byte[] apart = new byte[20];
            java.util.Arrays.fill(apart, (byte) 99);
            buffer.copyRegionTo(ByteBuffer.wrap(apart).order(ByteOrder.nativeOrder()), MIDDLE, new Region(4, 3, 1, 7),
                    stream);
            assertArrayEquals(new byte[] {99, 12, 13, 14, 15, 99, 99, 99, 22, 23, 24, 25, 99, 99, 99, 32, 33, 34, 35, 99},
                    apart);

            buffer.copyFrom(new byte[60]);
            buffer.copyRegionFrom(ByteBuffer.wrap(part).order(ByteOrder.nativeOrder()), MIDDLE);
            byte[] expected = new byte[60];
            for (int row = 0; row < 3; ++row) {
                System.arraycopy(PART, 4 * row, expected, 12 + 10 * row, 4);
            }
            byte[] all = new byte[60];
            buffer.copyTo(all);
            assertArrayEquals(expected, all);
        }
    }

    @Test
    void directMemoryIsCopiedInAStream() {
        try (Buffer buffer = device.allocate(60); Stream stream = device.createStream()) {
            ByteBuffer source = ByteBuffer.allocateDirect(60).order(ByteOrder.nativeOrder()).put(matrix()).flip();
            buffer.copyRegionFrom(source, MIDDLE, MIDDLE, stream);
            ByteBuffer back = ByteBuffer.allocateDirect(12).order(ByteOrder.nativeOrder());
            buffer.copyRegionTo(back, MIDDLE, MIDDLE.packed(), stream);
            stream.sync();
            byte[] part = new byte[12];
            back.get(part);
            assertArrayEquals(PART, part);
        }
    }

    @Test
    void regionsAreCopiedBetweenBuffersAndFilled() {
        try (Buffer source = device.allocate(48); Buffer target = device.allocate(96);
                Stream stream = device.createStream()) {
            int[] numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
            source.copyFrom(numbers);
            Region slices = new Region(8, 1, 3, 8, 0, 32);
            target.fill(-1, 4, stream);
            target.copyRegionFrom(source, slices, new Region(8, 1, 3, 0, 0, 16), stream);
            target.fillRegion(new Region(4, 3, 0, 32), 7, 4, stream);
            int[] all = new int[24];
            target.copyTo(IntBuffer.wrap(all), stream);
            assertArrayEquals(new int[] {7, -1, 0, 1, -1, -1, -1, -1, 7, -1, 4, 5, -1, -1, -1, -1, 7, -1, 8, 9, -1, -1,
                -1, -1}, all);
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        try (Buffer buffer = device.allocate(100); Stream stream = device.createStream()) {
            Region large = new Region(10, 11, 0, 0);
            String text = assertThrows(InvalidArgumentException.class, () -> buffer.fillRegion(large, 0, 1, stream))
                    .getMessage();
            assertTrue(text.contains("filling a region") && text.contains("ends at byte 110"), text);
            Region row = new Region(10, 1, 0, 0);
            assertThrows(InvalidArgumentException.class,
                    () -> buffer.copyRegionFrom(buffer, row, new Region(10, 1, 5, 0), stream));
            assertThrows(InvalidArgumentException.class, () -> buffer.copyRegionFrom(ByteBuffer.allocateDirect(9)
                    .order(ByteOrder.nativeOrder()), row));
            assertThrows(InvalidArgumentException.class,
                    () -> buffer.fillRegion(new Region(0xFFFFFFFF00000001L, 1, 0, 0), 0, 1, stream));
            assertThrows(IllegalArgumentException.class, () -> buffer.copyRegionTo(ByteBuffer.allocate(10)
                    .order(ByteOrder.nativeOrder()).asReadOnlyBuffer().order(ByteOrder.nativeOrder()), row));
            buffer.close();
            assertThrows(InvalidStateException.class, () -> buffer.fillRegion(row, 0, 1, stream));
            assertThrows(InvalidStateException.class, () -> buffer.copyRegionFrom(ByteBuffer.allocateDirect(10)
                    .order(ByteOrder.nativeOrder()), row));
        }
    }

    @Test
    void aRowPitchKeepsRowsAligned() {
        long pitch = device.rowPitch(100);
        assertTrue(pitch >= 100);
        assertEquals(pitch, device.rowPitch(pitch));
        assertThrows(InvalidArgumentException.class, () -> device.rowPitch(-1));
    }
}
