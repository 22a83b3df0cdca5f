package io.cuprum;

/**
 * How a stream is made.
 *
 * @param nonblocking does not synchronise with the legacy default stream
 * @param priority lower numbers first; the driver clamps it to the device's range
 */
public record StreamOptions(boolean nonblocking, int priority) {
    /** Nonblocking, priority 0. */
    public StreamOptions() {
        this(true, 0);
    }
}
