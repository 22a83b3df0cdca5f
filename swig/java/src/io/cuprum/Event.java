package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;

/** A point in a stream's work. Made by {@link Device#createEvent()} and {@link Stream#record(EventOptions)}. */
public final class Event extends EventMembers {
    private final EventOptions options;

    Event(long handle, EventOptions options) {
        super(handle, CuprumNative::cuprum_event_destroy);
        this.options = options;
    }

    /** {@return whether it can be used in {@link #elapsedTime}} */
    public boolean isTimingEnabled() {
        return options.timingEnabled();
    }

    /** {@return whether waiting for it sleeps} */
    public boolean isBlockingSync() {
        return options.blockingSync();
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
        return start.with(Operations.EVENT_ELAPSED_TIME,
                first -> end.with(Operations.EVENT_ELAPSED_TIME, second -> {
                    float[] milliseconds = new float[1];
                    CuprumNative.cuprum_event_elapsed_time(milliseconds, first, second);
                    return milliseconds[0];
                }));
    }
}
