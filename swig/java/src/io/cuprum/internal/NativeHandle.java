package io.cuprum.internal;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/**
 * A handle of the C ABI that is destroyed exactly once: when it is closed, or some time after its owner has become
 * unreachable.
 *
 * <p>A method that passes value() to C must keep its object reachable until C returns (Reference.reachabilityFence), or
 * the handle may be destroyed before C has used it. Closing it from another thread meanwhile is safe: C either
 * finishes with it or refuses it.
 *
 * <p>Must not refer to its owner, which would then stay reachable for good.
 */
public final class NativeHandle {
    private static final Cleaner CLEANER = Cleaner.create();

    private final long value;
    private final LongConsumer destroy;
    private final Cleaner.Cleanable cleanable;
    private volatile boolean closed;

    /** Takes `value` over. `destroy` gets it once, from any thread; it must not refer to `owner`. */
    public NativeHandle(Object owner, long value, LongConsumer destroy) {
        this.value = value;
        this.destroy = destroy;
        cleanable = CLEANER.register(owner, this::destroy);
    }

    /**
     * Runs `release` once, some time after `object` has become unreachable. It must not refer to `object`; whatever it
     * throws is lost.
     */
    public static void whenUnreachable(Object object, Runnable release) {
        CLEANER.register(object, release);
    }

    /** Meaningless once isClosed(). */
    public long value() {
        return value;
    }

    /** Whether close() has been called. */
    public boolean isClosed() {
        return closed;
    }

    /** May be called more than once. */
    public void close() {
        cleanable.clean();
    }

    /** Runs at most once: the Cleanable sees to that. */
    private void destroy() {
        closed = true;
        try {
            destroy.accept(value);
        } catch (RuntimeException error) {
            // Neither close() nor the cleaner's thread can report a failure, and the handle is gone either way.
            return;
        }
    }
}
