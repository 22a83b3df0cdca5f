package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Stream;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class HostMemoryTest {
    /** Not a multiple of the pieces in which heap memory is copied, and more than one of them. */
    private static final int BYTES = (5 << 19) + 24;

    private final Device device = new Device(0);

    private static byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    /** Every kind of java.nio buffer over the same bytes, on the heap where `heap`, else direct. */
    private static List<java.nio.Buffer> views(byte[] content, boolean heap) {
        ByteBuffer direct = Fixtures.direct(content.length).put(content).flip().order(ByteOrder.nativeOrder());
        if (!heap) {
            return List.of(direct, direct.asShortBuffer(), direct.asCharBuffer(), direct.asIntBuffer(),
                    direct.asLongBuffer(), direct.asFloatBuffer(), direct.asDoubleBuffer());
        }
        int n = content.length;
        return List.of(
                ByteBuffer.wrap(content.clone()).order(ByteOrder.nativeOrder()),
                ShortBuffer.allocate(n / 2).put(direct.asShortBuffer()).flip(),
                CharBuffer.allocate(n / 2).put(direct.asCharBuffer()).flip(),
                IntBuffer.allocate(n / 4).put(direct.asIntBuffer()).flip(),
                LongBuffer.allocate(n / 8).put(direct.asLongBuffer()).flip(),
                FloatBuffer.allocate(n / 4).put(direct.asFloatBuffer()).flip(),
                DoubleBuffer.allocate(n / 8).put(direct.asDoubleBuffer()).flip());
    }

    @Test
    void everyKindOfBufferGoesToTheDeviceAndBack() {
        byte[] content = randomBytes(BYTES);
        try (Stream stream = device.createStream(); Buffer buffer = device.allocate(BYTES)) {
            for (boolean heap : new boolean[] {true, false}) {
                List<java.nio.Buffer> sources = views(content, heap);
                List<java.nio.Buffer> destinations = views(new byte[BYTES], heap);
                for (int i = 0; i < sources.size(); ++i) {
                    for (Stream in : Arrays.asList(null, stream)) {
                        buffer.fill(0, 4, stream);
                        stream.sync();
                        buffer.copyFrom(sources.get(i), 0, in);
                        buffer.copyTo(destinations.get(i), 0, in);
                        stream.sync();
                        assertEquals(sources.get(i), destinations.get(i));
                        assertEquals(0, destinations.get(i).position());
                        byte[] back = new byte[BYTES];
                        buffer.copyTo(back);
                        assertArrayEquals(content, back, sources.get(i) + (heap ? " heap" : " direct"));
                    }
                }
            }
        }
    }

    @Test
    void everyKindOfArrayGoesToTheDeviceAndBack() {
        ByteBuffer content = Fixtures.direct(64).put(randomBytes(64)).flip();
        byte[] bytes = new byte[64];
        short[] shorts = new short[32];
        int[] ints = new int[16];
        long[] longs = new long[8];
        float[] floats = new float[16];
        double[] doubles = new double[8];
        content.order(ByteOrder.nativeOrder());
        content.asShortBuffer().get(shorts);
        content.asIntBuffer().get(ints);
        content.asLongBuffer().get(longs);
        content.asFloatBuffer().get(floats);
        content.asDoubleBuffer().get(doubles);
        content.get(bytes);
        byte[] back = new byte[64];
        try (Stream stream = device.createStream(); Buffer buffer = device.allocate(64)) {
            Runnable[] copies = {
                () -> buffer.copyFrom(bytes), () -> buffer.copyFrom(shorts), () -> buffer.copyFrom(ints),
                () -> buffer.copyFrom(longs), () -> buffer.copyFrom(floats), () -> buffer.copyFrom(doubles),
                () -> buffer.copyFrom(bytes, stream), () -> buffer.copyFrom(shorts, stream),
                () -> buffer.copyFrom(ints, stream), () -> buffer.copyFrom(longs, stream),
                () -> buffer.copyFrom(floats, stream), () -> buffer.copyFrom(doubles, stream)};
            for (Runnable copy : copies) {
                buffer.fill(0, 1, stream);
                stream.sync();
                copy.run();
                buffer.copyTo(back);
                assertArrayEquals(bytes, back);
            }
            short[] shortsBack = new short[32];
            int[] intsBack = new int[16];
            long[] longsBack = new long[8];
            float[] floatsBack = new float[16];
            double[] doublesBack = new double[8];
            buffer.copyTo(shortsBack);
            buffer.copyTo(intsBack, stream);
            buffer.copyTo(longsBack);
            buffer.copyTo(floatsBack, stream);
            buffer.copyTo(doublesBack);
            assertArrayEquals(shorts, shortsBack);
            assertArrayEquals(ints, intsBack);
            assertArrayEquals(longs, longsBack);
            assertArrayEquals(floats, floatsBack);
            assertArrayEquals(doubles, doublesBack);
        }
    }

    @Test
    void onlyThePartFromPositionToLimitIsCopied() {
        int[] numbers = {1, 2, 3, 4, 5, 6};
        IntBuffer direct = Fixtures.direct(24).asIntBuffer().put(numbers).position(1).limit(3);
        IntBuffer heap = IntBuffer.wrap(numbers, 3, 2);
        try (Buffer buffer = device.allocate(16)) {
            buffer.copyFrom(direct);
            buffer.copyFrom(heap, 8, null);
            int[] all = new int[4];
            buffer.copyTo(all);
            assertArrayEquals(new int[] {2, 3, 4, 5}, all);
            IntBuffer part = IntBuffer.allocate(4).position(2);
            buffer.copyTo(part, 4, null);
            assertArrayEquals(new int[] {0, 0, 3, 4}, part.array());
            IntBuffer directPart = Fixtures.direct(16).asIntBuffer().position(2);
            buffer.copyTo(directPart, 8, null);
            assertEquals(IntBuffer.wrap(new int[] {0, 0, 4, 5}), directPart.rewind());
        }
    }

    @Test
    void aReadOnlySourceIsCopiedAndAReadOnlyDestinationRefused() {
        try (Buffer buffer = device.allocate(8)) {
            buffer.copyFrom(IntBuffer.wrap(new int[] {7, 8}).asReadOnlyBuffer());
            int[] back = new int[2];
            buffer.copyTo(back);
            assertArrayEquals(new int[] {7, 8}, back);
            IntBuffer readOnly = IntBuffer.allocate(2).asReadOnlyBuffer();
            assertThrows(IllegalArgumentException.class, () -> buffer.copyTo(readOnly));
        }
    }

    @Test
    void anotherByteOrderThanTheDevicesIsRefused() {
        ByteBuffer swapped = ByteBuffer.allocateDirect(16).order(ByteOrder.BIG_ENDIAN);
        try (Buffer buffer = device.allocate(16)) {
            for (java.nio.Buffer wrong : List.of(swapped, swapped.asShortBuffer(), swapped.asCharBuffer(),
                    swapped.asIntBuffer(), swapped.asLongBuffer(), swapped.asFloatBuffer(), swapped.asDoubleBuffer())) {
                for (Runnable copy : List.<Runnable>of(() -> buffer.copyFrom(wrong), () -> buffer.copyTo(wrong))) {
                    IllegalArgumentException error = assertThrows(IllegalArgumentException.class, copy::run);
                    assertTrue(error.getMessage().contains("order(ByteOrder.nativeOrder())"), error.getMessage());
                }
            }
        }
    }

    @Test
    void aCopyThatDoesNotFitSaysBothSizesAndChangesNothing() {
        byte[] content = randomBytes(16);
        try (Buffer buffer = device.allocate(16)) {
            buffer.copyFrom(content);
            for (java.nio.Buffer tooMuch : List.of(ByteBuffer.wrap(new byte[17]).order(ByteOrder.nativeOrder()),
                    Fixtures.direct(17))) {
                for (Runnable copy : List.<Runnable>of(() -> buffer.copyFrom(tooMuch), () -> buffer.copyTo(tooMuch))) {
                    InvalidArgumentException error = assertThrows(InvalidArgumentException.class, copy::run);
                    assertTrue(error.getMessage().contains("16") && error.getMessage().contains("17"),
                            error.getMessage());
                }
            }
            assertThrows(InvalidArgumentException.class, () -> buffer.copyFrom(Fixtures.direct(8), 9, null));
            assertThrows(InvalidArgumentException.class, () -> buffer.copyFrom(IntBuffer.allocate(2), -1, null));
            byte[] back = new byte[16];
            buffer.copyTo(back);
            assertArrayEquals(content, back);
        }
    }

    @Test
    void nothingIsCopiedToNowhere() {
        try (Buffer empty = device.allocate(0); Stream stream = device.createStream()) {
            assertEquals(0, empty.size());
            empty.copyFrom(new float[0]);
            empty.copyFrom(Fixtures.direct(0), stream);
            empty.copyTo(new float[0], stream);
        }
    }

    @Test
    void buffersAreCopiedAndFilledInStreamOrder() {
        try (Stream stream = device.createStream();
                Buffer source = device.allocate(16);
                Buffer destination = device.allocate(16)) {
            source.fill(0x01020304, 4, stream);
            destination.copyFrom(source, stream);
            source.fill(0xAB, 1, stream);
            int[] result = new int[4];
            destination.copyTo(result, stream);
            assertEquals(0x01020304, result[3]);
            source.copyTo(result, stream);
            assertEquals(0xABABABAB, result[0]);
            assertThrows(InvalidArgumentException.class, () -> source.fill(0, 3, stream));
        }
    }

    @Test
    void aDirectBufferStaysReachableUntilTheStreamHasPassedItsCopy() throws InterruptedException {
        try (Stream stream = device.createStream(); Buffer buffer = device.allocate(16)) {
            for (Runnable wait : List.<Runnable>of(stream::sync, () -> assertTrue(stream.isDone()))) {
                WeakReference<ByteBuffer> source = copiedInStream(buffer, stream);
                collectGarbage();
                assertNotNull(source.get());
                device.sync();    // the copy is done, but the stream has not been asked
                wait.run();
                collectGarbage();
                assertNull(source.get());
            }
        }
    }

    @Test
    void aStreamThatIsNeverAskedDoesNotKeepEverything() throws InterruptedException {
        List<WeakReference<ByteBuffer>> sources = new ArrayList<>();
        try (Stream stream = device.createStream(); Buffer buffer = device.allocate(16)) {
            for (int i = 0; i < 200; ++i) {
                sources.add(copiedInStream(buffer, stream));
                device.sync();
            }
            collectGarbage();
            assertTrue(sources.stream().filter(source -> source.get() != null).count() < 64);
        }
    }

    private static WeakReference<ByteBuffer> copiedInStream(Buffer buffer, Stream stream) {
        ByteBuffer source = Fixtures.direct(16);
        buffer.copyFrom(source, stream);
        return new WeakReference<>(source);
    }

    /** Returns when something that nobody refers to has gone. */
    private static void collectGarbage() throws InterruptedException {
        WeakReference<Object> canary = new WeakReference<>(new Object());
        while (canary.get() != null) {
            System.gc();
            Thread.sleep(1);
        }
    }
}
