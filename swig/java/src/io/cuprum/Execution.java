package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.Objects;

/**
 * Where an algorithm runs, or what it is built for: a {@link Device}, the host's cores ({@link #HOST}), or, ahead of time,
 * architectures ({@link #aheadOfTime}).
 */
public sealed interface Execution permits Device, NativeExecution {
    /**
     * The host's cores, over arrays and direct buffers: needs neither a driver nor a compiler.
     *
     * <p>Elements are numbers, BOOL and complex numbers; structs are only values that move with sorted keys. Operators are
     * well-known ones ({@link OpKind}), by name or spelled out ("a + b"), and iterators are those of such elements and
     * operators. Anything else is an {@link UnsupportedException}. Calls take no stream, are done when they return, and
     * may be made by several threads at once. Sums of floating-point numbers are evaluated in an order that depends on the
     * number of elements and of threads; the environment's OMP_NUM_THREADS limits these.
     */
    Execution HOST = new NativeExecution(CuprumNative.CUPRUM_EXECUTION_HOST, 0, null);

    /**
     * The same with a requirement on the results: an algorithm that cannot keep it is an {@link UnsupportedException} when
     * it is built. Integers, and what does not combine elements, keep every one; of a reduction of other elements
     * GPU_TO_GPU costs some speed.
     *
     * @param determinism how far results are the same
     * @return the execution
     */
    default Execution require(Determinism determinism) {
        NativeExecution own = NativeExecution.of(this);
        return new NativeExecution(
                own.kind(), own.deviceId(), own.architectures(), Objects.requireNonNull(determinism, "determinism"));
    }

    /**
     * Architectures, without a device: what is built for them can be saved, but not called.
     *
     * @param architectures at least one; "sm_90" gives machine code for that one, "compute_80" PTX for it, all later
     *     ones and the simulator
     * @return the execution
     */
    static Execution aheadOfTime(String... architectures) {
        if (architectures.length == 0) {
            throw new IllegalArgumentException("expected at least one architecture, such as \"sm_90\"");
        }
        return new NativeExecution(
                CuprumNative.CUPRUM_EXECUTION_AHEAD_OF_TIME, 0, String.join(",", architectures));
    }
}
