package io.cuprum;

/**
 * What an algorithm is built for: a {@link Device}, on which it is then called, {@link Execution#HOST}, which is the
 * host's own cores, or {@link Architectures}, ahead of time and on a machine without a GPU.
 */
public sealed interface BuildTarget permits Device, Architectures, Execution {}
