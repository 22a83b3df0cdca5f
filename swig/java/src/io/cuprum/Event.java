package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.NativeHandle;
import java.lang.ref.Reference;
import java.util.function.LongFunction;

/** A point in a stream's work. Made by {@link Device#createEvent()} and {@link Stream#record(EventOptions)}. */
public final class Event implements AutoCloseable {
    private final NativeHandle handle;
    private final EventOptions options;

    Event(long handle, EventOptions options) {
        this.options = options;
        this.handle = new NativeHandle(this, handle, CuprumNative::cuprum_event_destroy);
    }

    /** {@return the CUevent, as an integer; valid until this event is closed} */
    public long handle() {
        return with("asking an event for its handle", event -> {
            long[] handle = new long[1];
            CuprumNative.cuprum_event_native(handle, event);
            return handle[0];
        });
    }

    /** {@return the device that the event belongs to} */
    public Device device() {
        return with("asking an event for its device", event -> {
            int[] device = new int[1];
            CuprumNative.cuprum_event_device(device, event);
            return new Device(device[0]);
        });
    }

    /** {@return whether it can be used in {@link #elapsedTime}} */
    public boolean isTimingEnabled() {
        return options.timingEnabled();
    }

    /** {@return whether waiting for it sleeps} */
    public boolean isBlockingSync() {
        return options.blockingSync();
    }

    /** {@return whether it has happened} */
    public boolean isDone() {
        return with("asking an event whether it has happened", event -> {
            int[] done = new int[1];
            CuprumNative.cuprum_event_is_done(done, event);
            return done[0] != 0;
        });
    }

    /** Waits until it has happened. */
    public void sync() {
        with("synchronising an event", event -> {
            CuprumNative.cuprum_event_sync(event);
            return null;
        });
    }

    /**
     * The time between two events.
     *
     * @param start the earlier one
     * @param end the later one
     * @return milliseconds
     * @throws InvalidStateException when either was made without timing or was never recorded
     * @throws NotReadyException when either has not happened yet
     */
    public static float elapsedTime(Event start, Event end) {
        return start.with("measuring the time between two events",
                first -> end.with("measuring the time between two events", second -> {
                    float[] milliseconds = new float[1];
                    CuprumNative.cuprum_event_elapsed_time(milliseconds, first, second);
                    return milliseconds[0];
                }));
    }

    /** {@return whether {@link #close()} has been called} */
    public boolean isClosed() {
        return handle.isClosed();
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return "Event " + Long.toHexString(handle.value());
    }

    /** Runs `action` with the native handle; this event stays reachable meanwhile. */
    <T> T with(String operation, LongFunction<T> action) {
        try {
            if (handle.isClosed()) {
                throw Errors.closed(this, operation);
            }
            return action.apply(handle.value());
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
