package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/** A point in a stream's work. Made by {@link Device#createEvent()} and {@link Stream#record(EventOptions)}. */
public final class Event extends EventMembers {
    private final EventOptions options;

    Event(long handle, EventOptions options) {
        super(handle, CuprumNative::cuprum_event_destroy);
        this.options = options;
    }

    /** {@return whether the event can be used in {@link #elapsedTime}} */
    public boolean isTimingEnabled() {
        return options.timingEnabled();
    }

    /** {@return whether waiting for the event sleeps instead of spinning} */
    public boolean isBlockingSync() {
        return options.blockingSync();
    }

    /** {@return whether it can be shared with other processes} */
    public boolean isIpcEnabled() {
        return options.ipcEnabled();
    }

    /** {@return the context that it was made in: its device's primary context; the caller closes it} */
    public Context context() {
        return device().context();
    }

    /**
     * What another process opens the event with.
     *
     * @return 64 bytes
     * @throws InvalidStateException when the event was made without IPC
     */
    public byte[] ipcHandle() {
        return with(Operations.EVENT_IPC_HANDLE, event -> {
            byte[][] bytes = new byte[1][];
            CuprumNative.cuprum_event_ipc_handle(bytes, event);
            return bytes[0];
        });
    }

    /**
     * Opens the event that another process shares. It goes on when its maker has closed it.
     *
     * @param device for whose work
     * @param ipcHandle what {@link #ipcHandle()} gave there
     * @param blockingSync waiting for it sleeps instead of spinning
     * @return the event; the caller closes it
     * @throws DriverException when this process itself has made the event
     */
    public static Event fromIpcHandle(Device device, byte[] ipcHandle, boolean blockingSync) {
        ByteBuffer direct = ByteBuffer.allocateDirect(ipcHandle.length).put(ipcHandle);
        long[] event = new long[1];
        CuprumNative.cuprum_event_from_ipc_handle(event, device.deviceId(), CuprumNative.host_address(direct),
                ipcHandle.length, blockingSync ? 1 : 0);
        Reference.reachabilityFence(direct);
        return new Event(event[0], new EventOptions(false, blockingSync, true));
    }

    /**
     * The time between two events.
     *
     * @param start the earlier event
     * @param end the later event
     * @return the time in milliseconds
     * @throws InvalidStateException when one of the events was made without timing or was never recorded
     * @throws NotReadyException when one of the events is not yet complete
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
