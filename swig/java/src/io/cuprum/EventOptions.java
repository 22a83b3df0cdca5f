package io.cuprum;

/**
 * How an event is made.
 *
 * @param timingEnabled the event can be used in {@link Event#elapsedTime}
 * @param blockingSync waiting for the event sleeps instead of spinning
 */
public record EventOptions(boolean timingEnabled, boolean blockingSync) {
    /** Neither. */
    public EventOptions() {
        this(false, false);
    }

    /**
     * For measuring time.
     *
     * @return options with timing
     */
    public static EventOptions timing() {
        return new EventOptions(true, false);
    }
}
