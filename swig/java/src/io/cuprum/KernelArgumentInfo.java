package io.cuprum;

/**
 * Where one parameter of a kernel lies.
 *
 * @param offset bytes from the start of the parameters
 * @param size bytes
 */
public record KernelArgumentInfo(long offset, long size) {}
