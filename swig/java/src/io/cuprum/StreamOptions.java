package io.cuprum;

/**
 * Options for a new stream.
 *
 * @param nonblocking whether the stream does not synchronise with the legacy default stream
 * @param priority the priority, lower numbers first; the driver clamps it to the device's range
 */
public record StreamOptions(boolean nonblocking, int priority) {
    /** Nonblocking, priority 0. */
    public StreamOptions() {
        this(true, 0);
    }
}
