package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Batch;
import io.cuprum.Buffer;
import io.cuprum.CopyOptions;
import io.cuprum.CopySourceAccessOrder;
import io.cuprum.Device;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.ManagedMemoryResource;
import io.cuprum.MemoryLocation;
import io.cuprum.Stream;
import io.cuprum.UnsupportedException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTest {
    private final Device device = new Device(0);

    @Test
    void buffersAreCopied() {
        try (Stream stream = device.createStream(); Buffer one = device.allocate(4); Buffer three = device.allocate(12);
                Buffer four = device.allocate(4); Buffer six = device.allocate(12)) {
            one.copyFrom(new int[] {1});
            three.copyFrom(new int[] {2, 3, 4});
            for (CopyOptions options : List.of(new CopyOptions(),
                    new CopyOptions(CopySourceAccessOrder.DURING_API_CALL),
                    new CopyOptions(CopySourceAccessOrder.ANY, MemoryLocation.of(device), MemoryLocation.host(),
                            true))) {
                four.fill(0, 4, stream);
                Batch.copy(stream, List.of(one, three), List.of(four, six), options);
                stream.sync();
                int[] numbers = new int[3];
                six.copyTo(numbers);
                assertArrayEquals(new int[] {2, 3, 4}, numbers);
                int[] number = new int[1];
                four.copyTo(number);
                assertArrayEquals(new int[] {1}, number);
            }
            Batch.copy(stream, List.of(), List.of());
            String text = assertThrows(InvalidArgumentException.class,
                    () -> Batch.copy(stream, List.of(one, three), List.of(four, one))).getMessage();
            assertTrue(text.contains("destination 1 has another size than source 1"), text);
            assertThrows(InvalidArgumentException.class, () -> Batch.copy(stream, List.of(one), List.of(one)));
            assertThrows(InvalidArgumentException.class, () -> Batch.copy(stream, List.of(one), List.of()));
            assertThrows(NullPointerException.class,
                    () -> Batch.copy(stream, Arrays.asList((Buffer) null), List.of(one)));
        }
    }

    @Test
    void closedBuffersAreRefused() {
        try (Stream stream = device.createStream(); Buffer one = device.allocate(4)) {
            Buffer closed = device.allocate(4);
            closed.close();
            assertThrows(InvalidStateException.class, () -> Batch.copy(stream, List.of(one), List.of(closed)));
        }
    }

    @Test
    void managedMemoryIsMovedAndDiscarded() {
        try (ManagedMemoryResource pool = new ManagedMemoryResource(); Stream stream = device.createStream();
                Buffer one = pool.allocate(4096, stream); Buffer two = pool.allocate(8, stream);
                Buffer of = device.allocate(16)) {
            one.fill(7, 1, stream);
            List<MemoryLocation> there = List.of(MemoryLocation.of(device));
            try {
                Batch.prefetch(stream, List.of(one, two), there);
                Batch.prefetch(stream, List.of(one, two), List.of(MemoryLocation.host(), MemoryLocation.of(device)));
                Batch.discardPrefetch(stream, List.of(two), there);
                Batch.discard(stream, List.of(two));
            } catch (UnsupportedException error) {
                assertFalse(device.isSimulator());    // CUDA 13.0 moves no memory of pools
            }
            stream.sync();
            byte[] bytes = new byte[4096];
            one.copyTo(bytes);
            for (byte value : bytes) {
                assertTrue(value == 7);
            }
            assertThrows(InvalidArgumentException.class, () -> Batch.prefetch(stream, List.of(one, two), List.of()));
            assertThrows(InvalidArgumentException.class, () -> Batch.discard(stream, List.of(of)));
        }
    }
}
