package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Cuprum;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.Event;
import io.cuprum.EventOptions;
import io.cuprum.InvalidStateException;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.Status;
import io.cuprum.Stream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

@ExtendWith(NoLeaks.class)
class LifetimeTest {
    private static final LaunchConfig ONE = new LaunchConfig(1, 1);

    private final Device device = new Device(0);

    @Test
    void closingDestroysAtOnceAndOnlyOnce() {
        long before = Cuprum.liveHandles();
        Program program = new Program(Fixtures.SAXPY);
        ObjectCode code = program.compile();
        Kernel kernel = code.getKernel("saxpy");
        Stream stream = device.createStream();
        Event event = device.createEvent();
        Buffer buffer = device.allocate(16);
        assertEquals(before + 6, Cuprum.liveHandles());
        List<AutoCloseable> owners = List.of(program, code, kernel, stream, event, buffer);
        long left = 6;
        for (AutoCloseable owner : owners) {
            for (int i = 0; i < 3; ++i) {
                try {
                    owner.close();
                } catch (Exception error) {
                    throw new AssertionError(error);
                }
            }
            assertEquals(before + --left, Cuprum.liveHandles());
        }
        assertTrue(program.isClosed() && code.isClosed() && kernel.isClosed() && stream.isClosed()
                && event.isClosed() && buffer.isClosed());
    }

    @Test
    void usingAClosedObjectIsAnErrorThatNamesIt() {
        Program program = new Program(Fixtures.SAXPY);
        ObjectCode code = program.compile();
        Kernel kernel = code.getKernel("saxpy");
        Stream stream = device.createStream();
        Event event = device.createEvent();
        Buffer buffer = device.allocate(16);
        program.close();
        code.close();
        kernel.close();
        stream.close();
        event.close();
        buffer.close();
        assertClosed("Program", program::compile);
        assertClosed("ObjectCode", () -> code.getKernel("saxpy"));
        assertClosed("ObjectCode", code::code);
        assertClosed("Kernel \"saxpy\"", kernel::name);
        assertClosed("Stream", stream::sync);
        assertClosed("Stream", stream::isDone);
        assertClosed("Stream", () -> device.allocate(16, stream));
        assertClosed("Event", event::sync);
        assertClosed("Buffer", buffer::size);
        assertClosed("Buffer", () -> buffer.copyFrom(new int[1]));
        assertClosed("Buffer", () -> buffer.copyTo(Fixtures.direct(1)));
        try (Stream open = device.createStream();
                Kernel openKernel = Fixtures.kernel(Fixtures.SAXPY, "saxpy");
                Buffer openBuffer = device.allocate(16);
                Buffer other = device.allocate(16)) {
            assertClosed("Event", () -> open.record(event));
            assertClosed("Event", () -> open.waitFor(event));
            assertClosed("Stream", () -> open.waitFor(stream));
            assertClosed("Stream", () -> openBuffer.copyFrom(new int[1], stream));
            assertClosed("Buffer", () -> openBuffer.copyFrom(buffer, open));
            assertClosed("Kernel", () -> open.launch(ONE, kernel, 1.0f, openBuffer, openBuffer, 1));
            assertClosed("Stream", () -> stream.launch(ONE, openKernel, 1.0f, openBuffer, openBuffer, 1));
            assertClosed("Buffer", () -> open.launch(ONE, openKernel, 1.0f, buffer, openBuffer, 1));
            Fixtures.assertStillUsable(open, openKernel, openBuffer, other);
        }
    }

    private static void assertClosed(String object, Executable use) {
        InvalidStateException error = assertThrows(InvalidStateException.class, use);
        assertEquals(Status.INVALID_STATE, error.status());
        assertTrue(error.object().startsWith(object), error.object());
        assertTrue(error.getMessage().contains("closed"), error.getMessage());
        assertFalse(error.operation().isEmpty());
    }

    @Test
    void whatNobodyRefersToIsDestroyed() throws InterruptedException {
        long before = Cuprum.liveHandles();
        leaveGarbage();
        assertTrue(Cuprum.liveHandles() > before);
        Fixtures.awaitLiveHandles(before);
    }

    private void leaveGarbage() {
        for (int i = 0; i < 20; ++i) {
            Stream stream = device.createStream();
            Buffer buffer = device.allocate(1 << 16, stream);
            buffer.copyFrom(Fixtures.direct(1 << 16), stream);
            stream.record(device.createEvent());
        }
        new Program(Fixtures.SAXPY).compile().getKernel("saxpy");
    }

    @Test
    void kernelsOutliveTheirCodeAndBuffersTheirStream() {
        Kernel kernel = Fixtures.kernel(Fixtures.SAXPY, "saxpy");
        Stream first = device.createStream();
        Buffer x = device.allocate(16, first);
        Buffer y = device.allocate(16, first);
        first.sync();
        first.close();
        try (Stream second = device.createStream()) {
            Fixtures.assertStillUsable(second, kernel, x, y);
        }
        x.close();
        y.close();
        kernel.close();
    }

    @Test
    void closingAStreamWaitsForCopiesOfDirectBuffersAndForNothingElse() throws Exception {
        device.setCurrent();
        try (Gate gate = new Gate(); Buffer buffer = device.allocate(16)) {
            for (boolean copies : new boolean[] {true, false}) {
                Stream stream = device.createStream();
                gate.stop(stream.handle());
                Thread opener = new Thread(() -> {
                    LockSupport.parkNanos(20_000_000);
                    device.setCurrent();
                    gate.open();
                });
                if (copies) {
                    opener.start();
                    buffer.copyFrom(Fixtures.direct(16), stream);
                }
                try (Event end = stream.record(new EventOptions())) {
                    stream.close();
                    assertEquals(copies, end.isDone());
                    if (!copies) {
                        opener.start();
                    }
                    opener.join();
                    end.sync();
                }
                gate.shut();
            }
        }
    }

