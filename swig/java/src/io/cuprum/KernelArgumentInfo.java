package io.cuprum;

/**
 * Where one parameter of a kernel lies, and what it is.
 *
 * @param offset bytes from the start of the parameters
 * @param size bytes
 * @param kind what it is
 * @param type the type as C++ writes it, "const float*"; empty where that is not known
 */
public record KernelArgumentInfo(long offset, long size, ArgumentKind kind, String type) {}
