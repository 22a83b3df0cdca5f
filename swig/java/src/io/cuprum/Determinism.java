package io.cuprum;

/**
 * How far results are the same, bit for bit, of the same elements: they differ where elements are combined in another
 * order and that matters, as in sums of floating-point numbers. The order of the constants is the C ABI's.
 */
public enum Determinism {
    /** As the algorithm gives it. */
    NOT_GUARANTEED,
    /** The same from call to call on one device. */
    RUN_TO_RUN,
    /** The same on every device. */
    GPU_TO_GPU
}
