package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Context;
import io.cuprum.Cuprum;
import io.cuprum.Device;
import io.cuprum.DriverException;
import io.cuprum.Event;
import io.cuprum.EventOptions;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.SMResource;
import io.cuprum.Stream;
import io.cuprum.StreamOptions;
import io.cuprum.UnsupportedException;
import io.cuprum.WorkqueueResource.SharingScope;
import io.cuprum.WorkqueueResource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Contexts, green ones, and events that processes share. */
@ExtendWith(NoLeaks.class)
class ContextTest {
    private final Device device = new Device(0);

    @Test
    void aDevicesContextIsItsPrimaryOne() {
        try (Context context = device.context();
                Stream stream = device.createStream();
                Context ofStream = stream.context();
                Event event = device.createEvent();
                Context ofEvent = event.context()) {
            assertEquals(context, ofStream);
            assertEquals(context, ofEvent);
            assertEquals(context.hashCode(), ofStream.hashCode());
            assertFalse(context.isGreen());
            assertEquals(device, context.device());
            assertEquals(device.properties().multiprocessorCount(), context.smResource().smCount());
        }
        Context closed = device.context();
        closed.close();
        assertThrows(InvalidStateException.class, closed::isGreen);
    }

    @Test
    void greenContextsHaveTheWorkqueueThatTheyWereMadeWith() {
        if (Cuprum.driverVersion() < 13010) {
            UnsupportedException error = assertThrows(UnsupportedException.class, device::workqueueResource);
            assertTrue(error.getMessage().contains("a driver for CUDA 13.1"), error.getMessage());
            WorkqueueResource made = new WorkqueueResource(device, SharingScope.GREEN_CONTEXT_BALANCED, 3);
            assertThrows(IllegalArgumentException.class, () -> made.withConcurrencyLimit(0));
            try (Context primary = device.context()) {
                assertThrows(UnsupportedException.class, primary::workqueueResource);
            }
            List<SMResource> all = List.of(device.smResource());
            assertThrows(UnsupportedException.class, () -> device.createContext(all, made));
            return;
        }
        WorkqueueResource balanced = device.workqueueResource()
                .withSharingScope(SharingScope.GREEN_CONTEXT_BALANCED).withConcurrencyLimit(3);
        try (Context green = device.createContext(List.of(device.smResource()), balanced)) {
            assertEquals(balanced, green.workqueueResource());
        }
    }

    @Test
    void greenContextsHaveAPartOfTheMultiprocessors() {
        SMResource all = device.smResource();
        SMResource.Split split = all.split(0, 1);
        SMResource group = split.groups().get(0);
        assertEquals(Math.min(all.minPartitionSize(), all.smCount()), group.smCount());
        assertEquals(all.smCount(), group.smCount() + split.remainder().smCount());
        assertTrue(all.coscheduledAlignment() > 0);
        assertEquals(device, group.device());
        Stream stream;
        try (Context green = device.createContext(List.of(group));
                Context primary = device.context()) {
            assertTrue(green.isGreen());
            assertNotEquals(primary, green);
            assertEquals(group.smCount(), green.smResource().smCount());
            assertThrows(InvalidArgumentException.class, () -> green.createStream(new StreamOptions(false, 0)));
            stream = green.createStream();
        }
        // The stream keeps it.
        try (stream;
                Context itsOwn = stream.context();
                Buffer memory = device.allocate(16, stream)) {
            assertTrue(itsOwn.isGreen());
            byte[] back = new byte[16];
            memory.copyFrom(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, stream);
            memory.copyTo(back, stream);
            stream.sync();
            assertEquals(16, back[15]);
        }
        assertThrows(InvalidArgumentException.class, () -> all.split(all.smCount(), 2));
        assertThrows(InvalidArgumentException.class, () -> all.split(-1, 1));
        assertThrows(InvalidArgumentException.class, () -> device.createContext(List.of()));
    }

    @Test
    void aContextIsCurrentOnTheThreadThatMakesItSo() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            other.submit(() -> {
                assertNull(Context.current());
                try (Context green = device.createContext(device.smResource().split(0, 1).groups())) {
                    green.setCurrent();
                    try (Context current = Context.current()) {
                        assertEquals(green, current);
                        assertTrue(current.isGreen());
                        assertEquals(device, Device.current());
                    }
                    device.setCurrent();
                }
            }).get();
        } finally {
            other.shutdown();
        }
    }

    @Test
    void anotherProcessWaitsForASharedEvent() throws Exception {
        try (Stream stream = device.createStream();
                Event event = device.createEvent(EventOptions.ipc())) {
            assertTrue(event.isIpcEnabled());
            byte[] handle = event.ipcHandle();
            assertEquals(64, handle.length);
            stream.record(event);
            stream.sync();
            StringBuilder digits = new StringBuilder();
            for (byte one : handle) {
                digits.append(String.format("%02x", one));
            }
            ChildProcess child = new ChildProcess.Builder().environment("CUPRUM_TEST_EVENT", digits.toString())
                    .run("shared-event");
            assertEquals("done: true", child.output.strip(), child.output);
            // A process cannot open an event of its own.
            assertThrows(DriverException.class, () -> Event.fromIpcHandle(device, handle, false));
        }
        try (Event event = device.createEvent()) {
            assertThrows(InvalidStateException.class, event::ipcHandle);
        }
        assertThrows(InvalidArgumentException.class, () -> device.createEvent(new EventOptions(true, false, true)));
        assertThrows(InvalidArgumentException.class, () -> Event.fromIpcHandle(device, new byte[3], false));
    }
}
