package io.cuprum;

/**
 * The position, size and type of one parameter of a kernel.
 *
 * @param offset the offset in bytes from the start of the parameters
 * @param size the size in bytes
 * @param kind the kind of the parameter
 * @param type the type as C++ writes it, "const float*"; empty if unknown
 */
public record KernelArgumentInfo(long offset, long size, ArgumentKind kind, String type) {}
