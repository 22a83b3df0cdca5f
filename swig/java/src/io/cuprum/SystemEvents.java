package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Events of a GPU that are waited for, from {@link SystemDevice#registerEvents}. */
public final class SystemEvents extends NativeObject {
    /** A single bit of memory was wrong and has been corrected. */
    public static final long SINGLE_BIT_ECC_ERROR = 1;
    /** Two bits of memory were wrong. */
    public static final long DOUBLE_BIT_ECC_ERROR = 2;
    /** The performance state has changed. */
    public static final long PSTATE = 4;
    /** A critical error, whose number is its data. */
    public static final long XID_CRITICAL_ERROR = 8;
    /** A clock has changed. */
    public static final long CLOCK = 16;

    SystemEvents(long handle) {
        super(handle, (LongConsumer) CuprumNative::cuprum_system_events_destroy);
    }

    /**
     * Waits for an event.
     *
     * @param timeoutMilliseconds for how long at most
     * @return the event; empty when there was none in that time
     */
    public Optional<Happened> waitFor(int timeoutMilliseconds) {
        if (timeoutMilliseconds < 0) {
            throw new IllegalArgumentException("the timeout must not be negative: " + timeoutMilliseconds);
        }
        return with(Operations.SYSTEM_EVENTS_WAIT, events -> {
            int[] happened = new int[1];
            int[] device = new int[1];
            long[] type = new long[1];
            long[] data = new long[1];
            CuprumNative.cuprum_system_events_wait(happened, device, type, data, events, timeoutMilliseconds);
            return happened[0] == 0
                    ? Optional.empty()
                    : Optional.of(new Happened(new SystemDevice(device[0]), type[0], data[0]));
        });
    }

    /**
     * An event.
     *
     * @param device whose
     * @param type its kind
     * @param data of a critical error its number, the XID
     */
    public record Happened(SystemDevice device, long type, long data) {}
}
