package io.cuprum;

/**
 * Which of the device's domains a kernel's memory fences wait for: a fence in one does not wait for writes in the other
 * (compute capability 9.0). The order of the constants is the C ABI's.
 */
public enum MemorySyncDomain {
    /** The domain of kernels that do not choose one. */
    DEFAULT,
    /** The other domain. */
    REMOTE
}
