package io.cuprum;

/** How a stream compares a word of memory with the value that it waits for. The order of the constants is the C ABI's. */
public enum WaitCondition {
    /** {@code word - value}, taken as a signed number, is not negative: a counter may wrap around. */
    GREATER_OR_EQUAL,
    /** They are equal. */
    EQUAL,
    /** {@code word & value} is not 0. */
    BITWISE_AND,
    /** {@code ~(word | value)} is not 0. */
    BITWISE_NOR
}
