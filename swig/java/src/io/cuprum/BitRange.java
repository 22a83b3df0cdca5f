package io.cuprum;

/**
 * Which bits of the keys a radix sort compares, 0 being the lowest.
 *
 * @param begin the first bit
 * @param end the bit after the last
 */
public record BitRange(int begin, int end) {
    /**
     * A range of at least one bit.
     *
     * @param begin the first bit
     * @param end the bit after the last
     */
    public BitRange {
        if (begin < 0 || end <= begin) {
            throw new IllegalArgumentException("bits " + begin + " to " + end + ": the first must be less than the end");
        }
    }
}
