package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.LegacyPinnedMemoryResource;
import io.cuprum.Stream;
import io.cuprum.WaitCondition;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Host functions, and words of memory that streams wait for and write. */
class StreamOrderTest {
    private final Device device = new Device(0);

    @Test
    void hostFunctionsRunBetweenTheWorkOfTheirStream() {
        try (LegacyPinnedMemoryResource pinned = new LegacyPinnedMemoryResource();
                Stream stream = device.createStream();
                Stream standard = device.defaultStream();
                Buffer memory = pinned.allocate(64, stream)) {
            ByteBuffer words = memory.asByteBuffer().order(ByteOrder.nativeOrder());
            for (Stream each : List.of(stream, standard)) {
                int[] seen = new int[1];
                Thread[] thread = new Thread[1];
                each.writeValue32(memory, 0, 7);
                each.launchHostFunction(() -> {
                    seen[0] = words.getInt(0);
                    thread[0] = Thread.currentThread();
                });
                each.writeValue32(memory, 0, 8);
                each.sync();
                assertEquals(7, seen[0]);
                assertEquals(8, words.getInt(0));
                assertNotEquals(Thread.currentThread(), thread[0]);
            }
        }
    }

    @Test
    void whatAHostFunctionThrowsGoesToTheHandlerOfUncaughtExceptions() {
        Thread.UncaughtExceptionHandler former = Thread.getDefaultUncaughtExceptionHandler();
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            thrown.add(error);
            throw new IllegalStateException("a handler's own");
        });
        try (Stream stream = device.createStream()) {
            boolean[] goesOn = new boolean[1];
            stream.launchHostFunction(() -> {
                throw new IllegalStateException("out of paper");
            });
            stream.launchHostFunction(() -> goesOn[0] = true);
            stream.sync();
            assertEquals("out of paper", thrown.get(0).getMessage());
            assertEquals(1, thrown.size());
            assertTrue(goesOn[0]);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(former);
        }
    }

    @Test
    void hostFunctionsAreKeptUntilTheyWereCalled() {
        int count = 200;
        int[] calls = new int[1];
        try (Stream stream = device.createStream()) {
            for (int i = 0; i < count; ++i) {
                byte[] held = new byte[1 << 16];
                stream.launchHostFunction(() -> calls[0] += held.length >> 16);
            }
            System.gc();
            stream.sync();
        }
        assertEquals(count, calls[0]);
    }

    @Test
    void whatCannotBeLaunchedIsRefused() {
        Stream stream = device.createStream();
        assertThrows(NullPointerException.class, () -> stream.launchHostFunction(null));
        stream.close();
        String said = assertThrows(InvalidStateException.class, () -> stream.launchHostFunction(() -> {})).getMessage();
        assertTrue(said.contains("launching a host function"), said);
    }

    @Test
    void aStreamWaitsUntilAWordFulfilsTheCondition() {
        try (LegacyPinnedMemoryResource pinned = new LegacyPinnedMemoryResource();
                Stream stream = device.createStream();
                Buffer memory = pinned.allocate(64, stream)) {
            ByteBuffer words = memory.asByteBuffer().order(ByteOrder.nativeOrder());
            int[][] cases = {{5, 4, 6}, {5, 6, 5}, {6, 9, 4}, {0xFFFFFFF0, 0xF, 0x7}};
            for (WaitCondition condition : WaitCondition.values()) {
                int[] one = cases[condition.ordinal()];
                words.putInt(0, one[1]);
                stream.waitValue32(memory, 0, one[0], condition);
                assertFalse(stream.isDone());
                words.putInt(0, one[2]);
                stream.sync();

                words.putLong(8, wide(one[1]));
                stream.waitValue64(memory, 8, wide(one[0]), condition);
                assertFalse(stream.isDone());
                words.putLong(8, wide(one[2]));
                stream.sync();
            }
            stream.writeValue64(memory, 16, 0xFFFFFFFF00000001L);
            stream.writeValue32(memory, 24, 0xFFFFFFFF);
            stream.sync();
            assertEquals(0xFFFFFFFF00000001L, words.getLong(16));
            assertEquals(0xFFFFFFFF, words.getInt(24));
        }
    }

    @Test
    void wordsLieInsideOfTheirBufferAndAligned() {
        try (Stream stream = device.createStream();
                Buffer memory = device.allocate(64)) {
            for (long offset : new long[] {64, 62, 1L << 40, -4}) {
                assertThrows(InvalidArgumentException.class,
                        () -> stream.waitValue32(memory, offset, 0, WaitCondition.EQUAL));
            }
            String said = assertThrows(InvalidArgumentException.class, () -> stream.writeValue64(memory, 4, 0))
                    .getMessage();
            assertTrue(said.contains("writing a value in a stream") && said.contains("not aligned"), said);
        }
    }

    private static long wide(int half) {
        return (long) half << 32 | Integer.toUnsignedLong(half);
    }
}
