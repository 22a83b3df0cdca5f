package io.cuprum;

import java.time.Duration;

/**
 * How ranks exchange data over NCCL.
 *
 * @param timeout a rank whose part in something does not come for so long is taken for dead, and the communicator is
 *        given up; to be longer than any rank works on its own
 */
public record NcclOptions(Duration timeout) {
    private static final long MOST_MILLISECONDS = 0xFFFFFFFFL;

    /**
     * Options.
     *
     * @param timeout a rank whose part in something does not come for so long is taken for dead
     */
    public NcclOptions {
        milliseconds(timeout);
    }

    /** A minute. */
    public NcclOptions() {
        this(Duration.ofMinutes(1));
    }

    /** As the C ABI has them. */
    static long milliseconds(Duration timeout) {
        if (timeout.isNegative() || timeout.getSeconds() > MOST_MILLISECONDS / 1000) {
            throw new IllegalArgumentException("the timeout is " + timeout + ", expected up to "
                    + Duration.ofMillis(MOST_MILLISECONDS));
        }
        return Math.min(timeout.plusNanos(999_999).toMillis(), MOST_MILLISECONDS);
    }
}
