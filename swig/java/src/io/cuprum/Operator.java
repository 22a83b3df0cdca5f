package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import io.cuprum.internal.NativeHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;

/**
 * What a parallel algorithm does to its elements: the name of a well-known operator ("plus", "multiplies", "minimum",
 * "less", "negate" ...), or CUDA C++ over the operands {@code a} and {@code b}, an expression ("a * b + 1") or a
 * function's body ("if (a &lt; b) return a; return b;").
 */
public final class Operator implements AutoCloseable {
    private final NativeHandle handle;
    private final String text;

    /**
     * An operator without a state.
     *
     * @param text what it does
     */
    public Operator(String text) {
        this(text, null, null);
    }

    /**
     * An operator with a state, whose bytes are passed at each call and not compiled in.
     *
     * @param text sees the state's fields by their names
     * @param stateType a struct such as {@code "Scale{factor:float64,offset:int32}"}, laid out as in C
     * @param state a direct buffer with the state's bytes, from position to limit; copied
     */
    public Operator(String text, String stateType, ByteBuffer state) {
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_operator_create(created, text, stateType,
                state == null ? 0 : HostMemory.addressOf(state), state == null ? 0 : HostMemory.sizeOf(state));
        Reference.reachabilityFence(state);
        this.text = text;
        handle = new NativeHandle(this, created[0], CuprumNative::cuprum_parallel_operator_destroy);
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return "Operator \"" + text + '"';
    }

    /** Runs `action` with the native handle; this operator stays reachable meanwhile. */
    <T> T with(String operation, LongFunction<T> action) {
        try {
            if (handle.isClosed()) {
                throw Errors.closed(this, operation);
            }
            return action.apply(handle.value());
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
