package io.cuprum;

/**
 * What an algorithm is built for: a {@link Device}, on which it is then called, or {@link Architectures}, ahead of time
 * and on a machine without a GPU.
 */
public sealed interface BuildTarget permits Device, Architectures {}
