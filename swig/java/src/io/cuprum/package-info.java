/**
 * CUDA from Java, on a GPU or, with {@code CUPRUM_DRIVER=sim}, on Cuprum's simulator.
 *
 * <p>Names are those of NVIDIA's {@code cuda.core}. A {@link io.cuprum.Program} is compiled to
 * {@link io.cuprum.ObjectCode}, whose {@link io.cuprum.Kernel kernels} are launched in a {@link io.cuprum.Stream} of a
 * {@link io.cuprum.Device} on {@link io.cuprum.Buffer buffers} of its memory.
 *
 * <p>Rules that hold for every class:
 * <ul>
 *   <li>Every class may be used from any thread.
 *   <li>What holds native resources is {@link java.lang.AutoCloseable}. {@code close()} may be called more than once,
 *       from any thread and in any order; what was never closed is freed some time after it has become unreachable.
 *   <li>Every failure is a {@link io.cuprum.CuprumException}. Using a closed object is an
 *       {@link io.cuprum.InvalidStateException}. A value that Java itself can see to be wrong (a negative size, an
 *       argument of a type that no kernel accepts) is an {@link java.lang.IllegalArgumentException}.
 *   <li>Sizes, offsets and device addresses are bytes and 64 bits wide; read them with
 *       {@link java.lang.Long#toUnsignedString(long)} where they may exceed {@link java.lang.Long#MAX_VALUE}.
 *   <li>Text is any Unicode text without NUL characters.
 * </ul>
 */
package io.cuprum;
