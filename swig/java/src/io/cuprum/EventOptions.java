package io.cuprum;

/**
 * Options for a new event.
 *
 * @param timingEnabled whether the event can be used in {@link Event#elapsedTime}
 * @param blockingSync whether waiting for the event sleeps instead of spinning
 * @param ipcEnabled whether the event can be shared with other processes; it then cannot measure time
 */
public record EventOptions(boolean timingEnabled, boolean blockingSync, boolean ipcEnabled) {
    /** None of these. */
    public EventOptions() {
        this(false, false, false);
    }

    /**
     * For this process alone.
     *
     * @param timingEnabled the event can be used in {@link Event#elapsedTime}
     * @param blockingSync waiting for the event sleeps instead of spinning
     */
    public EventOptions(boolean timingEnabled, boolean blockingSync) {
        this(timingEnabled, blockingSync, false);
    }

    /**
     * For several processes.
     *
     * @return options with IPC
     */
    public static EventOptions ipc() {
        return new EventOptions(false, false, true);
    }

    /**
     * Options for measuring time.
     *
     * @return options with timing
     */
    public static EventOptions timing() {
        return new EventOptions(true, false);
    }
}
