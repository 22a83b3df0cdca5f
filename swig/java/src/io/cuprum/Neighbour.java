package io.cuprum;

/** What an element is combined with. The order of the constants is the C ABI's. */
public enum Neighbour {
    /** The element before it. */
    LEFT,
    /** The element behind it. */
    RIGHT
}