    @Test
    void threadsShareObjects() throws Exception {
        int threads = 8;
        int launches = 50;
        String source = "extern \"C\" __global__ void count(int* p) { atomicAdd(p, 1); }";
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (Kernel kernel = Fixtures.kernel(source, "count");
                Stream shared = device.createStream();
                Buffer counter = device.allocate(Integer.BYTES)) {
            counter.copyFrom(new int[1]);
            List<Future<?>> results = new ArrayList<>();
            for (int t = 0; t < threads; ++t) {
                results.add(pool.submit(() -> {
                    for (int i = 0; i < launches; ++i) {
                        shared.launch(ONE, kernel, counter);
                        try (Stream own = device.createStream(); Event event = device.createEvent()) {
                            own.launch(ONE, kernel, counter);
                            own.record(event);
                            event.sync();
                        }
                        // Each thread has an error of its own.
                        int wrong = 1000 + (int) Thread.currentThread().getId();
                        CuprumException error = assertThrows(CuprumException.class, () -> new Device(wrong));
                        assertTrue(error.getMessage().contains("" + wrong), error.getMessage());
                    }
                    return null;
                }));
            }
            for (Future<?> result : results) {
                result.get(60, TimeUnit.SECONDS);
            }
            shared.sync();
            int[] count = new int[1];
            counter.copyTo(count);
            assertEquals(2 * threads * launches, count[0]);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void closingUnderOtherThreadsIsAnErrorForThemAndNoCrash() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        AtomicInteger uses = new AtomicInteger();
        try {
            for (int round = 0; round < 10; ++round) {
                Buffer buffer = device.allocate(1 << 16);
                List<Future<?>> results = new ArrayList<>();
                for (int t = 0; t < 2; ++t) {
                    results.add(pool.submit(() -> {
                        byte[] back = new byte[1 << 16];
                        try {
                            while (true) {
                                buffer.copyTo(back);
                                uses.incrementAndGet();
                            }
                        } catch (CuprumException expected) {
                            return expected;    // closed before or during the call
                        }
                    }));
                }
                int seen = uses.get();
                Instant deadline = Instant.now().plusSeconds(60);
                while (uses.get() == seen && Instant.now().isBefore(deadline)) {
                    Thread.onSpinWait();
                }
                assertTrue(uses.get() > seen, "nobody uses the buffer");
                buffer.close();
                for (Future<?> result : results) {
                    CuprumException error = (CuprumException) result.get(60, TimeUnit.SECONDS);
                    assertTrue(error.status() == Status.INVALID_STATE || error.status() == Status.INVALID_HANDLE,
                            error.getMessage());
                }
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void everyObjectSaysThatItIsClosedAndIsClosedByAnyThread() throws Exception {
        for (AutoCloseable each : EveryObject.make()) {
            Executable use = EveryObject.useOf(each);
            Thread user = new Thread(() -> assertDoesNotThrow(use));
            List<Throwable> thrown = new ArrayList<>();
            user.setUncaughtExceptionHandler((thread, error) -> thrown.add(error));
            user.start();
            user.join();
            assertEquals(List.of(), thrown, each.toString());
            Thread closer = new Thread(() -> assertDoesNotThrow(each::close));
            closer.setUncaughtExceptionHandler((thread, error) -> thrown.add(error));
            closer.start();
            closer.join();
            assertEquals(List.of(), thrown);
            InvalidStateException error = assertThrows(InvalidStateException.class, use, each.getClass().getName());
            assertTrue(error.getMessage().contains("closed"), error.getMessage());
            assertFalse(error.operation().isEmpty() || error.object().isEmpty(), error.getMessage());
        }
    }

    @Test
    void theProcessMayEndWithEveryObjectOpen() throws Exception {
        ChildProcess child = new ChildProcess.Builder().run("exit-with-every-object");
        assertEquals(0, child.exitStatus, child.output);
        assertEquals("leaving with true\n", child.output);
    }

    @Test
    void anotherDevicesObjectsAreRefusedInWords() throws Exception {
        if (!device.isSimulator()) {
            return;
        }
        ChildProcess child = new ChildProcess.Builder().environment("CUPRUM_SIM", "devices=2").run("another-device");
        assertEquals(0, child.exitStatus, child.output);
        assertTrue(child.output.contains("it is one of device 1, the algorithm was built for device 0"), child.output);
        assertTrue(child.output.contains("it is memory of device 1, the algorithm was built for device 0"),
                child.output);
        assertTrue(child.output.contains("the stream is one of device 0, which cannot use that memory of device 1"),
                child.output);
    }

    @Test
    void theProcessMayEndWithWorkUnderWay() throws Exception {
        ChildProcess child = new ChildProcess.Builder().run("exit-with-work");
        assertEquals(0, child.exitStatus, child.output);
        assertEquals("leaving with 12\n", child.output);
    }

    @Test
    @org.junit.jupiter.api.Timeout(60)
    void theProcessMayEndWithAKernelThatNeverDoes() throws Exception {
        ChildProcess child = new ChildProcess.Builder().run("exit-with-endless-kernel");
        assertEquals(0, child.exitStatus, child.output);
        assertEquals("leaving\n", child.output);
    }
}
